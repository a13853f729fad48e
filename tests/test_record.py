"""The record of a tournament: one writer at a time, full disks, invalid lines."""

import json
import os
import subprocess

import pytest
from conftest import signals, wait_until
from samples import read_records
from tables import rows
from tournaments import SCRIPT, games, processes, run, stub

from protocol.records.record import RecordError as UnreadableError
from scripts.arena.record import Reading, TournamentRecord, is_result
from scripts.jobs.files import FileError, stamp_of

WORDS = [*"--game tictactoe --engine name=a --engine name=b --depth 1 --random-plies 2".split()]


# ---- one runner at a time -----------------------------------------------------------------------------


@pytest.mark.parametrize("number", signals("SIGTERM", "SIGKILL"))
def test_a_record_has_one_runner_at_a_time(tmp_path, number):
    words = [
        "--game",
        "tictactoe",
        *stub("stalling", tmp_path),
        *"--engine name=b --depth 1".split(),
    ]
    first = subprocess.Popen(SCRIPT + words, cwd=tmp_path, stdout=subprocess.DEVNULL)
    wait_until(lambda: processes(tmp_path))
    refused = run(tmp_path, *words, status=2)
    assert "tournament.jsonl is being written by another process" in refused
    first.send_signal(number)
    first.communicate(timeout=60)
    wait_until(lambda: not processes(tmp_path))
    (tmp_path / "tournament.jsonl").unlink(missing_ok=True)
    run(tmp_path, *WORDS)
    assert len(games(tmp_path)) == 2


# ---- a full disk --------------------------------------------------------------------------------------


