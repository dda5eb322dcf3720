// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/failure_details.h"

#include "enfold/contract/errors/failure_sentences.h"
#include "enfold/contract/reading/words.h"
#include "enfold/json/write.h"

#include <algorithm>

namespace enfold::contract::detail {
namespace {

using model::ErrorKind;

constexpr int kDeepest = 5;  // levels that are searched for a list of violations

// Names of members of a violation, in the form of plain(), the better ones first: the field that is
// wrong, what it violates, the text for people, the value that was sent.
constexpr std::string_view kFields =
    "field fieldname property propertyname parameter param argument attribute missingproperty "
    "instancepath pointer loc path name";
constexpr std::string_view kConstraints = "constraint keyword rule validator type code kind";
constexpr std::string_view kTexts = "message msg reason detail description title";
constexpr std::string_view kReceived = "received input rejectedvalue value actual data";

// The value of the member whose name comes first in `names`; nullopt: no member has one of them.
std::optional<json::View> member_of(json::View object, std::string_view names) {
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(' ', at), names.size());
    for (const json::Member& member : object.members()) {
      if (plain(member.key.string()) == names.substr(at, end - at)) return member.value;
    }
    at = end + 1;
  }
  return std::nullopt;
}

std::string string_of(std::optional<json::View> value) {
  return value && value->is_string() ? value->string() : std::string();
}

// The name of a field: items.0 for ["body", "items", 0] and for "/items/0". Empty: the value is
// neither a text nor a list.
std::string field_name(json::View value) {
  std::string out;
  if (value.is_array()) {
    for (const json::View part : value.items()) {
      const std::string text = part.is_string() ? part.string() : json::to_text(part);
      if (out.empty() && has_word<"body query header cookie">(text) && value.size() > 1) continue;
      out += (out.empty() ? "" : ".") + text;
    }
    return out;
  }
  out = string_of(value);
  if (out.starts_with('/')) {
    out.erase(0, 1);
    std::ranges::replace(out, '/', '.');
  }
  return out;
}

// The field that a violation names, in its own members or those of `source` or `params`; empty:
// none.
std::string field_of(json::View violation) {
  for (const char* inner : {"", "source", "params"}) {  // "": the violation itself
    const auto place = *inner == '\0' ? std::optional(violation) : violation.find(inner);
    const auto named = place ? member_of(*place, kFields) : std::nullopt;
    if (!named) continue;
    if (std::string field = field_name(*named); !field.empty()) return field;
  }
  return {};
}

// The constraint that a violation names (WrongInput::constraint), else the one in its text.
std::string constraint_of(json::View violation) {
  const std::string stated = string_of(member_of(violation, kConstraints));
  if (stated.empty()) return std::string(constraint_in(string_of(member_of(violation, kTexts))));
  const std::string_view known = constraint_in(stated);
  const bool standard = known == "required" || known == "pattern" || known == "type";
  return standard ? std::string(known) : stated;
}

WrongInput wrong_input_of_violation(json::View violation) {
  WrongInput out{.field = field_of(violation), .constraint = constraint_of(violation)};
  for (const char* inner : {"", "ctx", "params"}) {  // "": the violation itself
    const auto place = *inner == '\0' ? std::optional(violation) : violation.find(inner);
    if (place && out.pattern.empty()) out.pattern = string_of(place->find("pattern"));
  }
  const auto received = member_of(violation, kReceived);
  if (received && string_of(received) == "undefined") out.constraint = "required";
  if (received && !received->is_container()) out.received = json::Value(*received);
  return out;
}

// The first violation of the first list of violations at any depth up to kDeepest, as validators
// write them; nullopt: none.
std::optional<WrongInput> listed_in(json::View data, int depth) {
  if (depth > kDeepest) return std::nullopt;
  if (lists_violations(data)) return wrong_input_of_violation(*data.item(0));
  for (const json::View item : data.items()) {
    if (auto found = listed_in(item, depth + 1)) return found;
  }
  for (const json::Member& member : data.members()) {
    if (auto found = listed_in(member.value, depth + 1)) return found;
  }
  return std::nullopt;
}

