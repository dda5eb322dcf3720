#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the server say what it did not read?

  check_folders.py SERVER

Folders as they are found in the world: other languages, hidden files, links, broken encodings. Every
file must be counted as analysed or skipped, with the reason; a failure holds no source code.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SECRET_LINE = "launch_code = derive(0x5ca1ab1e)"


def call(server, folder, tool, **arguments):
    """The envelope of one call, at the tier that config.json of the folder names."""
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
               "params": {"name": tool, "arguments": arguments, "_meta": meta}}
    config = ["--config", str(folder / "config.json")] if (folder / "config.json").exists() else []
    ended = subprocess.run([server, *config], input=json.dumps(request) + "\n", cwd=folder, capture_output=True,
                           text=True, timeout=60, check=True)
    return json.loads(ended.stdout)["result"]["structuredContent"]


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def expect(holds, what, found):
    if not holds:
        sys.exit(f"check_folders: {what}, found {json.dumps(found, indent=1)}")


def groups(data):
    return {(one["reason"], one["extension"]): one["files"] for one in data["coverage"].get("skipped_by", [])}


def other_languages(server, folder):
    write(folder, {"a.ts": "eval(text);\n", "b.go": "package main\n", "c.rs": "fn main() {}\n", "Makefile": "all:\n"})
    data = call(server, folder, "security_scan")["data"]
    expect(data["risk_level"] == "critical", "expected the finding in a.ts", data)
    expect(groups(data) == {("unknown_language", ".rs"): 1, ("unknown_language", ""): 1,
                            ("language_not_in_tier", ".go"): 1}, "expected three groups", data)
    expect(data["warnings"] == ["3 of 4 files were not analysed: 1 without ending (unknown_language), "
                                "1 .rs (unknown_language), 1 .go (language_not_in_tier)"], "expected a warning", data)


def nothing_to_read(server, folder):
    write(folder, {"src/main.rs": "fn main() {}\n", "src/lib.rs": "\n"})
    data = call(server, folder, "security_scan")["data"]
    expect(data["risk_level"] == "unknown" and data["coverage"]["analysed"] == 0, "expected no verdict", data)
    (folder / "empty").mkdir()
    data = call(server, folder, "security_scan", path="empty")["data"]
    expect(data["risk_level"] == "unknown" and data["coverage"]["files"] == 0, "expected no files", data)


def odd_files(server, folder):
    write(folder, {"good.py": "x = 1\n", "latin.py": b"name = '\xe9'\n", ".env": "a=1\n", ".git/config": "[core]\n",
                   "upper.PY": "x = 1\n", "lib/inner.js": "let x = 1;\n"})
    (folder / "gone.py").symlink_to("nowhere.py")
    (folder / "linked").symlink_to("lib")
    (folder / "out.py").symlink_to("/etc/hostname")
    os.mkfifo(folder / "pipe.py")
    for tool, arguments in (("security_scan", {}), ("crawl_project", {}), ("get_symbol_references", {"symbol": "x"})):
        data = call(server, folder, tool, response_level="standard", **arguments)["data"]
        coverage = data["coverage"]
        expect(coverage["files"] == coverage["analysed"] + coverage["skipped"] == 10, f"{tool}: expected ten", data)
        expect(coverage["skipped"] == len(coverage["skipped_files"]) == sum(groups(data).values()),
               f"{tool}: expected sums that agree", data)
        expect(groups(data) == {("unreadable", ".py"): 3, ("hidden", ""): 2, ("outside_root", ".py"): 1,
                                ("linked_folder", ""): 1},
               f"{tool}: expected the reasons", data)


def tells_no_source(server, folder):
    write(folder, {"vault.py": SECRET_LINE + "\nclass Vault:\n    def open(self):\n        pass\n",
                   "vault.rb": SECRET_LINE + "\n", "latin.py": SECRET_LINE.encode() + b" \xe9\n"})
    calls = [("extract_code", {"file": "vault.py", "symbol": SECRET_LINE}),
             ("extract_code", {"file": "vault.py", "symbol": "opne"}),
             ("extract_code", {"file": "vault.py", "from_line": 90}),
             ("extract_code", {"file": "latin.py", "from_line": 1}),
             ("extract_code", {"file": "vault.rb", "from_line": 1}),
             ("analyze_code", {"file": "latin.py"}),
             ("security_scan", {"rules": [SECRET_LINE]}),
             ("security_scan", {"path": "nowhere"})]
    for tool, arguments in calls:
        envelope = call(server, folder, tool, **arguments)
        expect(envelope["error"] is not None, f"{tool} {arguments}: expected a failure", envelope)
        said = json.dumps(envelope)
        expect("0x5ca1ab1e" not in said and "class Vault" not in said, f"{tool}: expected no source", envelope)


def limits_are_kept(server, folder):
    """What a capability says is what the tool does, at each tier."""
    write(folder, {f"m{number:04}.py": "x = eval(y)\n" * 3 for number in range(60)})
    for tier in ("community", "pro", "enterprise"):
        write(folder, {"config.json": json.dumps({"tier": tier})})
        for tool, arguments, list_of in (("security_scan", {}, "findings"),
                                         ("get_symbol_references", {"symbol": "y"}, "references")):
            envelope = call(server, folder, tool, **arguments)
            says = dict(one.split(":", 1) for one in envelope["capabilities"] if ":" in one)
            data = envelope["data"]
            analysed = min(int(says["max-files"]), 60)
            expect(data["coverage"]["analysed"] == analysed, f"{tool} at {tier}: expected {analysed} files", says)
            shown = min(int(says[f"max-{list_of}"]), 3 * analysed)
            expect(len(data[list_of]) == shown, f"{tool} at {tier}: expected {shown} {list_of}", says)
            expect(data.get(f"{list_of}_left_out", 0) == 3 * analysed - shown, f"{tool} at {tier}: expected the rest", says)


def main():
    for check in (other_languages, nothing_to_read, odd_files, tells_no_source, limits_are_kept):
        with tempfile.TemporaryDirectory() as folder:
            check(sys.argv[1], Path(folder).resolve())
    print("every file is counted, every limit kept, no failure shows source code")


if __name__ == "__main__":
    main()
