#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks a small sound tree in one way at a time; tools/check_layers must name each breach."""

import unittest

from checked_tree import run

OPENING = "// SPDX-License-Identifier: Apache-2.0\n"
HEADER = OPENING + "// A purpose.\n#pragma once\n\n"

SOUND = {
    "ARCHITECTURE.md": """# Architecture

## Modules

| module | holds | may use | I/O | state |
|---|---|---|---|---|
| `base` | results | | no | built |
| `json` | documents | `base` | no | built |
| `model` | responses | `json` | no | built |
| `token` | tokenizers | `base` | no | planned |
| `net` | rooms, each may use those before it: `wire/` `http/` | `model`, `token` | yes | built |
| `cli` | verbs | everything | yes | built |

## Libraries

| library | headers | included by |
|---|---|---|
| fmt | `fmt/` | everyone |
| simdjson | `simdjson.h` | `json` |
""",
    "CMakeLists.txt": "enfold_module(base)\nenfold_module(json DEPENDS base)\n"
    "enfold_module(model DEPENDS json)\nenfold_module(net DEPENDS model)\n",
    "src/enfold/base/result.h": HEADER + "#include <string>\n",
    "src/enfold/json/document.h": HEADER + '#include "enfold/base/result.h"\n#include <fmt/core.h>\n',
    "src/enfold/json/document.cc": OPENING + '#include "enfold/json/detail/scan.h"\n#include <simdjson.h>\n'
    '#include <immintrin.h>\n// std::getenv is only named here\nconst char* s = "std::cout";\n',
    "src/enfold/json/detail/scan.h": HEADER,
    "src/enfold/model/response.h": HEADER + '#include "enfold/base/result.h"\n#include "enfold/json/document.h"\n',
    "src/enfold/net/socket.cc": OPENING + '#include <thread>\n#include "enfold/model/response.h"\n',
    "src/enfold/net/run.cc": OPENING + '#include "enfold/net/http/server.h"\n',
    "src/enfold/net/wire/frame.h": HEADER,
    "src/enfold/net/http/server.h": HEADER + '#include "enfold/net/wire/frame.h"\n',
    "src/cli/main.cc": OPENING + '#include <iostream>\n#include "enfold/net/socket.h"\n#include "cli/exit_code.h"\n',
    "docs/decisions/0001-a-choice.md": "",
    "tests/architecture/long_files.txt": "# none\n",
}

