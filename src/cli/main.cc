// SPDX-License-Identifier: Apache-2.0
// The composition root: the table of verbs.
#include "cli/exit_code.h"
#include "cli/verbs/verbs.h"

#include <csignal>
#include <cstdio>
#include <exception>

namespace enfold::cli {
namespace {

constexpr Verb kVerbs[] = {
    {"contracts", "List the contracts, their status and removal version", set_up_contracts},
    {"schema", "Print the JSON Schema (2020-12) of a contract", set_up_schema},
    {"validate", "Check answers against a contract's schema", set_up_validate},
    {"convert", "Turn any tool answer into a contract", set_up_convert},
    {"parse", "Read any tool output as the generic contract", set_up_parse},
    {"explain", "Say what an answer is, what is wrong with it, what to do next", set_up_explain},
    {"tokens", "Count what texts cost a model", set_up_tokens},
    {"fit", "Bring an answer under a budget and lose nothing", set_up_fit},
    {"fetch", "Get what was left out, by handle or hash", set_up_fetch},
    {"archive", "List, count, clean and check what was archived", set_up_archive},
    {"tools", "List the tools of an MCP server", set_up_tools},
    {"call", "Call a tool of an MCP server", set_up_call},
    {"check", "Call the tools of an MCP server and say what is wrong with its answers",
     set_up_check},
    {"wrap", "Stand in front of an MCP server, in the place of its command", set_up_wrap},
    {"serve", "Stand in front of MCP servers over HTTP, for many clients", set_up_serve},
    {"import", "Turn a client's list of MCP servers into a configuration", set_up_import},
    {"top", "Watch a running gateway, tool by tool", set_up_top},
};

}  // namespace
}  // namespace enfold::cli

int main(int argc, char** argv) {
  // Neither a reader that has seen enough, such as `head`, nor a file that may not grow is a reason
  // to die without a word.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    enfold::cli::keep_standard_streams();
    enfold::cli::Terminal terminal;
    return terminal.finish(enfold::cli::run_verb(enfold::cli::kVerbs, argc, argv, terminal));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\nhint: this is a defect of Enfold; please report it\n",
                 error.what());
    return enfold::cli::kUnexpected;
  }
}
