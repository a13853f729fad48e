"""scripts/tree: the lecture's figures as SVG and as text, step by step, and its messages for bad arguments."""
# Not in the fast part of scripts/test.

import pathlib
import random
import re
import shlex
import xml.etree.ElementTree as ElementTree

import chromium
import pytest
import warm
from conftest import run_python
from tables import rows

from games import registry
from games.base import PositionError
from scripts.drawing.figure import Item
from scripts.drawing.layout import GAP, tidy
from scripts.drawing.picture import Picture
from scripts.drawing.replay import LINE, PRUNED, VISITED, Replay
from scripts.drawing.traced import searched
from scripts.drawing.worksheet import random_tree

ROOT = pathlib.Path(__file__).resolve().parent.parent
SVG = "{http://www.w3.org/2000/svg}"
EIGHT = "(A:(D:(3 5) E:(6 9)) B:(F:(1 2) G:(0 -1)))"


def tree(*arguments, status=0, input=""):
    """Run scripts/tree in another directory; return its output."""
    found, output, wrong = warm.run("scripts/tree", *arguments, cwd="/", input=input)
    assert found == status, wrong
    assert "Traceback" not in wrong
    return output if status == 0 else wrong


def figure(text, algorithm="alphabeta"):
    return searched(registry.get("tree").parse(text, {}), None, algorithm)


def parts(svg, name, words):
    """Return the elements of a kind that have all classes in `words`."""
    return [
        found
        for found in ElementTree.fromstring(svg).iter(SVG + name)
        if set(words.split()) <= set(found.get("class", "").split())
    ]


def texts(element):
    return [found.text for found in element.iter(SVG + "text")]


def test_the_lectures_tree_is_drawn_as_a_picture():
    svg = tree("-o", "-")
    squares, circles = parts(svg, "g", "max"), parts(svg, "g", "min")
    assert len(squares) == 1 + 4 and len(circles) == 2 + 8
    assert all(len(list(node.iter(SVG + "rect"))) == 1 for node in squares)
    assert all(node.find(SVG + "rect").get("rx") for node in circles)
    leaves = "4 5 3 2 6 7 8 9 1 10 2 11 12 13 14 14"
    assert [texts(leaf)[0] for leaf in parts(svg, "g", "leaf")] == leaves.split()
    assert len(parts(svg, "g", "node pruned")) == 31 - 18
    assert len(parts(svg, "path", "strike")) == 5  # each pruned branch is crossed out at its top
    assert [texts(node) for node in parts(svg, "g", "node line")] == [["4"]] * 5
    assert len(parts(svg, "g", "edge")) == 30 and len(parts(svg, "g", "edge line")) == 4


def test_minimax_writes_the_value_of_every_inner_node():
    svg = tree("--algorithm", "minimax", "-o", "-")
    inner = [texts(node)[0] for node in parts(svg, "g", "max") + parts(svg, "g", "min")]
    assert sorted(inner, key=int) == sorted("4 4 2 4 8 2 14 4 2 6 8 1 2 12 14".split(), key=int)
    assert not parts(svg, "g", "pruned")


@pytest.mark.parametrize(
    "text, value, pruned",
    [
        (EIGHT, "5", ["9", "G", "0", "−1"]),
        ("(((W L) L) (L W W))", "L", ["W", "W"]),
        ("(((1 5 6) (8 3)) (L (1 W)))", "6", ["3", "1", "W"]),
        ("((4 2 9) (7 3 8) (1 5 6))", "3", ["5", "6"]),
        ("((3 5) (6 9)) min", "5", ["9"]),
    ],
)
def test_a_tree_shows_the_root_value_and_the_pruned_leaves(text, value, pruned):
    svg = tree(text, "-o", "-")
    found = [words for node in parts(svg, "g", "node pruned") for words in texts(node)]
    assert sorted(found) == sorted(pruned)
    root = parts(svg, "g", "min" if text.endswith("min") else "max")[0]
    assert texts(root) == [value]


def test_windows_and_numbers_are_drawn():
    svg = tree(EIGHT, "--windows", "--numbers", "-o", "-")
    windows = [found.text for found in parts(svg, "text", "window")]
    assert len(windows) == 11 and windows.count("(5, ∞)") == 4 and "(−∞, 5)" in windows
    names = "0 A B D E F G 7 8 9 10 11 12 13 14".split()
    assert [found.text for found in parts(svg, "text", "name")] == names, "one name per node"


