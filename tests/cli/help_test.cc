// SPDX-License-Identifier: Apache-2.0
// What the program says about itself, and to somebody who mistypes. tests/golden/cli/help holds
// the pages word for word; docs/reference/command-line.md is checked against the same output.
#include "tests/cli/program.h"

namespace enfold::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kVerbs[] = {"contracts", "schema",  "validate", "convert", "parse",
                                  "explain",   "tokens",  "fit",      "fetch",   "query",
                                  "diff",      "archive", "tools",    "call",    "check",
                                  "wrap",      "serve",   "import",   "doctor",  "top"};

class Help : public ProgramTest {};
class Usage : public ProgramTest {};

TEST_F(Help, of_the_program_lists_the_verbs) {
  const Ended ended = enfold({"--help"});
  EXPECT_THAT(ended, ends(0, golden("cli/help/enfold.txt", ended.out), ""));
}

TEST_F(Help, of_each_verb_teaches_by_example) {
  for (const std::string verb : kVerbs) {
    SCOPED_TRACE(verb);
    const Ended ended = enfold({verb, "--help"});
    EXPECT_THAT(ended, ends(0, golden("cli/help/" + verb + ".txt", ended.out), ""));
    EXPECT_THAT(ended.out, AllOf(HasSubstr("Example"), HasSubstr("  enfold " + verb + " "),
                                 HasSubstr("--json")));
  }
}

TEST_F(Help, is_the_same_by_its_short_name) {
  EXPECT_THAT(enfold({"convert", "-h"}), ends(0, enfold({"convert", "--help"}).out, ""));
}

