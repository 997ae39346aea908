"""A child process that is spoken to in lines: a question, an answer, never waited for longer than was agreed."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from enum import Enum
from typing import IO, Final, TypeVar

T = TypeVar("T")

LONGEST_LINE: Final = 1_000_000
_KEPT: Final = 8_192  # bytes of what was printed on standard error
_LAST_BREATH: Final = 1.0  # seconds that a process which has said its last word may take to end
_WATCH: Final = 1.0  # seconds between two looks whether whoever asks is still there


class Why(Enum):
    """Why there is no answer."""

    NOT_BEGUN = "not begun"
    SLOW = "slow"
    ENDED = "ended"
    ENDLESS = "endless"


class NoAnswer(Exception):
    """The partner gave no answer; `told` is the system's reason or the last line on standard error."""

    def __init__(self, why: Why, told: str = "", *, seconds: float = 0.0, code: int | None = None) -> None:
        super().__init__(why, told)
        self.why = why
        self.told = told
        self.seconds = seconds  # how long it was waited for
        self.code = code  # the exit code, where it has ended

    def __str__(self) -> str:
        return f"{self.why.value}: {self.told}" if self.told else self.why.value


class Partner:
    """One process at a time, begun when first asked; begun anew after it has died or hung, where `anew` says so.

    It is ended when nobody holds the partner any more, and at exit: told `farewell`, given `grace` seconds, then killed.
    """

    def __init__(
        self,
        command: Iterable[str],
        patience: float,
        *,
        anew: bool = True,
        farewell: str = "",
        grace: float = 0.0,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.command = tuple(command)
        self.patience = patience
        self._anew = anew
        self._ending = (farewell, grace)
        self._environment = environment
        self._talk: _Talk | None = None
        self._forgotten: weakref.finalize[..., Partner] | None = None
        self._lost: Exception | None = None  # why it is not there any more
        self._lock = threading.Lock()

    def ask(self, question: str, understand: Callable[[str], T], patience: float | None = None) -> T:
        """What `understand` makes of the answer; NoAnswer where none comes.

        Whatever goes wrong, be it in `understand`, ends the process: no answer is ever taken for that to another question.
        """
        seconds = self.patience if patience is None else patience
        with self._lock:
            talk = self._begun()
            try:
                return understand(talk.exchange(question, seconds))
            except BaseException as reason:
                self._stop()
                if isinstance(reason, Exception):
                    self._lost = _bare(reason)
                raise

    @property
    def pid(self) -> int | None:
        """The process that is running, if one is."""
        talk = self._talk
        return talk.process.pid if talk is not None and talk.lives() else None

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._stop(*self._ending)

    def _begun(self) -> _Talk:
        if self._talk is not None and not (self._talk.lives() if self._anew else self._talk.is_own()):
            self._stop()
        if self._talk is None:
            if self._lost is not None and not self._anew:
                raise _bare(self._lost)
            self._talk = _Talk(self.command, self._environment)
            self._forgotten = weakref.finalize(self, _Talk.end, self._talk, *self._ending)
        return self._talk

    def _stop(self, farewell: str = "", grace: float = 0.0) -> None:
        if self._talk is not None:
            talk, self._talk = self._talk, None
            self._lost = NoAnswer(Why.ENDED)
            if self._forgotten is not None:
                self._forgotten.detach()
            talk.end(farewell, grace)


def _bare(error: Exception) -> Exception:
    """The same error without the frames it came through, and what they hold; libraries may teach `copy` to keep them."""
    bare = copy(error)
    bare.__traceback__ = bare.__cause__ = bare.__context__ = None
    return bare


_TALKS: Final[weakref.WeakSet[_Talk]] = weakref.WeakSet()


def end_all() -> None:
    """Ends every process that was begun here, for one that is about to leave without a farewell."""
    for talk in list(_TALKS):
        talk.end("", 0.0)


class _Talk:
    """A running process and its three pipes, in a process group of its own, so that all it has begun ends with it."""

    def __init__(self, command: tuple[str, ...], environment: Mapping[str, str] | None) -> None:
        try:
            self.process = subprocess.Popen(  # noqa: S603
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                env=None if environment is None else {**os.environ, **environment},
            )
        except (OSError, ValueError) as error:
            raise NoAnswer(Why.NOT_BEGUN, getattr(error, "strerror", None) or str(error)) from None
        self._owner = os.getpid()
        _TALKS.add(self)
        self._to, self._from, self._aside = (
            _at_hand(self.process.stdin),
            _at_hand(self.process.stdout),
            _at_hand(self.process.stderr),
        )
        self._said = bytearray()  # on standard output, since the last whole line
        self._said_aside = b""  # on standard error, the end of it

    def is_own(self) -> bool:
        """Whether this process began it, and not one that this was forked from."""
        return self._owner == os.getpid()

    def lives(self) -> bool:
        """Whether the process runs, and is an own one."""
        return self.is_own() and self.process.poll() is None

    def exchange(self, question: str, seconds: float) -> str:
        """The next line that is not blank after the question has been put; NoAnswer where none comes in time."""
        deadline = time.monotonic() + seconds
        unsaid = memoryview(f"{question}\n".encode())
        with selectors.DefaultSelector() as ready:
            ready.register(self._to, selectors.EVENT_WRITE)
            ready.register(self._from, selectors.EVENT_READ)
            ready.register(self._aside, selectors.EVENT_READ)
            while True:
                if not unsaid and (line := self._line()):
                    return line
                left = deadline - time.monotonic()
                if left <= 0:
                    raise NoAnswer(Why.SLOW, self._last_words(), seconds=seconds)
                for key, _ in ready.select(min(left, 60.0)):
                    if key.fileobj is self._to:
                        unsaid = unsaid[self._say(unsaid) :]
                        if not unsaid:
                            ready.unregister(self._to)
                    elif key.fileobj is self._from:
                        self._listen()
                    elif self._overhear() == b"":
                        ready.unregister(self._aside)

    def _say(self, unsaid: memoryview) -> int:
        try:
            return self._to.write(unsaid) or 0
        except BrokenPipeError:  # it listens no more; what it has said may still come
            return len(unsaid)

    def _listen(self) -> None:
        more = self._from.read(1 << 16)
        if more == b"":
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_LAST_BREATH)
            raise NoAnswer(Why.ENDED, self._last_words(), code=self.process.returncode)
        self._said += more or b""

    def _line(self) -> str:
        """The next line that is whole and not blank, '' where there is none yet."""
        while b"\n" in self._said:
            line, _, self._said = self._said.partition(b"\n")
            if line.strip():
                return line.decode(errors="replace").strip()
        if len(self._said) > LONGEST_LINE:
            raise NoAnswer(Why.ENDLESS, self._last_words())
        return ""

    def _overhear(self) -> bytes | None:
        """What is on standard error now, of which the end is kept: None is nothing yet, b'' nothing more."""
        more = self._aside.read(1 << 16)
        self._said_aside = (self._said_aside + (more or b""))[-_KEPT:]
        return more

    def _last_words(self) -> str:
        """The last line on standard error."""
        for _ in range(100):  # it may never stop
            if not self._overhear():
                break
        lines = self._said_aside.decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def end(self, farewell: str, grace: float) -> None:
        """Ends the process and all that it has begun; one that another process began is left to that."""
        if not self.is_own():
            return
        if grace:
            with contextlib.suppress(OSError):
                self._to.write(f"{farewell}\n".encode() if farewell else b"")
            self._to.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(grace)
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for pipe in (self._to, self._from, self._aside):
            with contextlib.suppress(OSError):
                pipe.close()
        self.process.wait()


def _at_hand(pipe: IO[bytes] | None) -> IO[bytes]:
    """The pipe, never waited for."""
    assert pipe is not None
    os.set_blocking(pipe.fileno(), False)
    return pipe


def serve(answer: Callable[[str], str]) -> None:
    """The other end: answers every line that is asked until there is none, or nobody who asks.

    Whatever else this process prints goes to standard error, and whatever else it reads finds nothing.
    """
    with os.fdopen(os.dup(0), encoding="utf-8") as questions, os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()
        for question in questions:
            print(answer(question), file=answers, flush=True)


def _leave_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH)
    os._exit(1)
