// SPDX-License-Identifier: Apache-2.0
// scalpel-v1: nine members, of which `data` is the tool's payload unchanged.
#include "enfold/base/text.h"
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/envelopes/stated_outcome.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failure_kind.h"
#include "enfold/contract/reading/outcome.h"
#include "enfold/json/document.h"

#include <algorithm>
#include <cmath>

namespace enfold::contract::detail {
namespace {

using model::Outcome;
using model::Response;

constexpr std::string_view kSlot = "_envelope";  // the extension slot, a member of `data`
constexpr SlotParts kInSlot{.fidelity = true, .page = true};

// Members of error_details that Enfold writes itself; the others are the tool's own details.
const ReservedNames& detail_members() {
  static const ReservedNames names{"source_code", "remediation"};
  return names;
}

model::Failure read_failure(json::View error) {
  const auto text = json::string_member(error, "error");
  model::Failure failure = text ? model::Failure{.message = *text} : failure_of_any_error(error);
  if (auto code = json::string_member(error, "error_code")) failure.code = std::move(*code);
  failure.kind = failure.code.empty()
                     ? kind_of_failure({.code = {}, .status = {}, .message = failure.message}).kind
                     : kind_of(failure.code);
  const auto details = object_at(error, "error_details");
  if (!details) {
    if (auto other = present_at(error, "error_details")) failure.details = json::Value(*other);
    return failure;
  }
  // Enfold writes `source_code` when it translates a code; the kind follows the original code.
  if (const auto source = json::string_member(*details, "source_code")) {
    failure.code = *source;
    failure.kind = kind_of(*source);
  }
  failure.remediation = strings_at(*details, "remediation");
  failure.details = payload_members(*details, detail_members());
  return failure;
}

// The tier that a failure of another contract asks for; empty if it names none.
std::string required_tier(const model::Failure& failure) {
  return failure.details
             ? json::string_member(failure.details->view(), "required_tier").value_or("")
             : std::string();
}

// scalpel-v1 has twelve codes. Any other code is translated into one of them and kept in the
// details as `source_code`.
void write_error(json::Writer& writer, const model::Failure& failure) {
  const bool needs_tier =
      failure.kind == model::ErrorKind::flag_off && !required_tier(failure).empty();
  const auto kind = needs_tier ? model::ErrorKind::tier_too_low : failure.kind;
  const std::string_view code = traits(kind).scalpel_code;
  const bool translated = !failure.code.empty() && failure.code != code;
  writer.begin_object().member("error", message_of(failure)).member("error_code", code);
  writer.key("error_details");
  if (!translated && failure.remediation.empty() && !failure.details) {
    writer.null().end_object();
    return;
  }
  writer.begin_object();
  if (translated) writer.member("source_code", failure.code);
  if (!failure.remediation.empty()) writer.member("remediation", failure.remediation);
  if (failure.details && failure.details->view().is_object()) {
    write_payload_members(writer, failure.details->view(), detail_members());
  } else if (failure.details) {
    writer.member("text", *failure.details);
  }
  writer.end_object().end_object();
}

// As an integer; "0" if the duration is not known or negative, or a decimal from 9e15 on.
std::string whole_milliseconds(const std::optional<model::Telemetry>& telemetry) {
  if (!telemetry || !telemetry->duration_ms) return "0";
  const std::string& text = telemetry->duration_ms->text;
  if (text.starts_with('-')) return "0";
  if (text.find_first_of(".eE") == std::string::npos) return text;
  const double value = std::strtod(text.c_str(), nullptr);
  return std::isfinite(value) && std::abs(value) < 9e15 ? std::to_string(std::llround(value)) : "0";
}

// "1.2.3-rc.1"; "v1.2" and "1" become "1.2.0" and "1.0.0", anything else "0.0.0".
std::string semantic_version(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view numbers = text.substr(0, end);
  const std::string_view rest = text.substr(end);
  const auto dots = std::ranges::count(numbers, '.');
  const bool valid_numbers = !numbers.empty() && is_digit(numbers.front()) &&
                             is_digit(numbers.back()) &&
                             numbers.find("..") == std::string_view::npos && dots <= 2;
  const bool valid_label =
      rest.empty() ||
      (dots == 2 && rest.size() > 1 && (rest.front() == '-' || rest.front() == '+') &&
       std::ranges::all_of(
           rest, [](char c) { return is_alphanumeric(c) || c == '-' || c == '.' || c == '+'; }) &&
       std::ranges::count(rest, '+') <= 1 && is_alphanumeric(rest.back()));
  if (!valid_numbers || !valid_label) return "0.0.0";
  std::string version(text);
  for (auto missing = 2 - dots; missing > 0; --missing) version += ".0";
  return version;
}

// Whether the setting `members` writes a member that belongs to `least` and the settings above it.
bool sends(Members members, Members least) {
  return members == Members::strict || members >= least;
}

// The upgrade hints of the response. If it has none, a failure that names the tier that the call
// requires gives one.
std::vector<model::UpgradeHint> hints_of(const Response& response) {
  if (!response.upgrade_hints.empty() || !response.failure) return response.upgrade_hints;
  const std::string tier = required_tier(*response.failure);
  if (tier.empty()) return {};
  std::string feature =
      json::string_member(response.failure->details->view(), "feature").value_or("");
  if (feature.empty() && response.payload) {
    feature = json::string_member(response.payload->view(), "feature").value_or("");
  }
  if (feature.empty()) feature = response.tool.id.empty() ? "this call" : response.tool.id;
  return {{feature, tier, std::string(message_of(*response.failure))}};
}

void write_hints(json::Writer& writer, const std::vector<model::UpgradeHint>& hints) {
  writer.key("upgrade_hints").begin_array();
  for (const model::UpgradeHint& hint : hints) {
    writer.begin_object().member("feature", hint.feature).member("tier", to_lower(hint.tier));
    writer.member("reason", hint.reason).end_object();
  }
  writer.end_array();
}

// Writes `data`. A reduced or paginated payload that is no object is put into an object, to make
// room for the slot.
void write_data(json::Writer& writer, const Response& response, const RenderOptions& options) {
  writer.key("data");
  const bool is_object = response.payload && response.payload->view().is_object();
  const auto extension = is_object ? options.extension : std::nullopt;
  const auto slot = slot_content(response, extension, kInSlot);
  if (!slot) {
    response.payload ? writer.value(*response.payload) : writer.null();
    return;
  }
  writer.begin_object();
  if (is_object) {
    json::write_members(writer, response.payload->view());
  } else if (response.payload) {
    writer.key(model::name(wrapping_of(response))).value(*response.payload);
  }
  writer.key(kSlot).begin_object();
  if (!is_object && response.payload) {
    writer.member("wrapping", model::name(wrapping_of(response)));
  }
  json::write_members(writer, slot->view());
  writer.end_object().end_object();
}

// Reads the payload, without the slot that Enfold writes into it.
void read_data(json::View document, Response& response) {
  const auto data = present_at(document, "data");
  if (!data) return;
  const auto slot = object_at(*data, kSlot);
  if (!slot || !is_enfold_slot(*slot, kInSlot)) {
    response.payload = json::Value(*data);
    return;
  }
  read_slot(*slot, kInSlot, response);
  // `wrapping` of an extension is read by apply_extension.
  const auto key = is_extension(*slot) ? std::nullopt : json::string_member(*slot, "wrapping");
  if (data->size() == 1 && !is_extension(*slot)) return;  // there was no payload
  if (const auto wrapping = key ? model::from_name<model::Wrapping>(*key) : std::nullopt) {
    response.payload = value_at(*data, *key);
    // The contracts choose `items` or `result` by the type of the payload; others must be stored.
    const bool is_chosen_by_type =
        *wrapping == model::Wrapping::items || *wrapping == model::Wrapping::result;
    if (!is_chosen_by_type) response.wrapping = *wrapping;
    return;
  }
  json::Writer writer;
  json::write_members(writer.begin_object(), *data,
                      [](const json::Member& member) { return !member.key.equals(kSlot); });
  response.payload = std::move(writer.end_object()).finish_value();
}

// Recognized by the members that no other contract has, or by most of its members.
bool detects_scalpel_v1(json::View document) {
  if (!document.find("tier")) return false;
  const auto tier = json::string_member(document, "tier");
  if (tier && model::from_name<model::Tier>(to_lower(*tier)) &&
      json::string_member(document, "tool_id") && document.find("upgrade_hints") &&
      document.find("error")) {
    return true;
  }
  constexpr std::size_t most_missing = 3;  // of the eight below
  std::size_t missing = 0;
  for (const char* name : {"tier", "tool_id", "tool_version", "request_id", "capabilities",
                           "upgrade_hints", "error", "data"}) {
    if (!document.find(name) && ++missing > most_missing) return false;
  }
  return document.find("tool_id") || document.find("upgrade_hints");
}

Result<Response> read_scalpel_v1(json::View document, ReadContext& context) {
  Response response;
  if (const auto tier = json::string_member(document, "tier")) {
    response.tool.tier = model::from_name<model::Tier>(to_lower(*tier));
  }
  response.tool.id = json::string_member(document, "tool_id").value_or("");
  response.tool.version = json::string_member(document, "tool_version").value_or("");
  response.tool.capabilities = strings_at(document, "capabilities");
  response.request_id = json::string_member(document, "request_id").value_or("");
  if (const auto duration = number_at(document, "duration_ms")) {
    response.telemetry = model::Telemetry{.duration_ms = duration};
  }
  if (const auto hints = array_at(document, "upgrade_hints")) {
    for (const json::View hint : hints->items()) {
      if (hint.is_string()) {
        response.upgrade_hints.push_back({.feature = hint.string()});
        continue;
      }
      response.upgrade_hints.push_back({json::string_member(hint, "feature").value_or(""),
                                        json::string_member(hint, "tier").value_or(""),
                                        json::string_member(hint, "reason").value_or("")});
    }
  }
  read_data(document, response);
  // Every `error` counts, also one that a later member of the same name hides.
  for (const json::Member& member : document.members()) {
    if (!member.key.equals("error")) continue;
    if (!member.value.is_object() && !names_error(member.value)) continue;
    response.outcome = Outcome::failed;
    response.failure = read_failure(member.value);
  }
  context.rule = response.failure ? "scalpel-v1 has an error" : "scalpel-v1 has no error";
  return response;
}

void render_scalpel_v1(const Response& response, const RenderOptions& options,
                       json::Writer& writer) {
  const Members members = options.members;
  const model::Tool& tool = response.tool;
  writer.begin_object();
  if (sends(members, Members::debug)) {
    writer.member("tier", model::name(tool.tier.value_or(model::Tier::community)));
    writer.member("tool_version", semantic_version(tool.version));
    writer.member("tool_id", tool.id.empty() ? "unknown" : tool.id);
    writer.member("request_id",
                  response.request_id.empty() ? options.fallback_request_id : response.request_id);
    writer.member("capabilities", tool.capabilities.empty()
                                      ? std::vector<std::string>{"envelope-v1"}
                                      : tool.capabilities);
  }
  if (sends(members, Members::verbose)) {
    writer.key("duration_ms").number(whole_milliseconds(response.telemetry));
  }
  // An error is written at every setting of `members`.
  if (response.failure) {
    writer.key("error");
    write_error(writer, *response.failure);
  } else if (sends(members, Members::standard)) {
    writer.key("error").null();
  }
  const std::vector<model::UpgradeHint> hints = hints_of(response);
  if (sends(members, Members::standard) || !hints.empty()) write_hints(writer, hints);
  write_data(writer, response, options);
  writer.end_object();
}

std::optional<json::View> find_slot(json::View document) {
  const auto data = object_at(document, "data");
  return data ? object_at(*data, kSlot) : std::nullopt;
}

}  // namespace

const Envelope kScalpelV1{detects_scalpel_v1, read_scalpel_v1, render_scalpel_v1, find_slot};

}  // namespace enfold::contract::detail