TEST_F(Help, fits_a_screen_of_100_columns) {
  std::vector<std::vector<std::string>> pages{{"--help"}};
  for (const std::string verb : kVerbs) pages.push_back({verb, "--help"});
  for (const std::vector<std::string>& arguments : pages) {
    std::istringstream page(enfold(arguments).out);
    for (std::string line; std::getline(page, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST_F(Help, gives_the_version) {
  EXPECT_THAT(enfold({"--version"}), ends(0, "enfold " ENFOLD_VERSION "\n", ""));
}

TEST_F(Usage, that_is_wrong_is_named_with_a_way_out) {
  struct Case {
    std::vector<std::string> arguments;
    std::string want;
  };
  std::string verbs;
  for (const std::string verb : kVerbs) verbs += (verbs.empty() ? "" : ", ") + verb;
  const std::string all = "hint: see `enfold --help`\n";
  const std::string convert = "hint: see `enfold convert --help`\n";
  const std::string bytes = "  at --max-bytes\n";
  const std::vector<Case> cases{
      {{}, "error: expected a verb: " + verbs + "\n" + all},
      {{"convrt"},
       "error: expected a verb (" + verbs + "), found \"convrt\"\nhint: did you mean convert?\n"},
      {{"vaildate", "a.json"},
       "error: expected a verb (" + verbs +
           "), found \"vaildate\"\nhint: did you mean validate?\n"},
      {{"frobnicate"}, "error: expected a verb (" + verbs + "), found \"frobnicate\"\n" + all},
      {{"convrt", "--help"},
       "error: expected a verb (" + verbs + "), found \"convrt\"\nhint: did you mean convert?\n"},
      {{"help", "fit"}, "error: expected a verb (" + verbs + "), found \"help\"\n" + all},
      {{"", "fit"}, "error: expected a verb (" + verbs + "), found \"\"\n" + all},
      {{"-h", "frobnicate"},
       "error: expected a verb (" + verbs + "), found \"frobnicate\"\n" + all},
      {{"--", "fit"}, "error: expected a verb (" + verbs + "), found \"--\"\n" + all},
      {{"--versoin"}, "error: enfold has no option --versoin\nhint: did you mean --version?\n"},
      {{"convert"},
       "error: expected --to, found none\nhint: for example --to response-v2; "
       "`enfold contracts` lists them\n"},
      {{"convert", "--to"}, "error: expected a value after --to\n" + convert},
      {{"convert", "--to", "memory", "--to", "generic"},
       "error: expected --to once, found it 2 times\nhint: remove all but one --to\n"},
      {{"fit", "--budget", "200", "--budget=300", "--budget", "400"},
       "error: expected --budget once, found it 3 times\nhint: remove all but one --budget\n"},
      {{"fit", "--budget", "5"},
       "error: expected a number of tokens from 128 to 1000000000, found \"5\"\n  at --budget\n"
       "hint: see `enfold fit --help`\n"},
      {{"fit", "--client", "claud"},
       "error: expected the name of a client profile, found \"claud\"\n  at --client\n"
       "hint: did you mean claude?\n"},
      {{"wrap", "npx", "-y", "server"},
       "error: expected the command of a server after --, found \"npx\"\n"
       "hint: for example `enfold wrap -- npx -y server`\n"},
      {{"convert", "--too", "memory"},
       "error: convert has no option --too\nhint: did you mean --to?\n"},
      {{"convert", "--to", "memory", "--no-extension"},
       "error: convert has no option --no-extension\nhint: did you mean --no-extensions?\n"},
      {{"convert", "--to", "memory", "--qqqqqq=1"},
       "error: convert has no option --qqqqqq\n" + convert},
      {{"convert", "--to", "respons-v2"},
       "error: expected the name of a contract, found \"respons-v2\"\n  at --to\n"
       "hint: did you mean response-v2?\n"},
      {{"convert", "--to", "auto"},
       "error: expected the name of a contract to write, found \"auto\"\n"
       "hint: `enfold contracts` lists them\n"},
      {{"convert", "--to", "memory", "--from", "xml"},
       "error: expected the name of a contract, found \"xml\"\n  at --from\n"
       "hint: `enfold contracts` lists them\n"},
      {{"convert", "--to", "memory", "--level", "medium"},
       "error: expected minimal, standard or full as level, found \"medium\"\n"},
      {{"convert", "--to", "memory", "--members", "some"},
       "error: expected strict, minimal, standard, verbose or debug as members, found \"some\"\n"},
      {{"convert", "--to", "memory", "--max-bytes", "64MB"},
       "error: expected a number of bytes from 1 to 4294967168, found \"64MB\"\n" + bytes +
           convert},
      {{"convert", "--to", "memory", "--max-bytes", "-1"},
       "error: expected a number of bytes from 1 to 4294967168, found \"-1\"\n" + bytes + convert},
      {{"convert", "--to", "memory", "--pretty", "--jsonl"},
       "error: --pretty and --jsonl exclude each other\n"
       "hint: JSON Lines need one line per answer\n"},
      {{"parse", "--to", "memory"},
       "error: parse has no option --to\nhint: did you mean --tool?\n"},
      {{"explain", "--from", "genric"},
       "error: expected the name of a contract, found \"genric\"\n  at --from\n"
       "hint: did you mean generic?\n"},
      {{"validate", "--contract", "response"},
       "error: expected the name of a contract, found \"response\"\n  at --contract\n"
       "hint: did you mean response-v2?\n"},
      {{"validate", "--contract", "json"},
       "error: json has no schema: there is nothing to check\n"
       "hint: `enfold contracts` lists the contracts; mcp, json and text are inputs\n"}};
  for (const Case& one : cases) {
    SCOPED_TRACE(::testing::PrintToString(one.arguments));
    EXPECT_THAT(enfold(one.arguments), ends(5, "", one.want));
  }
}

TEST_F(Usage, of_a_name_full_of_control_characters_cannot_steer_the_terminal) {
  const Ended ended = enfold({"schema", "\033[2Jx\x7f\xc2\x9b"});
  EXPECT_THAT(ended, ends(5, "", HasSubstr(R"(found "\u001b[2Jx\u007f\u009b")")));
  EXPECT_THAT(ended.err, Not(HasSubstr("\033")));
}

}  // namespace
}  // namespace enfold::cli
