// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/trim.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <fmt/core.h>
#include <initializer_list>

namespace enfold::answer {
namespace {

using model::Response;

constexpr std::size_t kMarkerBytes = 24;   // "…[+1234567890 bytes]"
constexpr std::size_t kMarkerTokens = 12;  // of the same
constexpr std::size_t kLongName = 64;
constexpr std::size_t kSentence = 200;
constexpr std::string_view kPressing = "SESSION_BUDGET_EXCEEDED";

std::string with_marker(std::string_view text, std::string_view prefix) {
  return fmt::format("{}…[+{} bytes]", prefix, text.size() - prefix.size());
}

bool clip(std::string& text, const std::string& whole, std::size_t bytes) {
  std::string shorter = clipped(whole, bytes);
  if (shorter.size() >= text.size()) return false;
  text = std::move(shorter);
  return true;
}

// Does all of it, unlike ||.
bool any(std::initializer_list<bool> changes) {
  return std::find(changes.begin(), changes.end(), true) != changes.end();
}

template <class T>
bool clear(T& value) {
  if (value == T{}) return false;
  value = T{};
  return true;
}

bool clear_if_long(std::string& text, std::size_t bytes) {
  return text.size() > bytes && clear(text);
}

bool shorten_warnings(Response& response, std::size_t most) {
  bool changed = response.warnings.size() > most;
  if (changed) {
    std::ranges::stable_partition(response.warnings,
                                  [](const auto& one) { return one.code == kPressing; });
    response.warnings.resize(most);
  }
  for (model::Warning& warning : response.warnings) {
    changed |= clip(warning.message, warning.message, kSentence);
    changed |= clear_if_long(warning.code, kLongName);
    if (warning.context && warning.context->view().raw().size() > kSentence) {
      changed |= clear(warning.context);
    }
  }
  return changed;
}

bool shorten_advice(model::Failure& failure) {
  bool changed = failure.remediation.size() > 1;
  if (changed) failure.remediation.resize(1);
  for (std::string& text : failure.remediation) changed |= clip(text, text, kSentence);
  if (failure.details && failure.details->view().raw().size() > kSentence) {
    changed |= clear(failure.details);
  }
  return changed;
}

bool shorten_messages(Response& response, const token::Tokenizer& tokenizer, std::size_t tokens) {
  const auto shorten = [&](std::string& text) {
    std::string shorter = clipped_to_tokens(text, tokenizer, tokens);
    if (shorter.size() >= text.size()) return false;
    text = std::move(shorter);
    return true;
  };
  bool changed = shorten(response.message);
  if (response.failure) changed |= shorten(response.failure->message);
  return changed;
}

bool clear_long_places(Response& response) {
  if (!response.page) return false;
  bool changed = false;
  for (auto* text : {&response.page->cursor, &response.page->before, &response.page->after}) {
    if (*text && (*text)->size() > 4 * kLongName) changed |= clear(*text);
  }
  return changed;
}

bool clear_names(Response& response, const Response& whole, std::size_t most) {
  bool changed = clear_if_long(response.request_id, most);
  changed |= clear_if_long(response.tool.version, most);
  changed |= clip(response.tool.id, whole.tool.id, most);
  if (response.failure) changed |= clear_if_long(response.failure->code, most);
  return changed;
}

// Of what concerns more than this answer the name must do.
bool keep_pressing(std::vector<model::Warning>& warnings) {
  std::vector<model::Warning> kept;
  for (const model::Warning& warning : warnings) {
    if (warning.code == kPressing) kept = {{.code = warning.code, .message = "Used up"}};
  }
  if (kept == warnings) return false;
  warnings = std::move(kept);
  return true;
}

// Nothing but the outcome and why.
bool clear_all(Response& response, const Response& whole) {
  const bool changed =
      any({keep_pressing(response.warnings), clear(response.page), clear(response.rate_limit),
           clear(response.telemetry), clear_names(response, whole, kLongName / 2),
           clip(response.message, whole.message, kFewWords)});
  if (!response.failure) return changed;
  model::Failure& failure = *response.failure;
  return any({changed, clear(failure.remediation), clear(failure.details),
              clip(failure.message, whole.failure->message, kFewWords)});
}

}  // namespace

std::string clipped(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes + kMarkerBytes) return std::string(text);
  return with_marker(text, utf8::prefix(text, bytes));
}

std::string clipped_to_tokens(std::string_view text, const token::Tokenizer& tokenizer,
                              std::size_t tokens) {
  if (tokenizer.fits(text, tokens)) return std::string(text);
  const std::size_t room = tokens > kMarkerTokens ? tokens - kMarkerTokens : 0;
  return with_marker(text, tokenizer.prefix(text, room));
}

bool trim(Response& response, const Response& whole, int step, const token::Tokenizer& tokenizer,
          std::size_t tokens) {
  constexpr std::size_t most_warnings = 8;
  switch (step) {
    case 0: return any({clear(response.metadata), shorten_warnings(response, most_warnings)});
    case 1: return any({clear(response.upgrade_hints), clear(response.tool.capabilities)});
    case 2: return response.failure && shorten_advice(*response.failure);
    case 3:
      return any({shorten_messages(response, tokenizer, tokens), clear_long_places(response)});
    case 4: return any({clear_names(response, whole, kLongName), shorten_warnings(response, 1)});
    default: return clear_all(response, whole);
  }
}

}  // namespace enfold::answer
