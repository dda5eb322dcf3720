#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether every link of the installed documentation leads to an installed file: installed_links.py FOLDER"""

import re
import sys
from pathlib import Path


def main():
    root = Path(sys.argv[1])
    pages = sorted((root / "docs").rglob("*.md"))
    problems = [] if len(pages) > 30 else [f"{root}/docs: only {len(pages)} pages"]
    for page in sorted(root.glob("*.md")) + pages:
        text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(), flags=re.M | re.S)
        for link in re.findall(r"\]\(([^)#\s]+)", text):
            if "://" not in link and not (page.parent / link).exists():
                problems.append(f"{page.relative_to(root)}: there is no {link}")
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
