"""Six languages, three widths: every text fits, and none of it is in another language."""

from __future__ import annotations

import re
from functools import cache

import pytest
from playwright.sync_api import expect

from spieltisch.i18n.format import LANGUAGES, Pattern, Placeholder, catalogue, parse
from tests.browser.conftest import PHONE
from tests.browser.support.fitting import misfits, misfits_at
from tests.browser.support.places import (
    closes,
    gathers,
    gives_up,
    home,
    may_choose,
    opens_menu,
    opens_rules,
    opens_set_up,
    opens_settings,
    sits_down,
    words,
)
from tests.browser.support.playing import CHOICE

STILL = {"viewport": {"width": 768, "height": 640}, "reduced_motion": "reduce"}
OFFER = ".tray [data-tray=choices] .offer:enabled"
SCOPES = ("", "bigpoints", "rondo", "turmbauer")
ENGLISH_ALONE = re.compile(r"\b(the|and|with|your|you|this|have|from|what|every|which)\b", re.IGNORECASE)
TEXTS = """
() => {
  const found = new Set(document.title.replace("● ", "").split(" · "));
  const foreign = (element) => element.closest("[lang]") !== document.documentElement || element.closest("noscript, bdi");
  const walker = document.createTreeWalker(document.querySelector("#app"), NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); )
    if (!foreign(node.parentElement)) found.add(node.data.trim().replace(/\\s+/g, " "));
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const element of document.querySelectorAll(`#app [${name}]`))
      if (!foreign(element)) found.add(element.getAttribute(name));
  return [...found].filter(Boolean);
}
"""


def shape(parts: Pattern) -> str:
    """A sentence as an expression that finds it."""
    found = ""
    for part in parts.parts:
        if isinstance(part, str):
            found += re.escape(part)
        elif isinstance(part, Placeholder):
            found += ".+?"
        else:
            found += f"(?:{'|'.join(shape(case) for case in part.parts.values())})"
    return found


@cache
def sentences(language: str) -> list[re.Pattern[str]]:
    """All that the page and the server say in a language, but what is hardly more than its arguments."""
    entries = list(words(language).values())
    for scope in SCOPES:
        for entry in catalogue(scope, language).values():
            entries += [entry] if isinstance(entry, str) else entry.values()
    shapes = {shape(parse(entry)) for entry in entries}
    return [re.compile(one, re.IGNORECASE) for one in shapes if len(re.findall(r"[^\W\d_]", one)) > 3]


def in_english(texts: set[str], language: str) -> list[str]:
    """The texts that are English and not of this language."""
    ours = sentences(language)
    suspects = [
        text for text in texts if ENGLISH_ALONE.search(text) or any(one.fullmatch(text) for one in sentences("en"))
    ]
    return [text for text in suspects if ENGLISH_ALONE.search(text) or not any(one.fullmatch(text) for one in ours)]


