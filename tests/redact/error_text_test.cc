// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/redact.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace enfold::redact {
namespace {

TEST(ErrorText, keeps_the_message_and_drops_the_code) {
  struct Row {
    std::string_view name;
    std::string_view text;
    std::string_view want;
  };
  for (const Row& row : {
           Row{"plain", "File not found: a.txt", "File not found: a.txt"},
           {"several plain lines", "Invalid arguments:\n- path: missing\n- mode: unknown",
            "Invalid arguments:\n- path: missing\n- mode: unknown"},
           {"python",
            "Traceback (most recent call last):\n"
            "  File \"/srv/app.py\", line 12, in <module>\n"
            "    main(load(\"settings\"))\n"
            "    ~~~~^^^^^^^^^^^^^^^^^^\n"
            "  File \"/srv/app.py\", line 7, in main\n"
            "    return values[key]\n"
            "KeyError: 'port'\n",
            "KeyError: 'port'"},
           {"python, chained",
            "Traceback (most recent call last):\n"
            "  File \"a.py\", line 1, in f\n"
            "    g()\n"
            "ValueError: bad value\n"
            "\n"
            "During handling of the above exception, another exception occurred:\n"
            "\n"
            "Traceback (most recent call last):\n"
            "  File \"a.py\", line 3, in <module>\n"
            "    f()\n"
            "RuntimeError: gave up",
            "ValueError: bad value\nRuntimeError: gave up"},
           {"python syntax error",
            "  File \"a.py\", line 1\n"
            "    secret = (\n"
            "             ^\n"
            "SyntaxError: '(' was never closed",
            "SyntaxError: '(' was never closed"},
           {"node",
            "TypeError: Cannot read properties of undefined (reading 'id')\n"
            "    at getUser (/app/src/user.js:12:20)\n"
            "    at async Server.handle (file:///app/src/server.js:40:5)\n"
            "    at /app/src/main.js:3:1\n"
            "    at new Promise (<anonymous>)\n"
            "    at node:internal/main/run_main_module:28:49",
            "TypeError: Cannot read properties of undefined (reading 'id')"},
           {"node, uncaught",
            "/app/index.js:3\n"
            "  throw new Error(\"boom \" + value);\n"
            "  ^\n"
            "\n"
            "Error: boom\n"
            "    at Object.<anonymous> (/app/index.js:3:9)\n",
            "/app/index.js:3\nError: boom"},
           {"java",
            "java.lang.IllegalStateException: closed\n"
            "\tat com.example.Pool.take(Pool.java:88)\n"
            "\tat com.example.Main.main(Main.java:12)\n"
            "Caused by: java.io.IOException: reset\n"
            "\t... 2 more",
            "java.lang.IllegalStateException: closed\nCaused by: java.io.IOException: reset"},
           {"gcc",
            "main.c: In function 'main':\n"
            "main.c:3:3: error: 'x' undeclared (first use in this function)\n"
            "    3 |   x = read_all(\"key.txt\");\n"
            "      |   ^\n"
            "main.c:3:3: note: each undeclared identifier is reported only once\n",
            "main.c: In function 'main':\n"
            "main.c:3:3: error: 'x' undeclared (first use in this function)\n"
            "main.c:3:3: note: each undeclared identifier is reported only once"},
           {"clang without numbers",
            "main.c:3:3: error: use of undeclared identifier 'x'\n"
            "  x = read_all(\"key.txt\");\n"
            "  ^\n"
            "1 error generated.",
            "main.c:3:3: error: use of undeclared identifier 'x'\n1 error generated."},
           {"code frame",
            "Parsing error: Unexpected token\n"
            "\n"
            "  1 | const a = 1;\n"
            "> 2 | const b = ;\n"
            "    |           ^\n"
            "  3 | export { a, b };\n",
            "Parsing error: Unexpected token"},
           {"rust",
            "error[E0425]: cannot find value `x` in this scope\n"
            " --> src/main.rs:2:5\n"
            "  |\n"
            "2 |     x + key()\n"
            "  |     ^ not found in this scope\n",
            "error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:2:5"},
           {"fenced", "Edit failed in a.py:\n```python\nkey = load()\n```\nTry again.",
            "Edit failed in a.py:\nTry again."},
           {"fence never closed", "Edit failed:\n```\nkey = load()\nmore()", "Edit failed:"},
           {"go",
            "panic: runtime error: index out of range [3] with length 3\n"
            "\n"
            "goroutine 1 [running]:",
            "panic: runtime error: index out of range [3] with length 3"},
           {"a sentence with at", "Failed at step 3\nat least one file is needed",
            "Failed at step 3\nat least one file is needed"},
           {"a table", "Name | Size\nalpha | 3", "Name | Size\nalpha | 3"},
           {"lint messages", "/a/b.js\n  1:5  error  'x' is never used  no-unused-vars",
            "/a/b.js\n  1:5  error  'x' is never used  no-unused-vars"},
           {"carriage returns", "one\r\n  1 | code\r\ntwo\r\n", "one\ntwo"},
           {"nothing", "", ""},
           {"only white space", " \n\t\n", ""},
           {"only code", "```\nkey = load()\n```", "[source omitted]"},
       }) {
    EXPECT_EQ(scrub_error_text(row.text), row.want) << row.name;
  }
}

TEST(ErrorText, is_bounded_and_never_splits_a_character) {
  std::string text = "a";
  for (int i = 0; i < 3000; ++i) text += "\xC3\xA4";
  const std::string scrubbed = scrub_error_text(text);
  EXPECT_LE(scrubbed.size(), kLongestErrorText);
  EXPECT_TRUE(scrubbed.ends_with("\xC3\xA4 [cut]"));
  EXPECT_TRUE(text.starts_with(scrubbed.substr(0, scrubbed.size() - 6)));
  EXPECT_EQ(scrub_error_text(std::string(2000, 'x')).size(), 2000U);
}

TEST(ErrorText, scrubbing_again_changes_nothing) {
  const std::string once = scrub_error_text(
      "main.c:3:3: error: bad\n  x = 1;\n  ^\nTraceback (most recent call last):\n  f()\nE: x");
  EXPECT_EQ(scrub_error_text(once), once);
  const std::string cut = scrub_error_text(std::string(5000, 'x'));
  EXPECT_EQ(scrub_error_text(cut), cut);
}

}  // namespace
}  // namespace enfold::redact
