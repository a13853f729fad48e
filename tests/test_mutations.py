"""The lab's mutation script distinguishes the faults that tests detect from those that they miss."""
# Not in the fast part of scripts/test.

import pytest
from conftest import ROOT, run_python

from games import registry
from scripts.lab.mutations import Fault, faults

WHERE = "games/tictactoe.py | tests/test_tictactoe.py -k read_by_name_and_by_number\n"
NOTICED = WHERE + "- divmod(int(name) - 1, 3)\n+ divmod(int(name), 3)\n"
UNNOTICED = WHERE + "- _LINE_VALUES = (0, 10, 40, 0)\n+ _LINE_VALUES = (0, 10, 41, 0)\n"


def test_detected_and_missed_faults_are_distinguished(tmp_path):
    path = tmp_path / "faults.txt"
    path.write_text(f"# two\n\n{NOTICED}\n{UNNOTICED}", encoding="utf-8")
    done = run_python(ROOT / "scripts/lab/mutations.py", "--faults", path)
    noticed, unnoticed, total = done.stdout.splitlines()
    assert noticed.startswith(
        "dies  games/tictactoe.py: divmod(int(name) - 1, 3) -> divmod(int(name), 3)  by tests/test_"
    )
    change = "_LINE_VALUES = (0, 10, 40, 0) -> _LINE_VALUES = (0, 10, 41, 0)"
    assert unnoticed == f"LIVES games/tictactoe.py: {change}"
    assert total == "2 faults, 1 of them survived"
    assert done.returncode == 1 and not done.stderr
    assert "(0, 10, 40, 0)" in (ROOT / "games/tictactoe.py").read_text(encoding="utf-8")


def test_a_fault_that_does_not_fit_its_file_is_reported():
    with pytest.raises(ValueError, match="must have this text once, not 2 times"):
        Fault(NOTICED).put_into("divmod(int(name) - 1, 3)\n" * 2)


def test_each_fault_fits_its_file_and_names_its_tests():
    found = faults((ROOT / "scripts/lab/mutations.txt").read_text(encoding="utf-8"))
    assert len(found) >= 140 and len({str(fault) for fault in found}) == len(found)
    for fault in found:
        assert fault.put_into((ROOT / fault.file).read_text(encoding="utf-8"))
        assert fault.before != fault.after
        files = [ROOT / word for word in fault.tests if word.startswith("tests/")]
        assert all(path.is_file() for path in files)
        _, _, chosen = " ".join(fault.tests).partition(" -k ")
        texts = [path.read_text(encoding="utf-8") for path in files]
        assert chosen in registry.names() or any(chosen in text for text in texts), fault.tests