def test_full_disk_loses_no_recorded_game(tmp_path):
    """A limit on the size of files simulates the full disk."""
    resource = pytest.importorskip("resource")
    words = [*WORDS, "--rounds", "5"]
    full = subprocess.run(
        SCRIPT + words,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500)),
    )
    kept = games(tmp_path)
    assert 0 < len(kept) < 10 and full.returncode == 1
    assert (
        f"can't write tournament.jsonl: File too large; {len(kept)} of 10 games are in tournament.jsonl; repeat the command"
        in full.stderr
    )
    assert "Traceback" not in full.stderr and len(full.stderr.splitlines()) == 1
    assert f"{len(kept)} of 10 games are in tournament.jsonl already" in run(tmp_path, *words)
    assert games(tmp_path)[: len(kept)] == kept
    assert len({game["id"] for game in games(tmp_path)}) == 10


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
def test_output_to_a_full_disk_is_reported(tmp_path):
    with open("/dev/full", "w") as output:
        full = subprocess.run(
            SCRIPT + WORDS,
            cwd=tmp_path,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert full.returncode == 1 and "No space left on device; 0 of 2 games" in full.stderr
    assert "Traceback" not in full.stderr
    run(tmp_path, *WORDS)
    assert len(games(tmp_path)) == 2


# ---- invalid lines ------------------------------------------------------------------------------------


TERMS = {"tournament": {"game": "tictactoe"}}
GAME = {
    "id": "1/a-b/1",
    "game": "tictactoe",
    "players": ["a", "b"],
    "result": "1-0",
    "termination": "normal",
    "reason": "three in a row",
    "fault": None,
    "margin": None,
    "start": None,
    "options": {},
    "opening": 1,
    "moves": ["b2", "a1"],
    "seconds": [0.1],
    "scores": ["M3"],
    "depths": [4],
    "nodes": [None],
    "date": "2000-01-01T00:00:00Z",
    "elapsed": 0.2,
}


def record_of(tmp_path, *lines):
    path = tmp_path / "some.jsonl"
    path.write_bytes(
        b"".join(
            (line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n"
            for line in lines
        )
    )
    return path


def test_a_result_that_is_recorded_twice_counts_once(tmp_path):
    path = record_of(tmp_path, TERMS, GAME, GAME)
    assert list(Reading(path)) == [GAME]
    record = TournamentRecord(path, TERMS)
    assert list(record.results()) == [GAME] and record.ids == {GAME["id"]}
    assert record.standings.count == 1
    record.close()


def test_a_result_without_one_of_its_fields_is_invalid():
    assert is_result(GAME)
    for name in GAME.keys() - {"margin", "elapsed"}:
        assert not is_result({other: GAME[other] for other in GAME if other != name}), name


@pytest.mark.parametrize("change", rows("record.an_invalid_result_is_reported_with_its_line"))
def test_an_invalid_result_is_reported_with_its_line(tmp_path, change):
    path = record_of(tmp_path, TERMS, GAME, {**GAME, "id": "1/a-b/2", **change})
    with pytest.raises(
        FileError, match=r"some.jsonl, line 3: not a line of a tournament's record$"
    ):
        list(Reading(path))
    assert "line 3" in run(tmp_path, "--table", "some.jsonl", status=2)


@pytest.mark.parametrize(
    "line, words",
    [
        (b"[" * 100_000, "not valid JSON"),
        (b'{"id":' * 100_000, "not valid JSON"),
        (b"\xff\x00", "not valid JSON"),
        (b"5", "not a JSON object"),
        (b"[]", "not a JSON object"),
        (b"{}", "not a line of a tournament's record"),
        (b"", "not valid JSON"),
    ],
)
def test_lines_that_are_not_results_are_reported(tmp_path, line, words):
    with pytest.raises(FileError) as refused:
        list(Reading(record_of(tmp_path, TERMS, line)))
    assert f"line 2: {words}" in str(refused.value)
    with pytest.raises(FileError):
        list(Reading(record_of(tmp_path, line)))


@pytest.mark.parametrize("line", rows("record.malformed_lines_about_sprt_or_files_are_reported"))
def test_malformed_lines_about_sprt_or_files_are_reported(tmp_path, line):
    with pytest.raises(FileError, match="line 2: not a line of a tournament's record$"):
        list(Reading(record_of(tmp_path, TERMS, line)))


def test_a_file_is_recognised_by_every_recorded_stamp(tmp_path):
    """The stamp is recorded before the file changes; a kill in between must be harmless."""
    record, path = TournamentRecord(tmp_path / "x.jsonl", {"tournament": {}}), tmp_path / "x.pgn"
    path.write_text("one")
    assert record.games_left(path) is None
    record.count(GAME)
    record.leave(path, stamp_of(path))
    record.leave(path, [5, 5])
    assert record.games_left(path) == 1
    record.close()
    record = TournamentRecord(tmp_path / "x.jsonl", {"tournament": {}})
    assert list(record.results()) == [GAME] and record.games_left(path) == 1
    path.write_text("one, edited")
    assert record.games_left(path) is None
    record.close()


def test_an_illegal_game_in_a_record_is_reported(tmp_path):
    words = [word if word != "tictactoe" else "gomoku" for word in WORDS[:-2]] + [
        "--max-plies",
        "4",
    ]
    run(tmp_path, *words)
    path = tmp_path / "tournament.jsonl"
    lines = path.read_text().splitlines()
    damaged = json.loads(lines[1])
    damaged["moves"][1] = damaged["moves"][0]
    path.write_text("\n".join([lines[0], json.dumps(damaged), ""]))
    path.with_suffix(".sgf").unlink()
    assert "game 1/a-b/1 can't be replayed" in run(tmp_path, *words, status=2)


@pytest.mark.parametrize("change", rows("record.scripts_that_read_games_report_an_invalid_record"))
def test_scripts_that_read_games_report_an_invalid_record(change):
    text = json.dumps({"game": "gomoku", "moves": ["h8"], **change})
    if change in ({"result": {}}, {"options": {"Nothing": 1}}):
        (record,) = read_records(text)[1]
        assert record.result == "*" and record.start.options == {}
        return
    with pytest.raises(UnreadableError, match="line 1"):
        read_records(text)


@pytest.mark.parametrize(
    "change, words", rows("record.malformed_annotations_of_a_game_are_refused")
)
def test_malformed_annotations_of_a_game_are_refused(change, words):
    lines = [
        json.dumps(value)
        for value in (
            {"game": "tictactoe", "moves": []},
            {"game": "tictactoe", "moves": ["b2", "a1"], **change},
        )
    ]
    with pytest.raises(UnreadableError) as refused:
        read_records("\n".join(lines))
    assert str(refused.value).startswith("game 2, line 2: ") and words in str(refused.value)


def test_json_nested_too_deeply_is_refused():
    with pytest.raises(UnreadableError, match="line 1: not valid JSON"):
        read_records('{"game": "chess", "moves": ' + "[" * 100_000, "json")