def test_values_of_cut_nodes_are_valid_bounds():
    rng = random.Random(5)

    def grow(depth):
        if depth == 0 or rng.random() < 0.15:
            return str(rng.randint(-9, 9))
        return "(" + " ".join(grow(depth - 1) for _ in range(rng.randint(1, 4))) + ")"

    for _ in range(60):
        text = "(" + grow(4) + " " + grow(3) + ")" + rng.choice(["", " min"])
        cut, whole = figure(text), figure(text, "minimax")
        seen = Replay(cut)
        for _ in seen.events():
            for item, (low, high) in seen.bounds.items():
                assert low <= item.minimax() <= high
            assert not seen.cut & set(seen.visited)
        assert {seen.state(item) for item in cut.items} <= {LINE, VISITED, PRUNED}
        value = cut.root.minimax()
        assert seen.bounds[cut.root] == Picture(whole).replay.bounds[whole.root] == (value, value)


def test_the_layout_is_tidy():
    rng = random.Random(3)
    for _ in range(80):
        root = Item(registry.get("tree").start({}), None, -1, "")
        items = [root]
        for _ in range(rng.randint(1, 59)):
            items.append(Item(registry.get("tree").start({}), rng.choice(items[-8:]), 0, ""))
        widths = {item: rng.randint(1, 40) for item in items}
        middles, width = tidy(root, lambda item: (widths[item] / 2,) * 2)
        level = [root]
        while level:
            for left, right in zip(level, level[1:]):
                assert (
                    middles[right] - middles[left]
                    >= (widths[left] + widths[right]) / 2 + GAP - 1e-9
                )
            for item in level:
                assert widths[item] / 2 - 1e-9 <= middles[item] <= width - widths[item] / 2 + 1e-9
                if item.children:
                    ends = middles[item.children[0]], middles[item.children[-1]]
                    assert abs(middles[item] - sum(ends) / 2) < 1e-9
            level = [child for item in level for child in item.children]


def test_ascii_is_used_if_the_terminal_lacks_line_characters():
    ascii_only = {"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"}
    drawn = run_python(ROOT / "scripts" / "tree", "((3 5) (2 9))", env=ascii_only).stdout
    assert drawn.isascii() and "0[3]" in drawn and "2(<2)" in drawn and "x" in drawn


def test_input_may_come_from_a_pipe():
    assert "value 5, 6 of 7 nodes" in tree("-", input="((3 5)\n (6 9)) min\n")


def test_steps_become_one_animated_picture(tmp_path):
    tree("--steps", "-o", tmp_path / "steps.svg")
    root = ElementTree.parse(tmp_path / "steps.svg").getroot()
    switches = list(root.iter(SVG + "animate"))
    lasting = len(events(registry.get("tree").start({}).text()))
    assert {switch.get("dur") for switch in switches} == {f"{lasting - 1 + 4}s"}, (
        "a second for each event, and four for the result"
    )
    for switch in switches:
        times = [float(time) for time in switch.get("keyTimes").split(";")]
        values = switch.get("values").split(";")
        assert times[0] == 0
        assert times == sorted(set(times))
        assert times[-1] < 1
        assert len(values) == len(times)
        assert all(a != b for a, b in zip(values, values[1:]))
    still = [found for found in root.iter(SVG + "g") if found.get("display") != "none"]
    assert sum("pruned" in found.get("class", "") for found in still) >= 13, (
        "without SMIL the last frame is visible"
    )


def test_every_game_can_be_drawn():
    for name in registry.built_in():
        if name != "tree":
            svg = tree("--game", name, "--depth", "1", "--boards", "-o", "-")
            assert len(parts(svg, "g", "leaf")) >= 4 and parts(svg, "g", "line")


def test_a_finished_position_inside_the_horizon_has_its_result():
    drawn = tree(
        "--game", "chess", "--position", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "--depth", "1"
    )
    assert "Ra8#:W" in drawn and "value W" in drawn
    assert "value L" in tree("--game", "tictactoe", "--position", "oo1/xx1/x2 o", "--depth", "2")
    searched_again = searched(registry.get("tictactoe").parse("xo1/1x1/3 o", {}), 5, "killers")
    assert not any(visit.stored for visit in searched_again.visits)