def test_what_is_english_is_told_from_what_is_not():
    said = {"Schließen", "Close", "Bot 1 hat 3 Punkte.", "Bot 1 to play.", "Menü", "the rules"}
    assert sorted(in_english(said, "de")) == ["Bot 1 to play.", "Close", "the rules"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_fits_at_every_width_and_is_of_its_language(visitor, language):
    guest = visitor({"name": "Ada"}, **STILL, locale=language)
    page = guest.opens()
    wrong: list[str] = []
    texts: set[str] = set()

    def look(where: str) -> None:
        wrong.extend(misfits_at(page, where))
        texts.update(page.evaluate(TEXTS))

    expect(page.locator("html")).to_have_attribute("lang", language)
    home(page)
    look("home")
    opens_settings(page)
    look("settings")
    closes(page)
    for game in range(3):
        opens_set_up(page, game)
        look(f"set-up {game}")
        closes(page)
    opens_rules(page)
    look("rules")
    home(page)
    gathers(page)
    look("gathering")
    home(page)
    sits_down(page, 1)
    may_choose(page)
    look("table")
    gives_up(page, language)
    look("end")
    assert not wrong, "\n".join(wrong)
    assert language == "en" or in_english(texts, language) == []


@pytest.mark.parametrize("game", [0, 1, 2])
def test_every_text_of_a_drawn_table_fits_in_every_language(visitor, game):
    guest = visitor({"name": "Ada", "text": False}, **STILL)
    page = guest.opens()
    home(page)
    sits_down(page, game)
    may_choose(page)
    wrong = []
    for language in LANGUAGES:
        page.set_viewport_size(STILL["viewport"])  # where the language can be picked in the bar
        page.locator("header select").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        may_choose(page)
        wrong += misfits_at(page, language)
        if page.locator(OFFER).count():  # one step on: what is asked then, and the way back
            page.locator(OFFER).first.click()
            page.locator(".tray .acts .button").first.wait_for()
            wrong += misfits_at(page, f"{language}, one step on", (768, 360))
            page.locator(".tray .acts .button").first.click()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", [0, 1, 2])
def test_the_language_changes_in_the_middle_of_a_game(visitor, game):
    guest = visitor({"name": "Ada"}, **STILL)
    page = guest.opens()
    home(page)
    sits_down(page, game)
    may_choose(page)
    page.evaluate("window.stays = true")
    log = page.locator(".log li")
    before = log.count()
    for language in ("fr", "nl"):
        page.locator("header select").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(log).to_have_count(before)
        page.get_by_role("heading", name=words(language)["turn.choose"]).wait_for()
        may_choose(page)
        assert in_english(set(page.evaluate(TEXTS)), language) == []
    page.locator(CHOICE).first.click()
    expect(page.locator(CHOICE).first).to_be_visible()
    assert in_english(set(page.evaluate(TEXTS)), "nl") == []
    assert page.evaluate("window.stays")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "nl")


def test_the_language_can_be_changed_on_a_phone_wherever_one_is(visitor):
    guest = visitor({"name": "Ada"}, **PHONE, locale="it")
    page = guest.opens()
    home(page)
    page.locator("header select").select_option("de")
    page.get_by_role("heading", name=words("de")["home.title"]).wait_for()
    page.get_by_text("Leg Ketten").first.wait_for(state="attached")
    gathers(page)
    page.locator("header select").select_option("es")
    page.get_by_role("button", name=words("es")["gathering.fill"]).click()
    page.get_by_role("button", name=words("es")["gathering.start"]).click()
    may_choose(page)
    opens_menu(page, "es").get_by_label("Idioma").select_option("en")
    page.get_by_role("heading", name=words("en")["menu"]).wait_for()
    assert page.locator("html").get_attribute("lang") == "en"
    closes(page)
    page.get_by_role("heading", name=words("en")["turn.choose"]).wait_for()


def test_a_language_that_is_not_spoken_here_becomes_english(visitor):
    page = visitor(locale="ja").opens()
    page.get_by_role("heading", name=words("en")["home.title"]).wait_for()
    assert page.locator("html").get_attribute("lang") == "en"


def test_what_does_not_fit_is_found(visitor):
    page = visitor(**STILL).opens()
    page.get_by_role("heading", level=1).wait_for()
    assert misfits(page) == []
    page.evaluate("document.querySelector('h1').style.cssText = 'width: 3rem; white-space: nowrap'")
    assert any(one.startswith("too wide: h1") for one in misfits(page))
    page.evaluate("document.querySelector('h1').style.cssText = 'margin-inline-start: 50rem; width: 20rem'")
    assert any(one.startswith("beside the screen: h1") for one in misfits(page))
    page.evaluate("document.querySelector('h1').style.cssText = ''")
    page.evaluate("document.querySelectorAll('nav .icon')[1].style.cssText = 'margin-inline-start: -2rem'")
    assert [one for one in misfits(page) if not one.startswith("one on the other: button.icon")] == []
    assert misfits(page) != []
