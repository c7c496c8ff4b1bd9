#!/usr/bin/env python3
"""The check of the table of modules finds what is wrong in made-up trees, and only that."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "site"))
import module_table  # noqa: E402


def look(files):
    """(table, problems) of a tree with the modules base and io; `files`, texts by name, are added to it or replace what it has."""
    texts = {"CMakeLists.txt": "add_subdirectory(base)\nif(X)\n  add_subdirectory(io)\nendif()\n",
             "base/CMakeLists.txt": "alcedo_module(base\n  SOURCES a.cc\n  PUBLIC Eigen3::Eigen)\n",
             "io/CMakeLists.txt": "# (a remark)\nalcedo_module(io\n  SOURCES b.cc\n  PUBLIC alcedo_base # why\n  PRIVATE fmt::fmt)\n"
                                  "alcedo_test(io_test LINK alcedo_io alcedo_nothing)\n"} | files
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "src", "alcedo")
        for name, text in texts.items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(text)
        modules = module_table.Modules(source)
        return modules.table(), list(modules.problems())


class ModuleTable(unittest.TestCase):
    def test_a_good_tree(self):
        table, problems = look({"io/b.cc": '#include "alcedo/base/a.h"\n#include "alcedo/io/b.h"\n'})
        self.assertEqual([], problems)
        self.assertEqual(["| base |", "| io |"], [line[:line.index("|", 2) + 1] for line in table.splitlines()[2:]])
        self.assertTrue(table.endswith("| base |\n"))

    def test_an_include_without_a_link(self):
        self.assertEqual(["src/alcedo/base/a.cc includes io, which base does not link to"],
                         look({"base/a.cc": '#include "alcedo/io/b.h"\n'})[1])

    def test_tests_may_include_what_they_like(self):
        self.assertEqual([], look({"base/a_test.cc": '#include "alcedo/io/b.h"\n'})[1])

    def test_a_link_to_a_later_module(self):
        self.assertEqual(["base uses io, which src/alcedo/CMakeLists.txt lists after it"],
                         look({"base/CMakeLists.txt": "alcedo_module(base SOURCES a.cc\n  PRIVATE alcedo_io)\n"})[1])

    def test_a_module_without_a_description(self):
        self.assertEqual(["docs/site/module_table.py does not say what unheard is"],
                         look({"CMakeLists.txt": "add_subdirectory(unheard)\n", "unheard/CMakeLists.txt": "alcedo_module(unheard SOURCES c.cc)\n"})[1])


if __name__ == "__main__":
    sys.exit(unittest.main())