def test_given_moves_are_played_before_the_tree_is_searched():
    drawn = tree("--game", "tictactoe", "--moves", "b2", "a1", "--depth", "1")
    assert len([line for line in drawn.split() if re.match(r"[abc][123]:", line)]) == 7


def test_labels_are_escaped():
    svg = Picture(figure("(a<b&c:3 d>e:4)")).svg()
    assert "a<b&c" in [found.text for found in parts(svg, "text", "name")]


def test_the_levels_of_a_tree_are_named_max_and_min():
    svg = tree(EIGHT, "-o", "-")
    names = parts(svg, "text", "level")
    assert [name.text for name in names] == ["MAX", "MIN", "MAX"]
    rows = [float(node.find(SVG + "rect").get("y")) for node in parts(svg, "g", "max")]
    assert float(names[0].get("y")) < float(names[1].get("y")) < float(names[2].get("y"))
    assert min(rows) < max(rows)


def test_chess_moves_are_in_san_and_white_pieces_are_drawn_light():
    svg = tree("--game", "chess", "--moves", "e4", "Nf6", "--depth", "1", "--boards", "-o", "-")
    assert {"Nf3", "exd5", "O-O", "e5"} & {found.text for found in parts(svg, "text", "name")} == {
        "Nf3",
        "e5",
    }
    pieces = parts(svg, "g", "chessman")
    fills = {each.get("class").split()[1]: each.find(SVG + "path").get("fill") for each in pieces}
    assert len(fills) == 12
    assert {fills[char] for char in "KQRBNP"} == {"#fdfaf3"}
    assert {fills[char] for char in "kqrbnp"} == {"#3a3735"}


def test_trees_are_drawn_as_text():
    drawn = tree()
    assert "[4]" in drawn and "(≤2)" in drawn and "[≥6]" in drawn and drawn.count("╳") == 5
    assert drawn.splitlines()[-1] == "value 4, 18 of 31 nodes visited, best line 1 3 7 15"
    named = tree(EIGHT).splitlines()
    assert named[:3] == ["0[5]", "├━━ A(5)", "│   ├━━ D[5]"] and named[-1].endswith("A D 8")
    assert tree("(-3 2)").splitlines()[1] == "├── 1:−3"


def test_steps_in_the_terminal_have_reasons():
    drawn = tree("((3 5) (2 9))", "--steps")
    sentences = [words for words, _ in events("((3 5) (2 9))")]
    assert [line for line in drawn.splitlines() if line.endswith(("?", "."))] == sentences
    assert "Min has 2 at node 2; Max already has 3 at node 0, so leaf 6 cannot matter." in sentences


def test_a_tree_is_written_as_tikz(tmp_path):
    tree("(A_1:(D:(3 -5) E:(6 9)) B:(F:(1 2) G:(0 -1)))", "--windows", "-o", tmp_path / "tree.tex")
    text = (tmp_path / "tree.tex").read_text(encoding="utf-8")
    assert all(word in text for word in ("{A\\_1}", "{G}", "{$-$5}", "$\\infty$", "{MAX}"))
    assert (
        text.count("\\node[max") == 5 and text.count("\\node[min") == 2 and text.count("-- ") >= 14
    )
    assert text.count("{") == text.count("}") and text.count("\\begin") == text.count("\\end") == 1
    assert all(
        line.endswith(";") for line in text.splitlines() if line.startswith(("\\node", "\\path"))
    )


OVERLAPS = """<script>
const boxes = [...document.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
const found = [];
boxes.forEach(([a, one], index) => boxes.slice(index + 1).forEach(([b, two]) => {
  if (one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 4 && two.top < one.bottom - 4)
    found.push(a + " and " + b); }));
document.title = boxes.length + " texts, overlapping: " + found.join("; ");
</script>"""


