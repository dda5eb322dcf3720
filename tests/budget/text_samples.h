// SPDX-License-Identifier: Apache-2.0
// Texts of every form, written as programs write them.
#pragma once

#include "tests/budget/data_sets.h"

#include <string>

namespace enfold::testing {

/// `line` for every number below `count`.
template <class Line>
std::string lines(std::size_t count, Line&& line) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}\n", line(i));
  return text;
}

inline std::string application_log(std::size_t count) {
  return lines(count, [](std::size_t i) {
    const std::string at = fmt::format("2026-03-{:02} 08:{:02}:{:02},{:03}", 1 + i / 3600,
                                       i / 60 % 60, i % 60, i % 1000);
    if (i % 97 == 5) return fmt::format("{} ERROR [db] connection to db-{} lost", at, i % 3);
    if (i % 10 == 3) return fmt::format("{} DEBUG [gc] heap {} M, 0 failed", at, i);
    return fmt::format("{} INFO [worker-{}] request id={} took {} ms errors=0", at, i % 8, i,
                       i % 300);
  });
}

inline std::string access_log(std::size_t count) {
  return lines(count, [](std::size_t i) {
    return fmt::format(
        "10.0.0.{} - - [10/Oct/2025:13:{:02}:{:02} -0700] \"GET /a/{} HTTP/1.1\" 200 {}", i % 250,
        i / 60 % 60, i % 60, i, i * 3);
  });
}

inline std::string syslog(std::size_t count) {
  return lines(count, [](std::size_t i) {
    return fmt::format("Nov {:2} 07:{:02}:{:02} web-1 sshd[{}]: session {} opened", 1 + i % 28,
                       i / 60 % 60, i % 60, i, i);
  });
}

/// A diff of two files, one of them renamed, with a removed line that looks like a header.
inline std::string patch() {
  return "diff --git a/src/a.cc b/src/a.cc\nindex 1..2 100644\n--- a/src/a.cc\n+++ b/src/a.cc\n"
         "@@ -1,4 +1,3 @@\n one\n--- two\n+++ two\n-three\n four\n"
         "diff --git a/old.txt b/new.txt\nsimilarity index 90%\nrename from old.txt\n"
         "rename to new.txt\n--- a/old.txt\n+++ b/new.txt\n@@ -3 +3,2 @@ context\n-x\n+y\n+z\n"
         "\\ No newline at end of file\n"
         "diff --git a/logo.png b/logo.png\nnew file mode 100644\nBinary files /dev/null and "
         "b/logo.png differ\n";
}

inline std::string history(std::size_t commits) {
  return lines(commits, [](std::size_t i) {
    return fmt::format(
        "commit {:040x}\nAuthor: {} <x@example.org>\nDate:   Mon Mar 2 10:00:{:02} "
        "2026 +0000\n\n    Change number {}\n\n    More words.\n\n{}",
        0xA000000 + i, i % 2 == 0 ? "Amara" : "Bjorn", i % 60, i, patch());
  });
}

inline std::string python_source() {
  return "#!/usr/bin/env python3\n# A tool.\n# It reads errors.\nimport sys\nfrom os import "
         "path\n\n"
         "class Reader:\n    \"\"\"Reads.\"\"\"\n\n    def __init__(self, name):\n"
         "        self.name = name\n\n    def failed(self):\n        return self.error is None\n\n"
         "def main():\n    # Not a heading\n    reader = Reader(sys.argv[1])\n"
         "    print(reader.failed())\n\nif __name__ == \"__main__\":\n    main()\n";
}

inline std::string cpp_source() {
  return "// A file.\n#include <string>\n\nnamespace a {\n\nstruct Error {\n  int code = 0;\n};\n\n"
         "int fail(int code) {\n  if (code == 0) return 1;\n  return code;\n}\n\n"
         "void Reader::read(const std::string& text,\n                  int error) {\n"
         "  log(text, error);\n}\n\n}  // namespace a\n";
}

inline std::string typescript_source() {
  return "import { ZodError } from 'zod';\nimport fs from 'fs';\n\nexport interface Failure {\n"
         "  error: string;\n}\n\nexport async function load(name: string) {\n"
         "  const text = fs.readFileSync(name);\n  return parse(text);\n}\n\n"
         "const fails = (error: Error) => {\n  throw error;\n};\n";
}

inline std::string html_page() {
  return "<!DOCTYPE html>\n<html><head><title>Notes &amp; more</title>\n<style>p{a:b,c:d}</style>\n"
         "<script>var a=1,b=2;</script></head>\n<body><h1>Release <b>notes</b></h1>\n"
         "<p>The importer, which failed\n on page 3, works.</p>\n<h2>Older</h2>\n"
         "<ul><li>One, <a href=\"/x\">two</a></li><li>3 &lt; 4</li></ul>\n<img src=\"a.png\">\n"
         "</body></html>\n";
}

inline std::string tree_listing() {
  return ".\n├── README.md\n├── docs\n│   ├── a.md\n│   └── deep\n│       └── b.md\n└── src\n"
         "    ├── errors.cc\n    └── main.cc\n\n3 directories, 5 files\n";
}

inline std::string long_listing() {
  return ".:\ntotal 8\ndrwxr-xr-x 2 root root 4096 Nov 18 06:02 docs\n"
         "-rw-r--r-- 1 root root  590 Nov 18 06:02 failed tests.txt\n\n./docs:\ntotal 4\n"
         "-rw-r--r-- 1 root root 1200 Nov 18  2025 error.md\n"
         "-rw-r--r-- 1 root root   10 2025-11-18 06:02 b.md\n";
}

inline std::string python_trace() {
  return "Traceback (most recent call last):\n  File \"/app/a.py\", line 10, in main\n    load(x)\n"
         "  File \"/app/b.py\", line 20, in load\n    parse(x)\nValueError: bad number\n\n"
         "During handling of the above exception, another exception occurred:\n\n"
         "Traceback (most recent call last):\n  File \"/app/c.py\", line 30, in run\n    main()\n"
         "  File \"/app/d.py\", line 40, in stop\n    raise Stop(x)\nRuntimeError: import failed\n";
}

inline std::string java_trace() {
  return "org.acme.Failed: request failed\n\tat org.acme.A.run(A.java:1)\n"
         "\tat org.acme.B.run(B.java:2)\nCaused by: java.sql.SQLException: refused\n"
         "\tat db.C.open(C.java:3)\n\tat db.D.open(D.java:4)\n\t... 2 more\n";
}

}  // namespace enfold::testing
