"""What is sent to the server: closed, with limits."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from spieltisch.server.http.limits import MAX_BODY_BYTES

DEEPEST: Final = 20  # levels of a document in an option; the games' own have four


def _shallow(options: dict[str, Any]) -> dict[str, Any]:
    """The options, if none is nested so deeply that handing it on to another process would fail."""
    level: list[Any] = [options]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for value in level
            if isinstance(value, dict | list)
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return options
    raise ValueError(f"At most {DEEPEST} levels are read")


Key: TypeAlias = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_-]{8,64}$",
        description="Made by the sender for this one command: sent again with the same key, it is answered as before.",
        examples=["Zk3qX0b1-7"],
    ),
]
Version: TypeAlias = Annotated[
    int, Field(strict=True, ge=0, le=10**9, description="The last event that the sender had seen.", examples=[17])
]
GameNumber: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=1000, description="Which game of the match.")]
SeatNumber: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=99, description="A seat, from 0.", examples=[0])]
Name: TypeAlias = Annotated[str, Field(max_length=200, description="At most 40 letters.", examples=["Ada"])]
Player: TypeAlias = Annotated[str, Field(max_length=100, description="A bot.", examples=["level:3"])]
Commit: TypeAlias = Annotated[
    str,
    Field(
        pattern=r"^[0-9a-f]{64}$",
        description="SHA-256 of the seat's nonce, which is revealed after everybody has sat down.",
        examples=["be45cb2605bf36bebde684841a28f0fd43c69850a3dce5fedba69928ee3a8991"],
    ),
]
Draft: TypeAlias = Annotated[
    list[Annotated[str, Field(max_length=200)]],
    Field(max_length=200, description="Actions in the game's notation.", examples=[["r+"]]),
]


class Closed(BaseModel):
    """No field but those listed is taken."""

    model_config = ConfigDict(extra="forbid")


class Keyed(Closed):
    """A command without further words."""

    key: Key


class SeatPlan(Closed):
    """Who is to have a seat."""

    kind: Literal["person", "bot", "open"] = Field(
        description="`person`: at the device that opens the table; `open`: for whoever has the invitation."
    )
    name: Name | None = None
    player: Player | None = None
    commit: Commit | None = None


class OpenTable(Keyed):
    """Opens a table."""

    game: str = Field(max_length=100)
    seats: list[SeatPlan] = Field(min_length=1, max_length=20)
    edition: str | None = Field(None, max_length=100)
    options: Annotated[dict[str, Any], AfterValidator(_shallow)] = Field(default_factory=dict, max_length=50)
    first: int | None = Field(None, strict=True, ge=0, le=99, description="Who begins; drawn where it is not said.")
    games: int | None = Field(
        None, strict=True, ge=1, le=20, description="How many games; as the game recommends, if not said."
    )
    public: bool = Field(False, strict=True, description="Whether the table is listed for everybody.")
    seconds: int | None = Field(None, strict=True, ge=5, le=86_400, description="What a turn may take.")
    late: Literal["bot", "first"] = Field(
        "bot", description="Who ends a turn that takes longer: a bot, or the first choice there is."
    )


class Watch(Keyed):
    """Comes to a table by its invitation."""

    code: str = Field("", max_length=100)


class Join(Watch):
    """Takes a seat."""

    name: Name
    seat: SeatNumber | None = Field(None, description="The first free one where none is named.")
    commit: Commit | None = None


class Arrange(Keyed):
    """Gives a seat to a bot, or opens it."""

    seat: SeatNumber
    player: Player | None = None


class OfSeat(Keyed):
    """A command of one seat."""

    seat: SeatNumber


class Reveal(OfSeat):
    """Reveals the seat's nonce."""

    nonce: str = Field(pattern=r"^[0-9a-f]{32}$", examples=["000102030405060708090a0b0c0d0e0f"])


class Lend(OfSeat):
    """Lets a bot play for the seat."""

    player: Player | None = None


class AskBot(OfSeat):
    """Asks the others to let a bot play for another seat."""

    about: SeatNumber


class Versioned(OfSeat):
    """A command that was made for one state of the game."""

    version: Version


class Play(Versioned):
    """Plays a draft, whole or not at all."""

    draft: Draft


class Answer(Versioned):
    """Says yes or no to what was asked."""

    yes: bool = Field(strict=True)


class Preview(Closed):
    """Asks where a draft would lead."""

    seat: SeatNumber
    version: Version
    draft: Draft = []


class OfRecord(Closed):
    """Asks something about a record."""

    record: str = Field(max_length=MAX_BODY_BYTES)


class Replay(OfRecord):
    """Asks for a game of a record."""

    game: GameNumber = 0
    viewer: SeatNumber | None = Field(None, description="Whose eyes; a spectator's where none is named.")
    first: int = Field(
        0, strict=True, ge=0, le=1_000_000, description="The first view that is wanted; a hundred come at a time."
    )


class OfEntry(OfRecord):
    """Asks about one entry of a game of a record."""

    game: GameNumber = 0
    viewer: SeatNumber | None = Field(None, description="Whose eyes; a spectator's where none is named.")
    entry: int = Field(strict=True, ge=0, le=1_000_000)