# name: (file, its new text, what the complaint must say)
BREACHES = {
    "upward_include": ("src/enfold/base/up.h", HEADER + '#include "enfold/json/document.h"\n', "`base` may not use `json`"),
    "sideways_to_planned": ("src/enfold/model/t.h", HEADER + '#include "enfold/token/bpe.h"\n', "`model` may not use `token`"),
    "later_room": ("src/enfold/net/wire/w.h", HEADER + '#include "enfold/net/http/server.h"\n', "may not use `http/`"),
    "above_all_rooms": ("src/enfold/net/wire/x.h", HEADER + '#include "enfold/net/run.h"\n', "above all rooms"),
    "foreign_detail": ("src/enfold/model/d.h", HEADER + '#include "enfold/json/detail/scan.h"\n', "private to `json`"),
    "foreign_detail_from_cli": ("src/cli/d.cc", OPENING + '#include "enfold/json/detail/scan.h"\n', "private to `json`"),
    "relative_include": ("src/enfold/json/r.cc", OPENING + '#include "document.h"\n', "write the whole path"),
    "impure_header": ("src/enfold/model/i.cc", OPENING + "#include <fstream>\n", "includes <fstream>"),
    "socket_header": ("src/enfold/model/s.cc", OPENING + "#include <sys/socket.h>\n", "<sys/socket.h> is in no row"),
    "clock": ("src/enfold/base/c.cc", OPENING + "auto t = std::chrono::system_clock::now();\n", "says std::chrono::system_clock"),
    "environment": ("src/enfold/base/e.cc", OPENING + 'auto p = std::getenv("HOME");\n', "says std::getenv"),
    "foreign_library": ("src/enfold/model/l.cc", OPENING + "#include <simdjson.h>\n", "belongs to json"),
    "unknown_library": ("src/enfold/json/u.cc", OPENING + "#include <boost/json.hpp>\n", "is in no row"),
    "no_spdx": ("src/enfold/json/n.cc", "int x;\n", "first line must be"),
    "no_pragma_once": ("src/enfold/json/p.h", OPENING + "#include <string>\n", "#pragma once must follow"),
    "no_spdx_in_tests": ("tests/json/x_test.cc", "int x;\n", "first line must be"),
    "too_long": ("src/enfold/json/long.cc", OPENING + "int f();\n" * 800, "801 lines, at most 800"),
    "nameless_file": ("src/enfold/json/string_utils.h", HEADER, "a name that says nothing"),
    "cmake_disagrees": ("CMakeLists.txt", SOUND["CMakeLists.txt"].replace("(model DEPENDS json)", "(model DEPENDS base)"),
                        "enfold_module(model) depends on base"),
    "cmake_forgets": ("CMakeLists.txt", SOUND["CMakeLists.txt"].replace("enfold_module(net DEPENDS model)\n", ""),
                      "no enfold_module(net)"),
    "part_without_source": ("CMakeLists.txt", SOUND["CMakeLists.txt"].replace(
                                "enfold_module(model DEPENDS json)", "enfold_module(model DEPENDS json PARTS sql)"),
                            "has the part sql, which has no source"),
    "folder_without_module": ("src/enfold/extra/x.h", HEADER, "a folder without enfold_module(extra)"),
    "unknown_module_in_table": ("ARCHITECTURE.md", SOUND["ARCHITECTURE.md"].replace("| `json` | no", "| `jsn` | no"),
                                "which is no module"),
    "cycle_in_table": ("ARCHITECTURE.md", SOUND["ARCHITECTURE.md"].replace("| results | |", "| results | `model` |"),
                       "may use itself"),
    "table_gone": ("ARCHITECTURE.md", "# Architecture\n", "no table under the heading"),
    "decision_number_twice": ("docs/decisions/0001-another.md", "", "number 0001 is taken"),
    "stale_exception": ("tests/architecture/long_files.txt", "900 src/enfold/base/result.h\n", "needs no exception any more"),
    "exception_for_nothing": ("tests/architecture/long_files.txt", "900 src/gone.cc\n", "is gone"),
}


class CheckLayers(unittest.TestCase):
    def test_accepts_a_sound_tree(self):
        self.assertEqual(run(SOUND), (0, ""))

    def test_names_every_breach_and_nothing_else(self):
        for name, (path, text, complaint) in BREACHES.items():
            with self.subTest(name):
                code, stderr = run({**SOUND, path: text})
                self.assertEqual(code, 1)
                self.assertIn(complaint, stderr)
                if not path.endswith((".md", ".txt")):
                    self.assertEqual(stderr.count("error:"), 1, stderr)

    def test_holds_an_exception_to_its_number(self):
        long_file = {"src/enfold/json/long.cc": OPENING + "int f();\n" * 899}
        for allowed, code, complaint in ((900, 0, ""), (899, 1, "may only shrink"), (950, 1, "from 950 to 900")):
            with self.subTest(allowed):
                exceptions = {"tests/architecture/long_files.txt": f"{allowed} src/enfold/json/long.cc\n"}
                got, stderr = run({**SOUND, **long_file, **exceptions})
                self.assertEqual(got, code, stderr)
                self.assertIn(complaint, stderr)

    def test_warns_of_long_files_without_failing(self):
        code, stderr = run({**SOUND, "src/enfold/json/long.cc": OPENING + "int f();\n" * 500})
        self.assertEqual(code, 0)
        self.assertIn("warning: src/enfold/json/long.cc: 501 lines", stderr)


if __name__ == "__main__":
    unittest.main()
