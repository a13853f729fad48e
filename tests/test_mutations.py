"""The lab's mutation script distinguishes the faults that tests detect from those that they miss."""
# Not in the fast part of scripts/test.

import pytest
from conftest import ROOT, run_python

from games import registry
from scripts.lab.mutations import Fault, faults

NOTICED = "search/report.py | tests/test_search.py -k mates_are_counted\n- return count if score > 0 else -count\n+ return count\n"
UNNOTICED = (
    "search/report.py | tests/test_search.py -k mates_are_counted\n- _DRAWS = 0.4\n+ _DRAWS = 0.5\n"
)


def test_detected_and_missed_faults_are_distinguished(tmp_path):
    path = tmp_path / "faults.txt"
    path.write_text(f"# two\n\n{NOTICED}\n{UNNOTICED}", encoding="utf-8")
    done = run_python(ROOT / "scripts/lab/mutations.py", "--faults", path)
    noticed, unnoticed, total = done.stdout.splitlines()
    assert noticed.startswith(
        "dies  search/report.py: return count if score > 0 else -count -> return count  by tests/test_"
    )
    assert unnoticed == "LIVES search/report.py: _DRAWS = 0.4 -> _DRAWS = 0.5"
    assert total == "2 faults, 1 of them survived"
    assert done.returncode == 1 and not done.stderr
    assert "_DRAWS = 0.4" in (ROOT / "search/report.py").read_text(encoding="utf-8")


def test_a_fault_that_does_not_fit_its_file_is_reported():
    with pytest.raises(ValueError, match="must have this text once, not 2 times"):
        Fault(NOTICED).put_into("return count if score > 0 else -count\n" * 2)


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
