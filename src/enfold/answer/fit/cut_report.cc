// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/cut_report.h"

#include "enfold/answer/fit/earlier_cut.h"
#include "enfold/answer/fit/way_back.h"
#include "enfold/base/text.h"
#include "enfold/budget/text/lines.h"
#include "enfold/contract/cursors/continuation.h"
#include "enfold/contract/errors/error_codes.h"

#include <algorithm>
#include <fmt/core.h>
#include <initializer_list>

namespace enfold::answer {
namespace {

using model::Response;

constexpr std::size_t kMarkerBytes = 24;       // "…[+1234567890 bytes]"
constexpr std::size_t kMarkerTokens = 12;      // of the same marker
constexpr std::size_t kLineMarkerTokens = 26;  // "…[stopped at line 341 of 522, +18211 bytes]"
constexpr std::size_t kLongText = 512;         // bytes; the lines of shorter texts are not counted
constexpr std::size_t kLongName = 64;          // bytes; longer names and codes are cut or left out
constexpr std::size_t kSentence = 200;         // bytes; longer texts are cut, other values left out
// The two warnings that are dropped last: kIncomplete, which says why the answer is not complete;
// after it kPressing, because it concerns more than this answer.
constexpr std::string_view kPressing = "SESSION_BUDGET_EXCEEDED";
constexpr std::string_view kIncomplete = "PARTIAL_FAILURE";

// The prefix of `text`, and a marker that counts the rest.
std::string with_marker(std::string_view text, std::string_view prefix) {
  return fmt::format("{}…[+{} bytes]", prefix, text.size() - prefix.size());
}

// The functions below shorten a part of the response. They return whether they changed it.

// Replaces `text` by the first bytes of `whole`, if that is shorter.
bool clip(std::string& text, const std::string& whole, std::size_t bytes) {
  std::string shorter = clipped(whole, bytes);
  if (shorter.size() >= text.size()) return false;
  text = std::move(shorter);
  return true;
}

// Unlike ||, evaluates all arguments: each of them changes something.
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

// About how many tokens the warnings take; response-v2 writes the message of each twice.
std::size_t tokens_of(const model::Warning& warning) {
  constexpr std::size_t tokens_of_names = 20;  // of the members `code`, `message` …
  constexpr std::size_t bytes_of_token = 3;
  const std::size_t context = warning.context ? warning.context->view().raw().size() : 0;
  return tokens_of_names +
         (2 * warning.message.size() + warning.code.size() + context) / bytes_of_token;
}

// How many of the first warnings fit into `tokens`; at least `least`.
std::size_t fitting_warnings(const std::vector<model::Warning>& warnings, std::size_t tokens,
                             std::size_t least) {
  std::size_t count = 0;
  for (std::size_t sum = 0; count < warnings.size(); ++count) {
    sum += tokens_of(warnings[count]);
    if (sum > tokens) break;
  }
  return std::max(count, least);
}

// Keeps `most` warnings, and shortens them.
bool shorten_warnings(Response& response, std::size_t most) {
  bool changed = response.warnings.size() > most;
  if (changed) {
    for (const std::string_view code : {kIncomplete, kPressing}) {
      std::ranges::stable_partition(response.warnings,
                                    [&](const auto& one) { return one.code == code; });
    }
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

// Leaves out cursors of the page that are longer than four times kLongName.
bool clear_long_cursors(Response& response) {
  if (!response.page) return false;
  bool changed = false;
  for (auto* text : {&response.page->cursor, &response.page->before, &response.page->after}) {
    if (*text && (*text)->size() > 4 * kLongName) changed |= clear(*text);
  }
  return changed;
}

// Cuts the tool's id to `most` bytes; leaves out other ids, versions and codes that are longer.
bool clear_names(Response& response, const Response& whole, std::size_t most) {
  bool changed = clear_if_long(response.request_id, most);
  changed |= clear_if_long(response.tool.version, most);
  changed |= clip(response.tool.id, whole.tool.id, most);
  if (response.failure) changed |= clear_if_long(response.failure->code, most);
  return changed;
}

// Keeps only the warning kPressing, shortened.
bool keep_pressing(std::vector<model::Warning>& warnings) {
  std::vector<model::Warning> kept;
  for (const model::Warning& warning : warnings) {
    if (warning.code == kPressing) kept = {{.code = warning.code, .message = "Used up"}};
  }
  if (kept == warnings) return false;
  warnings = std::move(kept);
  return true;
}

// Keeps only the outcome and its reason.
bool clear_all(Response& response, const Response& whole) {
  const bool changed =
      any({keep_pressing(response.warnings), clear(response.page), clear(response.rate_limit),
           clear(response.telemetry), clear_names(response, whole, kLongName / 2),
           clip(response.message, whole.message, kShortMessageBytes)});
  if (!response.failure) return changed;
  model::Failure& failure = *response.failure;
  return any({changed, clear(failure.remediation), clear(failure.details),
              clip(failure.message, whole.failure->message, kShortMessageBytes)});
}

using budget::FitResult;

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

// Puts the fitted payload into the response, or the fitted message if there is no payload.
void show_payload(const Cut& cut, const FitResult& fitted, Response& shown) {
  if (shown.payload) {
    shown.payload = fitted.payload;
    return;
  }
  std::string& message = shown.failure ? shown.failure->message : shown.message;
  if (fitted.payload->is_string()) {
    message = fitted.payload->string();
  } else {
    message = clipped(cut.payload->string(), cut.detail >= ReportDetail::fewest
                                                 ? bytes_of_message(cut.detail)
                                                 : kShortMessageBytes);
  }
}

// If only a part of the message was left out, the report names the place "", which means the whole
// answer. The shortest reports have no room for it.
void name_lost_message(const Cut& cut, const Response& shown, model::Reduction& reduction) {
  const bool named = !reduction.dropped_ids.empty() || !reduction.clipped.empty();
  if (shown.payload || named || cut.detail >= ReportDetail::fewest) return;
  const bool same = shown.failure ? shown.failure->message == cut.whole.failure->message
                                  : shown.message == cut.whole.message;
  if (!same) reduction.dropped_ids = {""};
}

// The cursor of a page leads to the next page, so a page without content must name itself as
// dropped: by the place "".
void name_lost_page(const Cut& cut, model::Reduction& reduction) {
  if (!cut.settings.is_fetched_page || reduction.level < model::Fidelity::reference_only) return;
  if (reduction.dropped_ids.empty()) reduction.dropped_ids = {""};
}

// Reports what was left out beside the payload. If the report must be short, it names only the
// whole result as cut.
void report_parts_beside(const Cut& cut, model::Reduction& reduction) {
  if (cut.detail < ReportDetail::fewest) {
    if (std::string place = place_of_warnings(cut); !place.empty()) {
      append(reduction.dropped_ids, {std::move(place)});
    }
    append(reduction.dropped_ids, cut.blocks.dropped);
    append(reduction.clipped, cut.blocks.clipped);
    if (cut.trimmed_parts) append(reduction.clipped, {place_in_result(cut.archived, "")});
  } else if (cut.trimmed_parts || !cut.blocks.dropped.empty() || !cut.blocks.clipped.empty()) {
    // Without a payload the message was cut, and a reference shows none of the data: the place of
    // the whole result covers all.
    const bool is_reference = reduction.level == model::Fidelity::reference_only;
    if (cut.detail >= ReportDetail::none && (is_reference || !cut.response().payload)) {
      reduction.dropped_ids.clear();
    }
    // This place is long if the payload has nested members "result"; then "" is used instead.
    std::string result = place_in_result(cut.archived, "");
    if (cut.detail >= ReportDetail::none && result.size() > kLongestHandle) result.clear();
    append(reduction.dropped_ids, {std::move(result)});
  }
}

// The total to which dropped_count belongs: all items of a list, or all lines of the clipped texts,
// if nothing else was left out. nullopt: dropped_count also counts other parts.
std::optional<std::int64_t> total_of(const Cut& cut, const FitResult& fitted) {
  if (fitted.lines_left > 0) {
    const bool only_lines = fitted.lines_left == fitted.dropped_count + cut.blocks.dropped_count;
    return only_lines ? std::optional(static_cast<std::int64_t>(fitted.text_lines)) : std::nullopt;
  }
  const bool only_items = cut.list && !fitted.left.empty() && cut.blocks.dropped_count == 0 &&
                          contract::count_of(fitted.left) == fitted.dropped_count;
  if (only_items) return static_cast<std::int64_t>(cut.list->items->size());
  const auto list = shortened_list(cut, fitted);
  return list ? std::optional(static_cast<std::int64_t>(list->total)) : std::nullopt;
}

// The tool's page, if all records of its list are shown. Else a page of the shown records, with
// Enfold's cursor to the others. The tool's own cursor would skip the others; retrieve/ sends it
// with the last of them. Offset and size of the tool's page do not fit the shown part and are left
// out.
model::Page page_of_cut(const Cut& cut, const FitResult& fitted) {
  const contract::ListReading& list = *cut.list;
  const std::size_t count = list.items->size();
  std::vector<model::RecordRange> left = fitted.left;
  if (!cut.answer.whole->list && count > 0)
    left = {{0, count - 1}};  // the list was read from a text, which is cut by lines, not by items
  model::Page page = list.page;
  const auto number = [](std::size_t value) {
    return model::Number::of(static_cast<std::int64_t>(value));
  };
  page.returned = number(count - contract::count_of(left));
  if (left.empty()) return page;
  if (!list.has_paging) page.total = number(count);
  if (cut.page == PageDetail::none) return {};
  if (cut.page == PageDetail::has_more) return {.has_more = true};
  page = {.has_more = true, .total = page.total, .returned = page.returned};
  const contract::CursorSigner& cursors = cut.settings.cursors;
  if (cut.is_kept() && cursors.key != nullptr) {
    page.cursor = to_cursor({cut.receipt.handle, std::move(left)}, *cursors.key, cursors.principal);
  }
  return page;
}

model::Warning truncation_warning(const Cut& cut, const FitResult& fitted) {
  const std::size_t count =
      fitted.dropped_count + cut.blocks.dropped_count + cut.dropped_warnings();
  if (cut.detail == ReportDetail::few)
    return contract::make_warning("CONTENT_TRUNCATED", "Cut to fit");
  if (cut.detail >= ReportDetail::fewest) {
    return {.code = "CONTENT_TRUNCATED", .message = cut.is_kept() ? "Cut" : "Cut, rest not kept"};
  }
  json::Writer context;
  context.begin_object().member("dropped_count", static_cast<std::int64_t>(count));
  const bool is_of_list = count > 0 && cut.dropped_warnings() == 0;
  const auto total = is_of_list ? total_of(cut, fitted) : std::nullopt;
  if (total) context.member("total_count", *total);
  context.member("reason", fmt::format("{}_limit_exceeded", cut.limit)).end_object();
  return contract::make_warning("CONTENT_TRUNCATED", what_is_missing(cut, fitted, count),
                                std::move(context).finish_value());
}

// Adds a warning that says where the rest of the answer is, or that it is lost. No warning: it is
// in the archive.
void add_storage_warning(const Cut& cut, Response& shown) {
  const auto warn = [&](std::string_view code, std::string_view message) {
    shown.warnings.push_back(contract::make_warning(code, std::string(message)));
  };
  if (cut.receipt.is_volatile) {
    warn("ARCHIVE_VOLATILE", "The archive fails: the rest is in memory, so fetch it soon");
  } else if (cut.receipt.has_failed) {
    warn("ARCHIVE_WRITE_FAILED", "The call ran; the rest could not be kept and is lost");
  } else if (!cut.is_kept()) {
    warn("ARCHIVE_DISABLED", "The rest is not kept: ask for less at a time to see it");
  }
}

}  // namespace

std::string clipped(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes + kMarkerBytes) return std::string(text);
  return with_marker(text, utf8::prefix(text, bytes));
}

std::string clipped_to_tokens(std::string_view text, const token::Tokenizer& tokenizer,
                              std::size_t tokens) {
  if (tokenizer.fits(text, tokens)) return std::string(text);
  const std::size_t lines = text.size() < kLongText ? 1 : budget::text::count_lines(text);
  const std::size_t marker = lines > 1 ? kLineMarkerTokens : kMarkerTokens;
  const std::size_t room = tokens > marker ? tokens - marker : 0;
  const std::string_view prefix = utf8::prefix(text, tokenizer.prefix(text, room).size());
  if (lines < 2 || prefix.empty()) return with_marker(text, prefix);
  return fmt::format("{}…[stopped at line {} of {}, +{} bytes]", prefix,
                     budget::text::count_lines(prefix), lines, text.size() - prefix.size());
}

bool trim(Response& response, const Response& whole, int step, const token::Tokenizer& tokenizer,
          std::size_t tokens) {
  constexpr std::size_t fewest_warnings = 8;
  switch (step) {
    case 0: {
      const std::size_t most = fitting_warnings(response.warnings, tokens, fewest_warnings);
      return any({clear(response.metadata), shorten_warnings(response, most)});
    }
    case 1: return any({clear(response.upgrade_hints), clear(response.tool.capabilities)});
    case 2: return response.failure && shorten_advice(*response.failure);
    case 3:
      return any({shorten_messages(response, tokenizer, tokens), clear_long_cursors(response)});
    case 4: return any({clear_names(response, whole, kLongName), shorten_warnings(response, 1)});
    default: return clear_all(response, whole);
  }
}

std::string place_of_warnings(const Cut& cut) {
  if (cut.dropped_warnings() == 0 || !cut.answer.is_made_here) return {};
  return place_in_result(cut.archived, "/_meta/dev.enfold~1response/warnings");
}

std::size_t bytes_of_message(ReportDetail detail) { return detail >= ReportDetail::none ? 0 : 12; }

ReadAnswer answer_with(const Cut& cut, const FitResult& fitted) {
  ReadAnswer out = cut.answer;
  Response& shown = out.reading.response;
  show_payload(cut, fitted, shown);
  if (cut.list) shown.page = page_of_cut(cut, fitted);
  if (shown.page == model::Page{}) shown.page.reset();
  model::Reduction reduction;
  reduction.level = std::max(fitted.fidelity, model::Fidelity::partial);
  reduction.dropped_ids = fitted.dropped;
  const bool whole_hash = cut.detail < ReportDetail::fewest;
  if (cut.is_kept() && cut.detail < ReportDetail::no_handle) {
    reduction.archive = {
        {cut.receipt.handle, whole_hash ? cut.receipt.hash : short_hash(cut.receipt.hash)}};
  }
  if (cut.detail == ReportDetail::all) reduction.way_back = way_back(cut, fitted);
  reduction.briefed = fitted.briefed;
  reduction.clipped = fitted.clipped;
  name_lost_message(cut, shown, reduction);
  name_lost_page(cut, reduction);
  report_parts_beside(cut, reduction);
  reduction.columnar = fitted.columnar;
  reduction.facts = fitted.facts;
  reduction.index = fitted.index;
  if (cut.whole.reduction) {
    add_earlier_cut(cut, *cut.whole.reduction, reduction, shown);
  }
  if (cut.settings.translate_places) cut.settings.translate_places(reduction);
  shown.reduction = std::move(reduction);
  shown.warnings.push_back(truncation_warning(cut, fitted));
  if (cut.detail < ReportDetail::fewest) add_storage_warning(cut, shown);
  if (fitted.schema_note && cut.detail == ReportDetail::all) {
    shown.warnings.push_back(contract::make_warning("SCHEMA_MISMATCH", *fitted.schema_note));
  }
  return out;
}

}  // namespace enfold::answer
