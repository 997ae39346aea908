"""Writes the results of `bench.gpu` into docs/reference/speed.md: `python3 -m bench.speed_page FILE...`."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "speed.md"
BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"


def table(reports: list[dict[str, Any]]) -> str:
    """One row per way and number of games, with the share of the memory bound that it reaches."""
    rows = [
        "| way | games | steps per second | of the memory bound | compilation | bytes per game |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    found = [(each, report["bytes_a_second"]) for report in reports for each in report["measured"]]
    order = list(dict.fromkeys(each["way"] for each, _ in found))
    for each, bandwidth in sorted(found, key=lambda one: (order.index(one[0]["way"]), one[0]["games"])):
        bound = bandwidth / (2 * each["bytes_a_game"])
        rows.append(
            f"| {each['way']} | {each['games']:,} | {scientific(each['steps_per_second'])} "
            f"| {100 * each['steps_per_second'] / bound:.0f} % | {each['compile_seconds']:.1f} s | {each['bytes_a_game']:.0f} |"
        )
    return "\n".join(rows)


def scientific(number: float) -> str:
    mantissa, exponent = f"{number:.2e}".split("e")
    return f"{mantissa}·10{''.join('⁰¹²³⁴⁵⁶⁷⁸⁹'[int(digit)] for digit in str(int(exponent)))}"


def describe_equality(reports: list[dict[str, Any]]) -> str:
    results = [each for report in reports for each in report["same"]]
    parts = ("cpu", "contract", "kernel")
    equal = all(each.get(part, True) for each in results for part in parts)
    games = sum(each["finished_games"] for each in results)
    assert equal, results
    return f"{games:,} games finished bit for bit alike on this device, on the CPU and in the kernel"


def main(files: list[str]) -> None:
    reports = [json.loads(Path(file).read_text(encoding="utf-8")) for file in files]
    first = reports[0]
    summary = (
        f"{datetime.now(UTC):%Y-%m-%d}, {first['device']}, JAX {first['jax']}, Python {first['python']}; a plain pass over "
        f"memory moved {scientific(min(report['bytes_a_second'] for report in reports))} bytes per second; {describe_equality(reports)}."
    )
    failed = [f"- {each['way']}: {each['error'][:160]}" for report in reports for each in report["failed"]]
    parts = [summary, table(reports), *(["Not measured:\n\n" + "\n".join(failed)] if failed else [])]
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(before + BEGIN + "\n" + "\n\n".join(parts) + "\n\n" + END + after, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
