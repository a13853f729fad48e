#!/usr/bin/env python3
"""Check the page of scripts/board with axe-core.  Usage: .ci/accessibility.py AXE.MIN.JS

It checks every tab and dialogue at widths from a phone's to a projector's, in light and in dark
colours.  The exit status is 1 if axe-core finds a violation.
"""

import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))

import chromium  # noqa: E402
from board_server import BoardServer, state  # noqa: E402

SIZES = ((390, 844), (820, 1180), (1280, 720), (1366, 768), (1920, 1080))
TABS = ("play", "analyse", "learn", "watch")
DIALOGUES = {
    "#new": "#setup",
    "#paste": "#paste-box",
    "#save": "#ask",
    "#recent": "#recent-box",
    "#editor": "#edit-box",
    "#resign": "#ask",
}
# Wait for animations, finished or cancelled: to axe-core a moving piece or an opening dialogue
# would be half transparent.
RUN = """(async () => {
  await Promise.allSettled(document.getAnimations().map((each) => each.finished));
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const { violations } = await axe.run(document, { runOnly: tags });
  const places = (nodes) => nodes.map(({ target }) => target.join(" ")).join(", ");
  return violations.map(({ id, nodes }) => `${id}: ${places(nodes)}`);
})()"""


def check(page, where):
    """Print what axe-core finds; return the number of violations."""
    found = page.evaluate(RUN)
    for violation in found:
        print(f"{where}: {violation}", file=sys.stderr)
    return len(found)


def look(page, where):
    """Check every tab and dialogue of a page; return the number of violations."""
    count = 0
    for tab in TABS:
        page.click(f"#tab-{tab}")
        page.wait(f"document.body.dataset.tab === '{tab}'")
        count += check(page, f"{where}, {tab}")
    page.click("#tab-play")
    for button, box in DIALOGUES.items():
        page.click(button)
        page.wait(f"document.querySelector('{box}').open")
        count += check(page, f"{where}, {box}")
        page.press("Escape")
        page.wait(f"!document.querySelector('{box}').open")
    return count


def main():
    """Check the page in all sizes and colours; return the exit status."""
    axe, count = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"), 0
    server, profile = BoardServer(), tempfile.mkdtemp()
    with chromium.Browser(profile) as browser:
        for scheme in ("light", "dark"):
            for width, height in SIZES:
                page = browser.open(
                    server.address, width, height, fresh=True, prefers_color_scheme=scheme
                )
                state(page, "yours")
                page.evaluate(axe + "; true")
                count += look(page, f"{scheme}, {width}x{height}")
                page.close()
    server.stop()
    shutil.rmtree(profile, ignore_errors=True)  # the browser's helpers may still be writing there
    print(f"axe-core: {count or 'no'} violation{'' if count == 1 else 's'}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
