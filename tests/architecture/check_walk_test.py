#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks a sound walk in one way at a time; tools/check_walk must name each breach."""

import unittest

from checked_tree import run

WALK = """# Architecture

## Walk
What happens to one call.

1. `src/enfold/serve/stdio.cc` – `on_line` – reads a line
2. `src/enfold/serve/connection.cc` – `Connection::receive` – parses it
3. `src/enfold/serve/connection.cc` – `Connection::reply` – writes the answer

Over HTTP:

1. `src/enfold/serve/http.cc` – `on_body` – reads a body
2. `src/enfold/serve/connection.cc` – `Connection::receive` – parses it

## Other
1. no station
"""
SOUND = {
    "ARCHITECTURE.md": WALK,
    "src/enfold/serve/stdio.cc": '#include "enfold/serve/stdio.h"\nvoid on_line() { connection->receive(); }\n',
    "src/enfold/serve/http.cc": '#include "enfold/serve/http.h"\nvoid on_body() { take(); }\n',
    "src/enfold/serve/http.h": '#include "enfold/serve/connection.h"\n',
    "src/enfold/serve/connection.cc": "void Connection::receive() {}\nvoid Connection::reply() {}\n",
}
BREACHES = {
    "file_gone": (WALK.replace("serve/http.cc", "serve/gone.cc"), None, "src/enfold/serve/gone.cc does not exist"),
    "function_gone": (WALK.replace("`on_line`", "`on_text`"), None, "has no function on_text"),
    "other_type": (WALK.replace("Connection::reply", "Session::reply"), None, "has no function Session::reply"),
    "only_in_a_comment": (WALK, ("src/enfold/serve/stdio.cc", "// on_line() receive\n"), "has no function on_line"),
    "next_not_named": (WALK, ("src/enfold/serve/stdio.cc", "void on_line() { other(); }\n"),
                       "stdio.cc does not name Connection::receive of"),
    "number_left_out": (WALK.replace("3. ", "4. "), None, "expected number 3"),
    "no_reason": (WALK.replace(" – reads a line", ""), None, "write `file` – `function` – why"),
    "section_gone": (WALK.replace("## Walk", "## Walks"), None, "no numbered list"),
}


class CheckWalk(unittest.TestCase):
    def test_accepts_a_sound_walk(self):
        self.assertEqual(run(SOUND), (0, ""))

    def test_names_every_breach(self):
        for name, (walk, changed, complaint) in BREACHES.items():
            with self.subTest(name):
                code, stderr = run({**SOUND, "ARCHITECTURE.md": walk, **(dict([changed]) if changed else {})})
                self.assertEqual(code, 1)
                self.assertIn(complaint, stderr)


if __name__ == "__main__":
    unittest.main()
