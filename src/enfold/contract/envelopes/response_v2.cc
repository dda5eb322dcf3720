// SPDX-License-Identifier: Apache-2.0
// response-v2: success, data, error, meta. The default contract.
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/envelopes/stated_outcome.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failed_parts.h"
#include "enfold/contract/reading/failure.h"
#include "enfold/contract/reading/failure_kind.h"
#include "enfold/json/document.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>

namespace enfold::contract::detail {
namespace {

using model::Outcome;
using model::Response;

constexpr SlotParts kInSlot{};  // the slot holds neither part: both are in `meta`
constexpr std::string_view kVersion = "response-v2";
constexpr std::string_view kVersionPrefix = "response-v";  // of `meta.version`, before its number

// Members of `data` that hold fields of a failure; the others are payload.
const ReservedNames& failure_members() {
  static const ReservedNames names{"error_code", "error_type",          "remediation",
                                   "details",    "retry_after_seconds", "retry_after"};
  return names;
}

model::Failure read_failure(json::View document, json::View data) {
  model::Failure failure = failure_of_any_error(present_at(document, "error"));
  read_error_members(data, failure);
  if (failure.message.empty()) failure.message = failure_of_data(data).failure.message;
  failure.kind =
      failure.type
          ? kind_of(failure.code, failure.type)
          : kind_of_failure({.code = failure.code, .status = {}, .message = failure.message}).kind;
  // FEATURE_DISABLED has two causes: a flag or a tier. Only the latter has `required_tier`.
  const auto details = object_at(data, "details");
  const bool needs_tier = details && details->find("required_tier");
  if (failure.kind == model::ErrorKind::flag_off && needs_tier) {
    failure.kind = model::ErrorKind::tier_too_low;
  }
  for (const char* key : {"retry_after", "retry_after_seconds"}) {
    if (auto wait = number_at(data, key)) failure.retry_after = std::move(wait);
  }
  return failure;
}

// A warning of any form: a text, an object with or without a message, or something else.
model::Warning read_warning(json::View item) {
  model::Warning warning{.code = json::string_member(item, "code").value_or("")};
  const auto message = item.is_string() ? item.string() : json::string_member(item, "message");
  warning.message = message ? *message : warning.code.empty() ? json::to_text(item) : warning.code;
  if (const auto severity = json::string_member(item, "severity")) {
    warning.severity = model::from_name<model::Severity>(*severity);
  }
  warning.context = value_at(item, "context");
  return warning;
}

// The items of the list at `key`. A value that is no list counts as a list with this one item.
std::vector<json::View> items_at(json::View object, std::string_view key) {
  const auto list = present_at(object, key);
  if (!list) return {};
  if (!list->is_array()) return {*list};
  std::vector<json::View> items;
  for (const json::View item : list->items()) items.push_back(item);
  return items;
}

constexpr std::string_view kCutCode = "CONTENT_TRUNCATED";
constexpr std::string_view kBeforeWayBack = ". ";  // between message and way back

// `warnings` and `warning_details` describe the same warnings; they are joined by message. In
// `warnings`, the message of the cut may be followed by the way back.
std::vector<model::Warning> read_warnings(json::View meta, std::string& way_back) {
  std::vector<model::Warning> warnings;
  for (const json::View item : items_at(meta, "warnings")) warnings.push_back(read_warning(item));
  for (const json::View item : items_at(meta, "warning_details")) {
    model::Warning detail = read_warning(item);
    const auto same = std::ranges::find_if(warnings, [&](const model::Warning& w) {
      const bool has_way_back =
          detail.code == kCutCode && w.message.starts_with(detail.message) &&
          std::string_view(w.message).substr(detail.message.size()).starts_with(kBeforeWayBack);
      return w.code.empty() && (w.message == detail.message || has_way_back);
    });
    if (same != warnings.end() && same->message != detail.message) {
      way_back = same->message.substr(detail.message.size() + kBeforeWayBack.size());
    }
    if (same == warnings.end()) {
      warnings.push_back(std::move(detail));
    } else {
      *same = std::move(detail);
    }
  }
  return warnings;
}

model::RateLimit read_rate_limit(json::View object) {
  auto retry = number_at(object, "retry_after");
  if (!retry) retry = number_at(object, "retry_after_seconds");
  return {.limit = number_at(object, "limit"),
          .remaining = number_at(object, "remaining"),
          .reset_at = json::string_member(object, "reset_at"),
          .period = json::string_member(object, "period"),
          .retry_after = retry};
}

model::Telemetry read_telemetry(json::View object) {
  return {.duration_ms = number_at(object, "duration_ms"),
          .cache_hit = boolean_at(object, "cache_hit"),
          .downstream_calls = number_at(object, "downstream_calls")};
}

// The extension slot of this contract is meta.ext.enfold.
std::optional<json::View> slot_of(json::View meta) {
  const auto ext = object_at(meta, "ext");
  return ext ? object_at(*ext, "enfold") : std::nullopt;
}

void read_meta(json::View meta, Response& response) {
  response.request_id = json::string_member(meta, "request_id").value_or("");
  std::string way_back;
  response.warnings = read_warnings(meta, way_back);
  response.page = read_page(meta);
  if (const auto limit = object_at(meta, "rate_limit"))
    response.rate_limit = read_rate_limit(*limit);
  if (const auto telemetry = object_at(meta, "telemetry")) {
    response.telemetry = read_telemetry(*telemetry);
  }
  response.reduction = read_fidelity(meta);
  if (response.reduction) response.reduction->way_back = std::move(way_back);
  if (const auto slot = slot_of(meta)) read_slot(*slot, kInSlot, response);
}

// The type of the code if Enfold knows the code, else the type of the kind. The code is ignored if
// it is a number: the kind, which was read from the message too, is more exact.
model::ErrorType type_of_failure(const model::Failure& failure) {
  const bool number = failure.code.find_first_not_of("-0123456789") == std::string::npos;
  const CodeEntry* const entry = number ? nullptr : find_code(failure.code);
  return entry != nullptr ? entry->type : traits(failure.kind).type;
}

void write_data(json::Writer& writer, const Response& response) {
  if (!response.failure) return write_payload_as_object(writer, response);
  const model::Failure& failure = *response.failure;
  writer.begin_object();
  write_error_members(writer, failure, type_of_failure(failure));
  write_optional(writer, "retry_after_seconds", failure.retry_after);
  if (response.payload && wrapping_of(response) == model::Wrapping::none) {
    write_payload_members(writer, response.payload->view(), failure_members());
  } else if (response.payload) {
    writer.key(model::name(wrapping_of(response))).value(*response.payload);
  }
  writer.end_object();
}

// The number of dropped items. A pointer that ends in a range, "/items/18..499", names all items of
// the range; any other place names one.
std::uint64_t dropped_items(const std::vector<std::string>& places) {
  std::uint64_t count = 0;
  for (const std::string& place : places) {
    const std::size_t first = place.starts_with('/') ? place.rfind('/') + 1 : place.size();
    const std::size_t dots = place.find("..", first);
    const auto number = [&](std::size_t begin, std::size_t end) -> std::optional<std::uint64_t> {
      std::uint64_t value = 0;
      const auto read = std::from_chars(place.data() + begin, place.data() + end, value);
      const bool all_digits = read.ec == std::errc() && read.ptr == place.data() + end;
      return all_digits ? std::optional(value) : std::nullopt;
    };
    const bool ranged = dots != std::string::npos;
    const auto from = ranged ? number(first, dots) : std::nullopt;
    const auto to = ranged ? number(dots + 2, place.size()) : std::nullopt;
    count += from && to && *to >= *from ? *to - *from + 1 : 1;
  }
  return count;
}

// The warnings of the response, plus one for a partial success, a reduction and each upgrade hint.
std::vector<model::Warning> all_warnings(const Response& response) {
  std::vector<model::Warning> warnings = response.warnings;
  const auto has = [&](std::string_view code) {
    return std::any_of(warnings.begin(), warnings.end(),
                       [&](const model::Warning& w) { return w.code == code; });
  };
  if (response.outcome == Outcome::partial && !has("PARTIAL_FAILURE")) {
    // The source's own warnings say what failed; work that was stopped has no failed part.
    const bool is_explained = std::ranges::any_of(
        response.warnings,
        [](const model::Warning& warning) { return find_warning(warning.code) == nullptr; });
    const std::string_view unnamed = is_explained
                                         ? "Not everything was done: see the other warnings"
                                         : "Some sub-operations failed";
    warnings.push_back(make_warning(
        "PARTIAL_FAILURE", response.message.empty() ? std::string(unnamed) : response.message));
  }
  if (response.reduction && !has(kCutCode)) {
    const std::uint64_t count = dropped_items(response.reduction->dropped_ids);
    warnings.push_back(
        make_warning(kCutCode, fmt::format("Content was reduced to {}, {} item{} dropped",
                                           model::name(response.reduction->level), count,
                                           count == 1 ? " was" : "s were")));
  }
  for (const model::UpgradeHint& hint : response.upgrade_hints) {
    warnings.push_back(make_warning(
        "UPGRADE_AVAILABLE", hint.feature + " needs tier " + hint.tier + ": " + hint.reason));
  }
  std::ranges::stable_partition(warnings, [](const model::Warning& warning) {
    const auto source = warning.context ? warning.context->view().find("source") : std::nullopt;
    return !source || !source->equals("upstream");  // warnings of the upstream come last
  });
  return warnings;
}

// The text of a warning in `warnings`. The way back follows the message of `cut`, the warning of
// this cut (nullptr: none), and is not repeated in `warning_details`, because it is long. The
// warning of an earlier cut by an upstream leads to the upstream's own archive.
std::string sentence_of(const model::Warning& warning, const model::Warning* cut,
                        const Response& response) {
  if (&warning != cut || response.reduction->way_back.empty()) return warning.message;
  return fmt::format("{}{}{}", warning.message, kBeforeWayBack, response.reduction->way_back);
}

void write_warnings(json::Writer& writer, const Response& response) {
  const std::vector<model::Warning> warnings = all_warnings(response);
  if (warnings.empty()) return;
  const auto is_cut = [](const model::Warning& warning) { return warning.code == kCutCode; };
  const auto found = std::ranges::find_if(warnings, is_cut);
  const model::Warning* cut = response.reduction && found != warnings.end() ? &*found : nullptr;
  writer.key("warnings").begin_array();
  for (const model::Warning& warning : warnings) writer.string(sentence_of(warning, cut, response));
  writer.end_array();
  const auto detailed = [](const model::Warning& w) {
    return !w.code.empty() || w.severity || w.context;
  };
  if (std::none_of(warnings.begin(), warnings.end(), detailed)) return;
  writer.key("warning_details").begin_array();
  for (const model::Warning& warning : warnings) {
    if (!detailed(warning)) continue;
    writer.begin_object();
    if (!warning.code.empty()) writer.member("code", warning.code);
    if (warning.severity) writer.member("severity", model::name(*warning.severity));
    writer.member("message", warning.message);
    write_optional(writer, "context", warning.context);
    writer.end_object();
  }
  writer.end_array();
}

void write_rate_limit(json::Writer& writer, const Response& response) {
  const bool throttled = response.failure &&
                         response.failure->kind == model::ErrorKind::throttled &&
                         response.failure->retry_after;
  if (!response.rate_limit && !throttled) return;
  const model::RateLimit limit = response.rate_limit.value_or(model::RateLimit{});
  writer.key("rate_limit").begin_object();
  write_optional(writer, "limit", valid_count(limit.limit));
  write_optional(writer, "remaining", valid_count(limit.remaining));
  write_optional(writer, "reset_at", limit.reset_at);
  write_optional(writer, "period", limit.period);
  const auto& wait =
      limit.retry_after || !throttled ? limit.retry_after : response.failure->retry_after;
  write_optional(writer, "retry_after", non_negative(wait));
  writer.end_object();
}

void write_telemetry(json::Writer& writer, model::Telemetry telemetry) {
  telemetry.duration_ms = non_negative(telemetry.duration_ms);
  if (telemetry.downstream_calls) {
    telemetry.downstream_calls = valid_count(telemetry.downstream_calls);
  }
  if (telemetry == model::Telemetry{}) return;
  writer.key("telemetry").begin_object();
  write_optional(writer, "duration_ms", telemetry.duration_ms);
  write_optional(writer, "cache_hit", telemetry.cache_hit);
  write_optional(writer, "downstream_calls", telemetry.downstream_calls);
  writer.end_object();
}

void write_meta(json::Writer& writer, const Response& response, const RenderOptions& options) {
  writer.begin_object().member("version", kVersion);
  if (!response.request_id.empty()) writer.member("request_id", response.request_id);
  write_warnings(writer, response);
  if (response.page) write_page(writer, response);
  write_rate_limit(writer, response);
  write_telemetry(writer, response.telemetry.value_or(model::Telemetry{}));
  if (response.reduction) write_fidelity(writer, *response.reduction);
  if (const auto slot = slot_content(response, options.extension, kInSlot)) {
    writer.key("ext").begin_object().member("enfold", *slot).end_object();
  }
  writer.end_object();
}

// Whether `meta` is empty (or a scalar, but no text) or has a member that only this contract has.
// Envelopes of other services have `meta` too, with pages and counts of their own.
bool is_our_meta(json::View meta) {
  if (meta.size() == 0) return !meta.is_string();
  for (const char* name : {"version", "request_id", "warnings", "warning_details", "rate_limit",
                           "telemetry", "content_fidelity", "content_archive_hashes"}) {
    if (meta.find(name)) return true;
  }
  const auto page = object_at(meta, "pagination");
  return page && (page->find("cursor") || page->find("has_more") || page->find("total_count"));
}

// Recognized by meta.version, whatever its number. Without a version, by success, data and error,
// if there are no members beside these and `meta`. Many services answer with these three, so
// without `meta` the data must be an object too, as the contract requires.
bool detects_response_v2(json::View document) {
  const auto meta = document.find("meta");
  const auto has = [&](const char* name) { return document.find(name).has_value(); };
  const auto version = meta ? json::string_member(*meta, "version") : std::nullopt;
  if (version && version->starts_with(kVersionPrefix)) {
    return has("success") || has("data") || has("error");
  }
  return has("success") && has("data") && has("error") &&
         (meta ? is_our_meta(*meta) : document.find("data")->is_object()) &&
         std::ranges::all_of(document.members(), [](const json::Member& member) {
           return member.key.equals("success") || member.key.equals("data") ||
                  member.key.equals("error") || member.key.equals("meta");
         });
}

// Whether the data say that some parts of the work failed and others did not, such as
// {"processed": 8, "failed": 2}.
bool has_failed_parts(const std::optional<json::View>& data) {
  if (!data || !data->is_object()) return false;
  const FailedParts parts = failed_parts(*data);
  return !parts.failed.empty() && parts.succeeded;
}

Result<Response> read_response_v2(json::View document, ReadContext& context) {
  Response response;
  const bool failed = read_stated_outcome(document, "response-v2", response, context);
  const auto data = present_at(document, "data");
  if (data) response.payload = json::Value(*data);
  if (failed) {
    const json::View fields = data.value_or(json::View());
    response.failure = read_failure(document, fields);
    if (!data || fields.is_object()) {
      response.payload = payload_members(fields, failure_members(), is_no_error_member);
    }
  }
  if (const auto meta = object_at(document, "meta")) read_meta(*meta, response);
  const auto partial = [](const model::Warning& w) { return w.code == "PARTIAL_FAILURE"; };
  if (!failed && (std::ranges::any_of(response.warnings, partial) || has_failed_parts(data))) {
    response.outcome = Outcome::partial;
  }
  return response;
}

void render_response_v2(const Response& response, const RenderOptions& options,
                        json::Writer& writer) {
  writer.begin_object().member("success", succeeded(response)).key("data");
  write_data(writer, response);
  writer.key("error");
  if (response.failure) {
    writer.string(message_of(*response.failure));
  } else {
    writer.null();
  }
  writer.key("meta");
  write_meta(writer, response, options);
  writer.end_object();
}

std::optional<json::View> find_slot(json::View document) {
  const auto meta = object_at(document, "meta");
  return meta ? slot_of(*meta) : std::nullopt;
}

}  // namespace

const Envelope kResponseV2{detects_response_v2, read_response_v2, render_response_v2, find_slot};

}  // namespace enfold::contract::detail
