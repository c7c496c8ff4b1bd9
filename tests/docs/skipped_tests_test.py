#!/usr/bin/env python3
"""scripts/skipped-tests names every skip of GoogleTest, of pytest and of ctest with its reason, and nothing else."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "skipped-tests"

GOOGLETEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" name="AllTests"><testsuite name="Samples" tests="3">
<testcase name="Runs" status="run" result="completed" classname="Samples" />
<testcase name="Fails" status="run" result="completed" classname="Samples"><failure message="a.cc:1&#x0A;no"/></testcase>
{}</testsuite></testsuites>"""
SKIPPED = """<testcase name="{}" status="run" result="skipped" classname="Samples">
<skipped message="/w/a_test.cc:37&#x0A;{}&#x0A;" /></testcase>"""

CTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="2" skipped="1">
<testcase name="io_test" classname="io_test" status="run"><system-out>[  PASSED  ] 3 tests.</system-out></testcase>
{}</testsuite>"""

PYTEST = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="0" failures="0" skipped="4" tests="5">
<testcase classname="" name="tests.test_torch"><skipped message="collection skipped">('/w/test_torch.py', 2,
"Skipped: could not import 'torch': No module named 'torch'")</skipped></testcase>
<testcase classname="tests.test_a" name="test_one"><skipped type="pytest.skip" message="no mypy here">/w/a.py:2: no mypy here</skipped></testcase>
<testcase classname="tests.test_a" name="test_two"><skipped type="pytest.skip" message="Skipped">/w/a.py:9: Skipped</skipped></testcase>
<testcase classname="tests.test_a" name="test_three"><skipped type="pytest.xfail" message="known" /></testcase>
<testcase classname="tests.test_a" name="test_four" /></testsuite></testsuites>"""


def summary(**files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            pathlib.Path(folder, f"{name}.xml").write_text(text)
        return subprocess.run([SCRIPT, folder], text=True, check=True, stdout=subprocess.PIPE).stdout


class SkippedTests(unittest.TestCase):
    def test_nothing(self):
        self.assertEqual("no test was skipped\n", summary(a=GOOGLETEST.format(""), ctest=CTEST.format("")))

    def test_skips_of_one_reason_share_a_line(self):
        two = SKIPPED.format("One", "no photographs in /x") + SKIPPED.format("Two", "no photographs in /x")
        self.assertEqual("2 tests were skipped:\n  no photographs in /x: Samples.One, Samples.Two\n", summary(a=GOOGLETEST.format(two)))

    def test_binaries_are_added_up(self):
        said = summary(a=GOOGLETEST.format(SKIPPED.format("One", "no zsh here")), b=GOOGLETEST.format(SKIPPED.format("Two", "")))
        self.assertEqual("2 tests were skipped:\n  no zsh here: Samples.One\n  no reason given: Samples.Two\n", said)

    def test_scripts_say_their_reason_on_standard_output(self):
        skipped = '<testcase name="package" classname="package" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>{}</testcase>'
        said = summary(ctest=CTEST.format(skipped.format("<system-out>skipped: no pkg-config here</system-out>")))
        self.assertEqual("1 test was skipped:\n  no pkg-config here: package\n", said)
        self.assertEqual("1 test was skipped:\n  no reason given: package\n", summary(ctest=CTEST.format(skipped.format(""))))

    def test_a_script_that_stops_half_way(self):
        skipped = '<testcase name="debian" classname="debian" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>' \
                  '<system-out>skipped from here on: not root</system-out></testcase>'
        self.assertEqual("1 test was skipped:\n  not root: debian\n", summary(ctest=CTEST.format(skipped)))

    def test_a_whole_binary_is_counted_once(self):
        skipped = '<testcase name="a.One" classname="a.One" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>' \
                  '<system-out>a.cc:1: Skipped\nno photographs\n[  PASSED  ] 0 tests.\n[  SKIPPED ] 1 test.\n</system-out></testcase>'
        said = summary(a=GOOGLETEST.format(SKIPPED.format("One", "no photographs")), ctest=CTEST.format(skipped))
        self.assertEqual("1 test was skipped:\n  no photographs: Samples.One\n", said)

    def test_tests_of_another_filter_are_not_skipped(self):
        other = '<testcase name="One" status="notrun" result="suppressed" classname="Samples" />'
        self.assertEqual("no test was skipped\n", summary(a=GOOGLETEST.format(other)))

    def test_files_and_tests_of_pytest(self):
        self.assertEqual("3 tests were skipped:\n"
                         "  could not import 'torch': No module named 'torch': tests.test_torch\n"
                         "  no mypy here: tests.test_a.test_one\n"
                         "  no reason given: tests.test_a.test_two\n", summary(python=PYTEST))

    def test_parts_of_a_passed_test(self):
        passed = '<testcase name="tutorial" classname="tutorial" status="run"><system-out>p.md:9: skipped: there is no x here\n' \
                 'p.md:12: not run: needs a network\n</system-out></testcase>'
        self.assertEqual("1 test was skipped:\n  there is no x here: tutorial\n", summary(ctest=CTEST.format(passed)))


if __name__ == "__main__":
    sys.exit(unittest.main())
