"""Good and bad bots for tests/players/test_external.py; each runs in a process of its own."""

import os
import random
import sys
import time
from pathlib import Path


class First:
    def choose(self, seen, clock):
        return seen.choices[0]


class Dice:
    def __init__(self, sampler):
        self.sampler = sampler

    def choose(self, seen, clock):
        return seen.choices[self.sampler.randrange(len(seen.choices))]


class OwnDice:
    """Uses the module random instead of its sampler."""

    def choose(self, seen, clock):
        return random.choice(seen.choices)


class Hashed:
    """Depends on the order of a set."""

    def choose(self, seen, clock):
        named = {str(choice): choice for choice in seen.choices}
        return named[next(iter(set(named)))]


class Both:
    """Has both constructor parameters, in the other order, and looks ahead with them."""

    def __init__(self, sampler, depth=1, *, game):
        self.game, self.sampler = game, sampler

    def choose(self, seen, clock):
        state = self.game.imagine(self.game.recall(seen.view, seen.heard), self.sampler)
        for choice in seen.choices:
            self.game.apply(state, choice)
        return seen.choices[-1]


class Timed:
    """Takes the last choice if it has about a minute left, otherwise the first."""

    def choose(self, seen, clock):
        return seen.choices[-1 if 30 < clock.left() <= 60 else 0]


class Counted:
    """Appends its process id to a file."""

    def __init__(self):
        with Path(os.environ["COUNTED"]).open("a") as file:
            print(os.getpid(), file=file)

    def choose(self, seen, clock):
        return seen.choices[0]


class Chatty(First):
    """Uses standard output and standard input."""

    def choose(self, seen, clock):
        print('{"ok": true, "result": 99}')
        os.write(1, b'{"ok": true, "result": 98}\n')
        try:
            input("what now? ")
        except EOFError:
            return super().choose(seen, clock)


class Opinionated(First):
    """Gives every choice the same values."""

    def evaluate(self, seen, clock):
        from spieltisch.core.player import Estimate, Estimates, Scale

        estimates = [Estimate(choice, (0.5, 0.5), 7, 0.25) for choice in seen.choices]
        return Estimates(Scale.VICTORY, estimates, seen.choices[0], 7 * len(estimates))


class CrashingOpinion(First):
    def evaluate(self, seen, clock):
        raise ZeroDivisionError("one too many")


class Crashing:
    def choose(self, seen, clock):
        raise ZeroDivisionError("one too many")


class Deep:
    """Fails in a file of the standard library."""

    def choose(self, seen, clock):
        return random.Random().sample([], 1)


class Hanging:
    def choose(self, seen, clock):
        while True:
            time.sleep(0.01)


class Leaving:
    def choose(self, seen, clock):
        print("I have had enough", file=sys.stderr)
        os._exit(3)


class LeavingSilently:
    def choose(self, seen, clock):
        os._exit(3)


class Exiting:
    def choose(self, seen, clock):
        sys.exit("good bye")


class Nonsense:
    def choose(self, seen, clock):
        return "the best one"


class Unshowable:
    def choose(self, seen, clock):
        class Odd:
            def __repr__(self):
                raise TypeError("not to be shown")

        return Odd()


class NeverReady:
    def __init__(self, game):
        raise RuntimeError(f"not for {game.title}")

    def choose(self, seen, clock):
        return seen.choices[0]


class Dawdling:
    def __init__(self):
        time.sleep(60)

    def choose(self, seen, clock):
        return seen.choices[0]


class Demanding:
    def __init__(self, throne):
        self.throne = throne

    def choose(self, seen, clock):
        return seen.choices[0]


class Chooseless:
    pass


class Outer:
    class Inner(First):
        pass


def function(seen, clock):
    return seen.choices[0]
