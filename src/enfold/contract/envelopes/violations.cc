// SPDX-License-Identifier: Apache-2.0
// Finds where a document breaks its contract or contradicts itself, and adds warnings about that.
#include "enfold/contract/contract.h"
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/stated_outcome.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failure.h"
#include "enfold/contract/reading/outcome.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/schema/schema.h"

#include <fmt/core.h>
#include <map>
#include <set>

namespace enfold::contract {
namespace {

constexpr std::size_t kMostWarnings = 8;     // of violations of the schema, for one document
constexpr std::size_t kLongestValue = 1024;  // bytes of a value that a warning repeats

// Whether a root member of this name belongs to the envelope. In a flat contract other names are
// members of the payload.
bool is_envelope_member(Id id, std::string_view name) {
  if (id != Id::memory && id != Id::response_v1) return true;
  return name == "success" || name == "error" || name == "message" || name == "schema_version";
}

// Adds a violation for each envelope member of `object` that occurs twice, which a JSON Schema
// cannot forbid. `place`: JSON Pointer to `object`.
void find_duplicates(Id id, json::View object, const std::string& place,
                     schema::Validation& validation) {
  std::map<std::string, std::size_t> counts;
  for (const json::Member& member : object.members()) {
    const std::string name = member.key.string();
    if (is_envelope_member(id, name)) ++counts[name];
  }
  for (const auto& [name, count] : counts) {
    if (count < 2) continue;
    validation.valid = false;
    validation.violations.push_back({json::below(place, name), "", "one member of this name",
                                     fmt::format("{} of them", count)});
  }
}

// The two older variants of response-v1 (legacy/response_v1.cc) have no envelope members, so they
// are not validated.
bool is_older_variant(Id id, json::View document) {
  return id == Id::response_v1 && !document.find("success") && !document.find("schema_version");
}

// JSON Pointer to the wrong or missing member.
std::string place_of(const schema::Violation& violation) {
  const bool missing = violation.kind == schema::Violation::Kind::missing_member;
  return missing ? json::below(violation.instance, violation.member) : violation.instance;
}

// Violations without a warning: in `generic`, members that models leave out or fill with null; in
// response-v2, a missing `meta`, because the envelope may be that of another service.
bool is_accepted(Id id, const schema::Violation& violation) {
  if (id == Id::response_v2) return place_of(violation) == "/meta" && violation.found == "missing";
  return id == Id::generic && (violation.found == "null" || violation.found == "missing");
}

model::Warning warning_of(Id id, const schema::Violation& violation, json::View document) {
  const std::string place = place_of(violation);
  json::Writer context;
  context.begin_object().member("contract", name(id)).member("pointer", place);
  const auto pointer = json::Pointer::parse(place);
  const auto value = pointer ? pointer->resolve(document) : std::nullopt;
  if (value && value->raw().size() <= kLongestValue) context.member("value", *value);
  return make_warning(
      "CONTRACT_VIOLATION",
      fmt::format("Not valid in {}: {}: expected {}, found {}", name(id),
                  place.empty() ? "the whole" : place, violation.expected, violation.found),
      std::move(context.end_object()).finish_value());
}

}  // namespace

Result<schema::Validation> validate(Id id, json::View document, const Limits& limits,
                                    std::size_t max_violations) {
  if (is_older_variant(id, document)) return schema::Validation{};
  ENFOLD_TRY(schema::Validation validation,
             validator(id)->validate(document, limits, max_violations));
  if (!is_envelope(id)) return validation;
  find_duplicates(id, document, "", validation);
  const auto meta = id == Id::response_v2 ? document.find("meta") : std::nullopt;
  if (meta) find_duplicates(id, *meta, "/meta", validation);
  return validation;
}

namespace detail {

bool read_stated_outcome(json::View document, std::string_view contract, model::Response& response,
                         ReadContext& context) {
  const StatedOutcome stated = stated_outcome(document);
  if (stated.failed) response.outcome = model::Outcome::failed;
  context.rule = fmt::format("{} {}", contract, stated.rule);
  if (!stated.contradiction.empty()) {
    context.warnings.push_back(contradiction_warning(stated.contradiction, stated.reason));
  }
  return stated.failed;
}

void read_other_flags(json::View document, model::Response& response, ReadContext& context) {
  if (!succeeded(response)) return;
  for (const json::Member& member : document.members()) {
    const bool flag = member.key.equals("success") || member.key.equals("ok");
    if (!flag || truth_of(member.value) != false) continue;
    response.outcome = model::Outcome::failed;
    response.failure = with_message(failure_of_data(document).failure);
    const std::string reason = fmt::format("`{}` is false", member.key.string());
    context.warnings.push_back(contradiction_warning(context.rule, reason));
    context.rule = reason;
    return;
  }
}

void warn_of_violations(Id id, json::View document, const Limits& limits, Reading& reading) {
  const auto validation = validate(id, document, limits, kMostWarnings);
  if (!validation || validation->valid) return;
  std::set<std::string> places;
  for (const schema::Violation& violation : validation->violations) {
    if (is_accepted(id, violation) || !places.insert(place_of(violation)).second) continue;
    reading.response.warnings.push_back(warning_of(id, violation, document));
  }
}

}  // namespace detail
}  // namespace enfold::contract