@pytest.mark.skipif(chromium.COMMAND is None, reason="there is no Chromium here")
def test_no_label_overlaps_another(tmp_path):
    trees = [
        "(Beautiful:(Longer:(325 -12345675 7) WWWWWW:(L 1)) Mm:(Minimum:(1 2 3) Maximum:(-1000000 5)))",
        "(" + " ".join(f"name{number}:{number * 4321}" for number in range(12)) + ")",
        EIGHT,
    ]
    page = "".join(
        tree(text, *more, "-o", "-")
        for text in trees
        for more in ([], ["--windows"], ["--windows", "--numbers"])
    )
    (tmp_path / "page.html").write_text("<meta charset=utf-8>" + page + OVERLAPS, encoding="utf-8")
    with chromium.Browser(tmp_path / "profile") as browser:
        title = browser.open(f"file://{tmp_path / 'page.html'}").wait("document.title")
    assert title.endswith("overlapping:") and int(title.split()[0]) > 100, title


@pytest.mark.parametrize("arguments, words", rows("tree_pictures.bad_arguments_are_refused"))
def test_bad_arguments_are_refused(arguments, words):
    assert words in tree(*shlex.split(arguments), status=2, input="")


@pytest.mark.parametrize("text", rows("tree_pictures.nested_lists_are_trees"))
def test_nested_lists_are_trees(text):
    parsed = registry.get("tree").parse(text, {})
    assert parsed.text() == registry.get("tree").parse("((3 12 8) (2 4 6) (14 5 2))", {}).text()
    assert registry.get("tree").parse("[\"W\", ['L', 0]]", {}).text() == "(W (L 0))"


@pytest.mark.parametrize("text, wanted", rows("tree_pictures.trees_are_read_as_courses_write_them"))
def test_trees_are_read_as_courses_write_them(text, wanted):
    assert registry.get("tree").parse(text, {}).text() == wanted


@pytest.mark.parametrize(
    "text, words",
    [
        ("MAX(MAX(1,2),3)", '"MAX": max and min must take turns'),
        ("max(1 2) min", '"min": max and min must take turns'),
        ("CHANCE(1,2)", "chance nodes are not supported"),
        ('{"type": "chance", "children": [{"value": 3}]}', "chance nodes are not supported"),
        ("(1/2 3)", '"1/2" must be a whole number'),
        ("(1_0 3)", '"1_0" is not a bracket, a leaf or a label'),
        ("{{1, 2}: 3}", "is neither JSON nor a Python dictionary"),
        ('{"A": ["B"], "B": ["A"]}', "exactly one node must have no parent"),
        ('{"R": ["A"], "A": ["B"], "B": ["A"]}', "the tree has over 200 levels"),
        ('{"a":' * 5_000, "is neither JSON nor a Python dictionary"),
        ("{", "is neither JSON nor a Python dictionary"),
    ],
)
def test_invalid_trees_are_refused_with_the_reason(text, words):
    with pytest.raises(PositionError, match=re.escape(words)):
        registry.get("tree").parse(text, {})


def test_a_flat_list_of_leaves_gets_a_hint():
    game = registry.get("tree")
    assert "One level of 8 leaves" in game.parse("[3, 12, 8, 2, 4, 6, 14, 5]", {}).notes()[0]
    assert not game.parse("[3, 12]", {}).notes() and not game.parse("((3 12) (8 2))", {}).notes()


def events(text, algorithm="alphabeta"):
    """Return (words, names of the owners) of each Event of a search."""
    found = Replay(figure(text, algorithm)).events()
    return [(event.words, [item.name for item in event.owners]) for event in found]


def test_each_event_is_described_with_its_reason():
    told = events("((3 5) (6 9) (1 2)) min")
    assert told[0] == ("Min moves at node 0: no bound is known yet, so any value matters.", [])
    assert told[4:6] == [
        ("Leaf 5 is worth 5.", []),
        ("Max now has 5 at node 1, instead of 3; the window narrows to (5, ∞).", ["1"]),
    ]
    assert told[9:13] == [
        ("Leaf 6 is worth 6.", []),
        ("Max has 6 at node 2; now its window is empty.", ["2"]),
        ("Max has 6 at node 2; Min already has 5 at node 0, so leaf 7 cannot matter.", ["2", "0"]),
        ("Node 2 returns at least 6, no better than the 5 that Min has at node 0.", []),
    ]
    assert told[-1][0] == "The search is over: value 2, 9 of 10 nodes visited, best line 3 9."


