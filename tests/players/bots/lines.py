"""A bot that speaks JSON lines without this package; its first argument selects its behaviour."""

import json
import os
import random
import sys
import time


def main(manner, *rest):
    dice = random.Random()
    for line in sys.stdin:
        asked = json.loads(line)
        if rest:
            with open(rest[0], "a") as file:  # noqa: PTH123
                file.write(line)
        if asked["do"] == "bye":
            continue
        answer = {"id": asked["id"], "ok": True}
        if asked["do"] == "hello":
            dice.seed(asked["seed"])
            if manner.startswith("opinion"):
                answer["features"] = ["evaluate"]
            if manner == "rude":
                answer["ok"] = False
        elif asked["do"] == "evaluate":
            answer |= opinion(manner, asked)
        else:
            answer |= behave(manner, asked, dice)
        print(json.dumps(answer))
        if manner == "twice" and asked["do"] == "choose":
            print(json.dumps(answer))


def opinion(manner, asked):
    choices = [{"action": each, "values": [0.75, 0.25], "visits": 3, "prior": None} for each in asked["choices"]]
    match manner:
        case "opinion on nothing":
            choices[0]["action"] = "the best one"
        case "opinion without seats":
            choices[0]["values"] = [1]
        case "opinion in words":
            choices[0]["visits"] = "many"
    return {"action": asked["choices"][0], "scale": "victory", "simulations": 12, "choices": choices}


def behave(manner, asked, dice):
    match manner:
        case "crash":
            raise ZeroDivisionError("one too many")
        case "hang":
            time.sleep(60)
        case "nonsense":
            return {"action": "the best one"}
        case "number":
            return {"action": 0}
        case "nothing":
            return {}
        case "rubbish":
            print("let me think")
        case "list":
            print("[1]")
        case "nested":
            print("[" * 100_000)
        case "exit":
            os._exit(3)
        case "other id":
            return {"id": 77}
        case "no id":
            return {"id": None}
        case "true id":
            return {"id": True}
        case "gives up":
            return {"ok": False, "error": {"message": "I resign"}}
        case "endless":
            while True:
                print("x" * 10_000, end="")
        case "blank":
            print("\n  ")
        case "aside":
            print("aside " * 100_000, file=sys.stderr)
        case "dice":
            return {"action": dice.choice(asked["choices"])}
        case "hurry":
            return {"action": asked["choices"][-1 if asked["seconds"] == 60 else 0]}
    return {"action": asked["choices"][0], "because": "it stands first"}


main(*sys.argv[1:])
