// SPDX-License-Identifier: Apache-2.0
// The entry point and the table of verbs.
#include "cli/terminal/terminal.h"
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
    {"convert", "Convert any tool answer into a contract", set_up_convert},
    {"parse", "Read any tool output as the generic contract", set_up_parse},
    {"explain", "Explain an answer: what it is, what is wrong with it, what to do next",
     set_up_explain},
    {"tokens", "Count tokens", set_up_tokens},
    {"fit", "Cut an answer to a token budget and archive the original", set_up_fit},
    {"fetch", "Fetch what was cut from an answer, by handle or hash", set_up_fetch},
    {"query", "Run a SELECT over any answer, file or pipe", set_up_query},
    {"diff", "Show what is different between two answers", set_up_diff},
    {"archive", "List, count, clean up and verify archived answers", set_up_archive},
    {"tools", "List the tools of an MCP server", set_up_tools},
    {"call", "Call a tool of an MCP server", set_up_call},
    {"check", "Call the tools of an MCP server and report problems of its answers", set_up_check},
    {"wrap", "Run a gateway over stdio, in place of the command of an MCP server", set_up_wrap},
    {"serve", "Run a gateway over HTTP in front of one or more MCP servers", set_up_serve},
    {"import", "Convert or wrap the MCP servers of clients", set_up_import},
    {"doctor", "Check program, archive, clients and servers", set_up_doctor},
    {"top", "Show the metrics of a running gateway, tool by tool", set_up_top},
    {"generate", "Write man pages and completions", set_up_generate, /*is_hidden=*/true},
};

}  // namespace
}  // namespace enfold::cli

int main(int argc, char** argv) {
  // A closed pipe, as of `head`, or a file size limit must end in an error, not in a signal.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    // Otherwise a file that is opened later could get the descriptor of a closed standard stream.
    enfold::cli::open_closed_standard_streams();
    enfold::cli::Terminal terminal;
    return terminal.finish(enfold::cli::run_verb(enfold::cli::kVerbs, argc, argv, terminal));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\nhint: this is a defect of Enfold; please report it\n",
                 error.what());
    return enfold::cli::kUnexpected;
  }
}