// The first violation in {"email": ["can't be blank"]}, as Rails, Django and Laravel write them;
// nullopt: the data have another form.
std::optional<WrongInput> mapped_in(json::View data) {
  const json::View map = data.find("errors").value_or(data);
  if (!map.is_object() || map.size() == 0) return std::nullopt;
  for (const json::Member& member : map.members()) {
    const auto first = member.value.item(0);
    if (!first || !first->is_string()) return std::nullopt;
  }
  const json::Member first = *map.members().begin();
  const std::string text = first.value.item(0)->string();
  return WrongInput{.field = first.key.string(),
                    .constraint = std::string(constraint_in(text)),
                    .pattern = {},
                    .received = std::nullopt};
}

// The wrong input that the data or the message of a failure name. Empty if the details of the
// failure have a member `field` already.
WrongInput wrong_input_of(const model::Failure& failure, json::View data) {
  if (failure.details && failure.details->view().find("field")) return {};
  std::optional<WrongInput> found = listed_in(data, /*depth=*/0);
  if (!found) found = mapped_in(data);
  if (!found) found = wrong_input_in(failure.message);
  if (found->constraint == "required") found->received = json::parse_own("null");
  return std::move(*found);
}

// The missing thing that the details name, else the message. Kubernetes: details {name, kind};
// Google: resourceType and resourceName in a list of details.
MissingThing missing_thing_of(const model::Failure& failure) {
  const json::View details = failure.details ? failure.details->view() : json::View();
  const auto place = details.is_array() ? details.item(0).value_or(json::View()) : details;
  MissingThing out{string_of(member_of(place, "resourcetype kind")),
                   string_of(member_of(place, "resourceid resourcename name"))};
  if (!out.type.empty() && !out.id.empty()) return out;
  return missing_thing_in(failure.message);
}

/// The details of a failure, with members added whose names the details do not have.
class Additions {
 public:
  explicit Additions(const std::optional<json::Value>& details) : details_(details) {
    writer_.begin_object();
    if (details_) json::write_members(writer_, details_->view());
  }

  void add(std::string_view key, std::string_view text) {
    if (!text.empty() && is_free(key)) writer_.member(key, text);
  }
  void add(std::string_view key, json::View value) {
    if (is_free(key)) writer_.member(key, value);
  }
  [[nodiscard]] json::Value finish() && { return std::move(writer_.end_object()).finish_value(); }

 private:
  [[nodiscard]] bool is_free(std::string_view key) const {
    return !details_ || !details_->view().find(key);
  }

  const std::optional<json::Value>& details_;
  json::Writer writer_;
};

}  // namespace

bool lists_violations(json::View list) {
  const auto first = list.item(0);
  return first && first->is_object() &&
         (member_of(*first, kTexts) || member_of(*first, "keyword code")) &&
         !field_of(*first).empty();
}

void add_details(model::Failure& failure, json::View data) {
  if (failure.details && !failure.details->view().is_object()) return;
  Additions additions(failure.details);
  if (failure.kind == ErrorKind::missing) {
    const MissingThing missing = missing_thing_of(failure);
    if (missing.id.empty()) return;
    additions.add("resource_type", missing.type);
    additions.add("resource_id", missing.id);
  } else if (failure.kind == ErrorKind::bad_input || failure.kind == ErrorKind::correctable) {
    const WrongInput wrong = wrong_input_of(failure, data);
    if (wrong.field.empty()) return;
    additions.add("field", wrong.field);
    additions.add("constraint", wrong.constraint);
    additions.add("pattern", wrong.pattern);
    if (wrong.received) additions.add("received", wrong.received->view());
  } else {
    return;
  }
  failure.details = std::move(additions).finish();
}

}  // namespace enfold::contract::detail
