// SPDX-License-Identifier: Apache-2.0
// What the help pages say below the options: what cannot be told in a line, and examples.
#pragma once

#include <string>

namespace enfold::cli::help {

inline constexpr const char* kArchivePlaces =
    "The archive is a file (made with mode 0600 in a folder of 0700) or a Redis server:\n"
    "PATH, redis://[user:password@]host[:port][/db], redis+unix:///path[?db=N]. Without --archive\n"
    "it is $ENFOLD_ARCHIVE, else $XDG_STATE_HOME/enfold/archive.db, else\n"
    "~/.local/state/enfold/archive.db.\n\n";

inline std::string of_program() {
  return "`enfold VERB --help` shows options and examples.\n"
         "Exit codes: 0 ok, 1 unexpected, 2 negative answer, 3 unsupported, 4 bad input, 5 bad "
         "usage.\n\n"
         "Start here:\n"
         "  enfold explain answer.json";
}

inline std::string of_contracts() {
  return "Examples:\n"
         "  enfold contracts\n"
         "  enfold contracts --json | jq -r '.[].name'";
}

inline std::string of_schema() {
  return "Example:\n  enfold schema response-v2 > response-v2.schema.json";
}

inline std::string of_validate() {
  return "Each violation names its place (a JSON Pointer), what was expected and what was found.\n"
         "Exit code 2 when an answer is not valid.\n\n"
         "Examples:\n"
         "  enfold validate answer.json\n"
         "  my-tool | enfold validate --contract response-v2 --json";
}

inline std::string of_convert() {
  return "One line of JSON an answer. Secrets are replaced by markers such as "
         "[REDACTED:API_KEY].\n\n"
         "Examples:\n"
         "  enfold convert --to response-v2 result.json\n"
         "  enfold convert --to scalpel-v1 --no-extensions --report losses.jsonl result.json\n"
         "  enfold convert --to generic --from mcp --tool list_issues --jsonl < results.jsonl\n"
         "  enfold convert --to response-v2 --tool search --levels levels.json --level minimal "
         "a.json";
}

inline std::string of_parse() {
  return "The same input gives the same output, without a model: docs/contracts/generic.md has "
         "the\n"
         "rules. With --tool its verb helps to tell lists, actions and single things apart.\n\n"
         "Examples:\n"
         "  enfold parse --tool discord_list_channels answer.json\n"
         "  my-tool | enfold parse --from text --tool send_message";
}

inline std::string of_explain() {
  return "Exit code 0 also for a failed answer: it was explained.\n\n"
         "Examples:\n"
         "  enfold explain answer.json\n"
         "  my-tool | enfold explain";
}

inline std::string of_tokens() {
  return "Counts in an encoding are exact. Where a client's tokenizer is not public the count is "
         "an\n"
         "estimate and says so: docs/tokens.md.\n\n"
         "Examples:\n"
         "  enfold tokens answer.json\n"
         "  my-tool | enfold tokens --client claude-code --json";
}

inline std::string of_fit() {
  return "An answer over the budget is archived first, whole; its meta then names the handle "
         "under\n"
         "which `enfold fetch` finds what was left out. One that fits is neither cut nor stored.\n"
         "Exit code 2 when it was shown whole, over the budget, because it could not be "
         "archived.\n\n" +
         std::string(kArchivePlaces) +
         "Examples:\n"
         "  enfold fit --budget 4000 answer.json\n"
         "  enfold fit --budget 4000 --explain answer.json\n"
         "  my-tool | enfold fit --client claude-code --schema output.schema.json --mcp-result";
}

inline std::string of_fetch() {
  return "One selection at a time; --pointer beside another says where that one looks. Without "
         "any\n"
         "all of the payload. Conditions and places: docs/retrieval.md.\n"
         "A page holds what fits the budget and the cursor to the next. Cursors are signed with a\n"
         "key that is made beside the archive (archive.db.key, mode 0600), for a Redis server in\n"
         "~/.local/state/enfold/cursor.key.\n"
         "A handle that is unknown, expired or of somebody else is NOT_FOUND, with exit code "
         "4.\n\n" +
         std::string(kArchivePlaces) +
         "Examples:\n"
         "  enfold fetch 184467440737 --range 18..40\n"
         "  enfold fetch 184467440737 --where 'state = open and score >= 0.9'\n"
         "  enfold fetch 184467440737 --pointer /items/3/comments --find timeout\n"
         "  enfold fetch 184467440737 --raw > answer.json";
}

inline std::string of_archive() {
  return std::string(kArchivePlaces) +
         "Exit code 2 when verify finds damage.\n\n"
         "Examples:\n"
         "  enfold archive ls\n"
         "  enfold archive verify --archive redis://localhost --json";
}

}  // namespace enfold::cli::help
