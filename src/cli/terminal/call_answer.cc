// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/call_answer.h"

#include "enfold/json/document.h"
#include "enfold/mcp/wire/message.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::cli {
namespace {

void print_lines(std::string_view text, Terminal& terminal) {
  const std::string shown = printable(text);
  terminal.out(shown);
  if (!shown.ends_with('\n')) terminal.out("\n");
}

void print_value(json::View value, Terminal& terminal) {
  if (value.is_string()) {
    print_lines(value.string(), terminal);
  } else {
    print_lines(json::pretty(value), terminal);
  }
}

// Describes a block that a terminal cannot show: kind, media type, size.
std::string describe_block(json::View block) {
  const std::string type = json::string_member(block, "type").value_or("");
  if (type == "resource_link") {
    return fmt::format("[link {} {}]", json::string_member(block, "name").value_or(""),
                       json::string_member(block, "uri").value_or(""));
  }
  const json::View inside = mcp::object_member(block, "resource").value_or(block);
  const std::string base64 =
      json::string_member(inside, inside.find("blob") ? "blob" : "data").value_or("");
  std::string out = fmt::format("[{}", type.empty() ? "block" : type);
  for (const std::string_view key : {"uri", "mimeType"}) {
    if (const std::string text = json::string_member(inside, key).value_or(""); !text.empty())
      out += " " + text;
  }
  const std::size_t digits = base64.find_last_not_of('=') + 1;  // four digits encode three bytes
  if (digits > 0) out += fmt::format(", {} bytes", digits * 3 / 4);
  return out + "]";
}

void print_block(json::View block, Terminal& terminal) {
  const json::View inside = mcp::object_member(block, "resource").value_or(block);
  if (const auto text = json::string_member(inside, "text")) {
    print_lines(*text, terminal);
  } else {
    terminal.out(terminal.styled(printable(describe_block(block)), Style::dim) + "\n");
  }
}

void report_failure(const model::Failure& failure, Terminal& terminal) {
  Error error;
  error.message = failure.message.empty() ? "the tool reports a failure" : failure.message;
  if (!failure.code.empty()) error.message += fmt::format(" ({})", failure.code);
  std::vector<std::string> advice = failure.remediation;
  if (failure.retry_after) {
    advice.push_back(fmt::format("try again after {} seconds", failure.retry_after->text));
  }
  error.hint = fmt::format("{}", fmt::join(advice, "; "));
  terminal.report(error);
}

// Prints the blocks of a result without an envelope, and its structured content only if the blocks
// do not contain it.
void print_plain(const client::ToolAnswer& answer, Terminal& terminal) {
  const auto content = answer.result->find("content");
  const auto structured = answer.result->find("structuredContent");
  if (content && content->size() > 0) {
    for (const json::View block : content->items()) print_block(block, terminal);
  } else if (structured) {
    print_value(*structured, terminal);
  }
}

void print_enveloped(const model::Response& response, Terminal& terminal) {
  if (response.payload && !response.payload->view().is_null()) {
    print_value(response.payload->view(), terminal);
  } else if (!response.message.empty()) {
    print_lines(response.message, terminal);
  }
  for (const json::Value& block : response.blocks) print_block(block.view(), terminal);
  if (!response.page || !response.page->has_more.value_or(false)) return;
  const std::string next = response.page->cursor ? "cursor " + *response.page->cursor : "an offset";
  terminal.err(fmt::format("more follows: call again with {}\n", printable(next)));
}

}  // namespace

void print_answer(const client::ToolAnswer& answer, Terminal& terminal) {
  const model::Response& response = answer.reading.response;
  const bool has_envelope = answer.reading.origin.contract != "mcp";
  if (answer.is_error && response.failure) {
    // The payload of a failure is printed before its message, unless it only repeats the message.
    if (has_envelope && response.payload && response.payload->view().size() > 0) {
      print_value(response.payload->view(), terminal);
    }
    terminal.flush();
    report_failure(*response.failure, terminal);
  } else if (has_envelope) {
    print_enveloped(response, terminal);
  } else {
    print_plain(answer, terminal);
  }
  terminal.flush();
  for (const model::Warning& warning : response.warnings) {
    terminal.warn(warning.code.empty() ? warning.message
                                       : fmt::format("{} ({})", warning.message, warning.code));
  }
  // An upgrade hint is often the only sign that data was withheld.
  for (const model::UpgradeHint& hint : response.upgrade_hints) {
    terminal.err(
        printable(fmt::format("more at tier {}: {} ({})\n", hint.tier, hint.reason, hint.feature)));
  }
}

}  // namespace enfold::cli
