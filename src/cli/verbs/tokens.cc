// SPDX-License-Identifier: Apache-2.0
// `enfold tokens`: counts tokens, in an encoding or with the profile of a client.
#include "cli/input/input.h"
#include "cli/settings/fit_settings.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/base/text.h"
#include "enfold/token/profile.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::cli {
namespace {

struct TokensOptions {
  InputOptions input;
  std::string encoding;  ///< empty: the client's, else o200k_base
  std::string client;    ///< name of a profile; empty: none
  bool as_json = false;
};

/// What counts the tokens.
struct Counter {
  const token::Tokenizer* tokenizer;        ///< never nullptr
  const token::Profile* profile = nullptr;  ///< of the client; nullptr: --client is not used
};

Result<Counter> counter_of(const TokensOptions& options) {
  if (!options.encoding.empty() && !options.client.empty()) {
    return fail(ErrorCode::invalid_input, "--encoding and --client exclude each other", "",
                "a client's profile names its encoding");
  }
  if (!options.client.empty()) {
    ENFOLD_TRY(const token::Profile* profile, client_named(options.client));
    return Counter{profile->tokenizer, profile};
  }
  if (options.encoding.empty()) return Counter{&token::o200k_base()};
  if (const token::Tokenizer* encoding = token::find_encoding(options.encoding)) {
    return Counter{encoding};
  }
  std::vector<std::string> known;
  for (const token::Tokenizer* one : token::encodings()) known.emplace_back(one->name());
  return fail(ErrorCode::invalid_input,
              fmt::format("expected the name of an encoding, found \"{}\"", options.encoding),
              "--encoding",
              did_you_mean(options.encoding, known,
                           fmt::format("choose one of {}", fmt::join(known, ", "))));
}

std::string described(const Counter& counter) {
  if (counter.profile == nullptr) return std::string(counter.tokenizer->name());
  return fmt::format("{}{}, {}", counter.profile->exact ? "" : "estimate for ",
                     counter.profile->name, counter.tokenizer->name());
}

void print_json(const std::string& file, token::TokenCount tokens, const Counter& counter,
                Terminal& terminal) {
  json::Writer writer;
  writer.begin_object().member("file", file);
  writer.member("tokens", static_cast<std::int64_t>(tokens));
  writer.member("encoding", counter.tokenizer->name());
  if (counter.profile != nullptr) {
    writer.member("client", counter.profile->name).member("exact", counter.profile->exact);
  }
  writer.end_object();
  terminal.out_line(std::move(writer).finish());
}

int run_tokens(const TokensOptions& options, Terminal& terminal) {
  const Result<Counter> counter = counter_of(options);
  if (!counter) return terminal.report_usage(counter.error());
  return for_each_source(options.input, terminal, [&](const std::string& file) -> Result<int> {
    ENFOLD_TRY(const json::Buffer bytes, read_all(file, options.input.limits));
    const token::TokenCount tokens = counter->tokenizer->count(bytes.view());
    if (options.as_json) {
      print_json(file, tokens, *counter, terminal);
    } else {
      terminal.out(fmt::format("{}: {} ({})\n", printable(display_name(file)),
                               counted(tokens, "token"), described(*counter)));
    }
    return kOk;
  });
}

void declare_tokens_options(Arguments& arguments, TokensOptions& options) {
  declare_file_options(arguments, options.input);
  arguments.text("--encoding", "NAME", options.encoding,
                 "o200k_base or cl100k_base. Default: o200k_base");
  arguments.text("--client", "NAME", options.client,
                 "Use the tokenizer of openai, claude, claude-code, opencode, gemini,\n"
                 "codex, copilot, vscode, cursor, sdk or generic");
  declare_max_bytes_options(arguments, options.input);
  arguments.flag("--json", options.as_json, "One JSON object per file");
  arguments.footer(
      "Counts in an encoding are exact. If the tokenizer of a client is not public, the count is\n"
      "an estimate and marked as such: docs/reference/tokens.md.\n\n"
      "Examples:\n"
      "  enfold tokens answer.json\n"
      "  my-tool | enfold tokens --client claude-code --json");
}

}  // namespace

Run set_up_tokens(Arguments& arguments) {
  return set_up(arguments, declare_tokens_options, run_tokens);
}

}  // namespace enfold::cli
