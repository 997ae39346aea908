"""Layout checks of a page: nothing clipped, nothing off the screen, no overlapping buttons."""

from __future__ import annotations

from playwright.sync_api import Page

WIDTHS = (1440, 768, 360)  # the narrowest last: small windows are painted quickly
_LOOK = r"""
() => {
  const found = [];
  const layer = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const style = (element) => getComputedStyle(element);
  const above = (element) => (element ? [element, ...above(element.parentElement)] : []);
  const name = (element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} “${(element.ariaLabel || element.textContent).trim().slice(0, 50)}”`;
  const veiled = (element) => above(element).some((one) => style(one).clipPath === "inset(50%)");
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && !veiled(element);
  const scrolls = (element, axis) => /auto|scroll/.test(style(element)[`overflow${axis}`]);

  const wide = document.scrollingElement.scrollWidth;
  if (wide > innerWidth) found.push(`the page is ${wide} wide, the window ${innerWidth}`);

  const speaks = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  for (const element of layer.querySelectorAll("*")) {
    if (element.closest("svg, noscript, option") || !speaks(element) || !shown(element)) continue;
    const box = element.getBoundingClientRect();
    const inScroller = above(element).some((one) => scrolls(one, "X") && one.scrollWidth > one.clientWidth);
    if (!inScroller && (box.left < -1 || box.right > innerWidth + 1)) found.push(`beside the screen: ${name(element)}`);
    if (style(element).display === "inline") continue;
    if (!scrolls(element, "X") && element.scrollWidth > element.clientWidth + 1)
      found.push(`too wide: ${name(element)}`);
    const tight = element.matches("button, .button") || /hidden|clip/.test(style(element).overflowY);
    if (tight && !scrolls(element, "Y") && element.scrollHeight > element.clientHeight + 2)
      found.push(`too high: ${name(element)}`);
  }

  const ruler = document.createElement("canvas").getContext("2d");
  for (const select of layer.querySelectorAll("select")) {
    if (!shown(select) || style(select).opacity === "0") continue;
    const { font, paddingLeft, paddingRight } = style(select);
    ruler.font = font;
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const needed = ruler.measureText(select.selectedOptions[0]?.text ?? "").width;
    if (needed > room + 1) found.push(`cut short: ${name(select)} ${select.selectedOptions[0].text}`);
  }

  const seen = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (const one of above(element.parentElement)) {
      if (style(one).overflowX === "visible" && style(one).overflowY === "visible") continue;
      if (one === document.body || one === document.documentElement) continue;
      const box = one.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { left, top, right, bottom };
  };
  const pressed = [...layer.querySelectorAll("a[href], button:not([aria-hidden=true]), select, input, label.button")].filter(shown);
  const boxes = pressed.map(seen);
  for (let one = 0; one < pressed.length; one++)
    for (let other = 0; other < one; other++) {
      const [a, b] = [boxes[one], boxes[other]];
      if (pressed[one].contains(pressed[other]) || pressed[other].contains(pressed[one])) continue;
      if (pressed[one].closest(".tray") !== pressed[other].closest(".tray")) continue; // it lies over the table
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1) found.push(`one on the other: ${name(pressed[one])} and ${name(pressed[other])}`);
    }
  return found;
}
"""
_SETTLE = """
async (width) => {
  do await new Promise(requestAnimationFrame);
  while (innerWidth !== width);
  await new Promise(requestAnimationFrame);
}
"""


def misfits(page: Page) -> list[str]:
    """What does not fit in the window as it is, or in the sheet that lies on top."""
    found: list[str] = page.evaluate(_LOOK)
    return found


def misfits_at(page: Page, where: str, widths: tuple[int, ...] = WIDTHS) -> list[str]:
    """What does not fit in windows of these widths."""
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 640})
        page.evaluate(_SETTLE, width)
        found += [f"{where} at {width}: {what}" for what in misfits(page)]
    return found