def test_a_deep_cut_names_the_ancestor_that_owns_the_bound():
    cut = "Min has 4 at node 6; Max already has 5 at node 0, so node 8 cannot matter."
    assert (cut, ["0", "6"]) in events("(5 ((3 (4 (1 8))) 7))")


def test_null_windows_are_described_as_questions():
    words = [words for words, _ in events("((5 6) (7 4) (3 8))", "pvs")]
    assert "Min moves at node 3: is it worth more than 5?" in words
    again = [words for words, _ in events("((3 4) (7 8))", "pvs")]
    assert "Min moves again at node 2: only a value above 3 matters." in again


def test_nodes_of_a_game_are_named_by_their_path():
    position = registry.get("tictactoe").parse("xo1/1x1/3 o", {})
    names = [item.name for item in searched(position, 2).items]
    assert len(set(names)) == len(names) and names[0] == "root"
    assert {"c1", "a1/c1", "b1/c1"} <= set(names)


def test_a_child_begins_with_its_parents_window():
    """The window is the parent's, as narrowed so far, or a null window with one bound of it."""
    draw, last = random.Random(8), {}
    for algorithm in 20 * ["alphabeta", "pvs"]:
        text = random_tree(draw.randrange(1000), draw.randint(2, 3), draw.randint(2, 4))
        replay = Replay(figure(text, algorithm))
        for event in replay.events():
            if event.kind in ("enter", "leaf") and event.item.parent:
                parent = event.item.parent
                window, above = replay.visited[event.item].window, replay.window(parent)
                if last.get(parent) is not event.item:  # not a re-search after a null window
                    assert window[parent.side] == above[parent.side]
                    assert window == above or window[1] - window[0] == 1
                last[parent] = event.item


def test_worksheets_have_blanks_and_a_key(tmp_path):
    arguments = "--worksheet", "--random", "7", "--children", "2", "--plies", "3", "-o"
    tree(*arguments, tmp_path / "sheet.html")
    page = (tmp_path / "sheet.html").read_text(encoding="utf-8")
    blank, key = page.split("Key: ")
    assert blank.count("(___, ___)") == 7 and "(___" not in key and "≤" not in blank
    assert (
        blank.count('class="value"') == 15
        and blank.count('class="value">') == 8
        and "Random tree 7" in blank
    )
    assert "so node 6 cannot matter." in key and 'edge pruned cut"' in key
    tree(*arguments, tmp_path / "sheet.tex")
    text = (tmp_path / "sheet.tex").read_text(encoding="utf-8")
    assert text.count("\\begin{tikzpicture}") == 2 and text.count("strike") == 4
    assert tree("--worksheet", "--random", "7").count("\n") == 2 * 15 + 2
    assert random_tree(7, 2, 3) == random_tree(7, 2, 3) != random_tree(8, 2, 3)


def test_the_stated_reason_for_a_cut_is_true():
    """At each cutoff, a node higher up already gives the opponent a value at least as good."""
    draw = random.Random(5)

    def tree(depth):
        return (
            str(draw.randint(-9, 9))
            if not depth
            else f"({' '.join(tree(depth - 1) for _ in range(draw.randint(1, 3)))})"
        )

    cuts = 0
    for _ in range(60):
        for sentence in re.findall(
            r"(?:(\w+) has ([\d−]+) at [^;.]*; )?(\w+) already has ([\d−]+) at",
            " ".join(words for words, _ in events(tree(draw.randint(2, 4)))),
        ):
            mover, own, opponent, other = sentence
            if mover:
                own, other = (int(text.replace("−", "-")) for text in (own, other))
                assert {mover, opponent} == {"Max", "Min"}
                assert own >= other if mover == "Max" else own <= other
                cuts += 1
    assert cuts > 50


PVS = "(((5 6) (7 4)) ((3 8) (9 (1 2))))"


@pytest.mark.parametrize(
    "tree", [PVS, "((5 6) (7 4) (3 8))", "((3 5) (6 9) (1 2)) min", "((W L) L (L W W))"]
)
def test_principal_variation_search_finds_the_minimax_value(tree):
    pvs, whole = figure(tree, "pvs"), figure(tree, "minimax")
    assert pvs.line == whole.line
    assert Picture(pvs).replay.bounds[pvs.root] == (whole.root.minimax(),) * 2
    assert len(pvs.visits) <= 2 * len(whole.visits)
