// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/failure.h"

#include "enfold/base/text.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failure_details.h"
#include "enfold/contract/reading/failure_kind.h"
#include "enfold/contract/reading/outcome.h"
#include "enfold/contract/reading/root_members.h"
#include "enfold/contract/reading/words.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <set>
#include <vector>

namespace enfold::contract::detail {
namespace {

// Names of the members that hold the message, another text, the code or the status of a failure, in
// the form of plain(), the better ones first. `__type` of AWS and `type` of errors are codes; in
// problem details (RFC 9457) `type` is an address, which is_code() refuses.
constexpr std::string_view kMessages =
    "message errormessage errmsg msg errordescription errormsg faultstring errormessages "
    "usermessage displaymessage developermessage localizedmessage statusmessage statustext "
    "errordetail faultmessage exceptionmessage";
constexpr std::string_view kOtherTexts =
    "detail diagnostics description summary messages title reason errorsummary errorreason "
    "errorinfo cause problem issue info errortext returnmsg resultdesc resultmessage resultmsg";
constexpr std::string_view kCodes =
    "code errorcode ecode errcode faultcode type errortype errno errorname errname codename "
    "errorclass exception name reason status";
constexpr std::string_view kStatuses =
    "status statuscode httpstatus httpstatuscode httpcode cod code";
// Names of members that hold a second code beside the failure's code, the more exact ones first.
constexpr std::string_view kReasons = "reason reasoncode tag codename errorname subcode category";

// A text, a number as text, or the first text of a list; else empty.
std::string text_of(json::View value) {
  if (value.is_string()) return value.string();
  if (value.is_number()) return std::string(value.number());
  // {"lang": "en", "value": "The list does not exist."} of OData.
  if (value.is_object() && value.size() <= 2) {
    const auto text = value.find("value");
    return text && text->is_string() ? text->string() : std::string();
  }
  const auto first = value.is_array() ? value.item(0) : std::nullopt;
  return first && first->is_string() ? first->string() : std::string();
}

// Whether a text is an identifier such as channel_not_found, ExpiredToken or 404, and no sentence
// or address.
bool is_code(std::string_view text) {
  return !text.empty() && text.size() <= 100 && text.find(' ') == std::string_view::npos &&
         text.find("://") == std::string_view::npos && text != "about:blank" &&
         std::ranges::any_of(text, is_alphanumeric);
}

bool is_status(std::string_view text) {
  return text.size() == 3 && text[0] >= '1' && text[0] <= '5' && is_digit(text[1]) &&
         is_digit(text[2]);
}

// Whether a text in the place of a code says only that something failed.
bool says_only_failed(std::string_view text) {
  return has_word<"error failed failure fail failed. fatal notok error.list errors">(
      to_lower(text));
}

// The names of the gRPC status numbers, from 1.
constexpr std::array<std::string_view, 16> kGrpc{
    "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",   "NOT_FOUND",
    "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
    "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",         "DATA_LOSS",
    "UNAUTHENTICATED"};

/// Reads objects that describe a failure, innermost first; later objects set only fields that are
/// still empty.
class FailureReader {
 public:
  // Sets the status from the number that gRPC gateways write beside a list of details.
  void read_grpc(json::View object) {
    const auto details = object.find("details");
    const auto code = object.find("code");
    if (!details || !details->is_array() || !code || !status.empty()) return;
    const std::int64_t number = code->integer().value_or(0);
    if (number >= 1 && number <= 16) status = kGrpc[static_cast<std::size_t>(number - 1)];
  }

  // The text of the first member in `wanted`, names in order of preference, for which
  // `accepts(text, name)` is true; empty: none. Marks the member as used.
  template <class Predicate>
  std::string take(json::View object, std::string_view wanted, Predicate&& accepts) {
    for (std::size_t at = 0; at < wanted.size();) {
      const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
      const std::string_view name = wanted.substr(at, end - at);
      for (const json::Member& member : object.members()) {
        if (plain(member.key.string()) != name) continue;
        std::string text = text_of(member.value);
        if (text.empty() || !accepts(text, name)) continue;
        used_.insert(member.value.offset());
        return text;
      }
      at = end + 1;
    }
    return {};
  }

  // Takes the message, the code, the status and the time to wait from the object's own members.
  void read(json::View object) {
    if (failure.message.empty()) {
      failure.message = take(object, kMessages, [](const std::string& text, std::string_view) {
        return !text.empty();
      });
    }
    if (failure.code.empty()) {
      failure.code = take(object, kCodes, [&](const std::string& text, std::string_view name) {
        return is_code(text) && text != failure.message && !says_only_failed(text) &&
               (name != "status" || kind_of_code(text).has_value());
      });
      if (is_status(failure.code) && status.empty()) status = failure.code;
    }
    if (status.empty())
      status = take(object, kStatuses,
                    [](const std::string& text, std::string_view) { return is_status(text); });
    read_grpc(object);
    read_wait(object);
  }

  // A text that is not as good as a message, such as a title.
  void read_other_text(json::View object) {
    if (!failure.message.empty()) return;
    failure.message = take(object, kOtherTexts,
                           [](const std::string& text, std::string_view) { return !text.empty(); });
  }

  // The time to wait, from this object or up to three levels inside it.
  void read_wait(json::View object, int depth = 0) {
    if (depth > 3 || failure.retry_after) return;
    for (const json::View item : object.items()) read_wait(item, depth + 1);
    for (const json::Member& member : object.members()) {
      if (member.value.is_container()) read_wait(member.value, depth + 1);
      if (failure.retry_after) continue;
      failure.retry_after = waiting_time(member.key.string(), text_of(member.value));
    }
  }

  // A used value is in `failure`, so it is left out of the details and the rest.
  [[nodiscard]] bool is_used(json::View value) const { return used_.contains(value.offset()); }
  void use(json::View value) { used_.insert(value.offset()); }

  model::Failure failure;
  std::string status;  // HTTP status, or the name of a gRPC status; empty: none

 private:
  std::set<std::uint32_t> used_;  // offsets of values
};

// The value of the first member with one of the names, if the value names an error.
std::optional<json::View> error_named(json::View object, std::string_view names) {
  for (const json::Member& member : object.members()) {
    if (has_word(names, plain(member.key.string())) && names_error(member.value))
      return member.value;
  }
  return std::nullopt;
}

// The first text at any depth; empty: there is none.
std::string first_text_in(json::View value) {
  if (value.is_string()) return value.string();
  for (const json::View item : value.items()) {
    if (std::string text = first_text_in(item); !text.empty()) return text;
  }
  for (const json::Member& member : value.members()) {
    if (std::string text = first_text_in(member.value); !text.empty()) return text;
  }
  return {};
}

// A code that names a kind, in a member `name`, at most three levels deep; of a list only the first
// item is read. Empty: none.
std::string reason_named(json::View value, std::string_view name, int depth = 0) {
  constexpr int deepest = 3;
  if (depth > deepest) return {};
  for (const json::Member& member : value.members()) {
    if (plain(member.key.string()) != name || !member.value.is_string()) continue;
    std::string text = member.value.string();
    if (is_code(text) && names_kind(text)) return text;
  }
  for (const json::Member& member : value.members()) {
    if (std::string text = reason_named(member.value, name, depth + 1); !text.empty()) return text;
  }
  const auto first = value.item(0);
  return first ? reason_named(*first, name, depth + 1) : std::string();
}

// The most exact of the codes that stand beside the failure's own code (kReasons); empty: none.
std::string reason_in(json::View whole) {
  for (std::size_t at = 0; at < kReasons.size();) {
    const std::size_t end = std::min(kReasons.find(' ', at), kReasons.size());
    std::string found = reason_named(whole, kReasons.substr(at, end - at));
    if (!found.empty()) return found;
    at = end + 1;
  }
  // The address of a problem (RFC 9457) ends with its name: …/out-of-credit.
  const std::string type = json::string_member(whole, "type").value_or("");
  const std::size_t name = type.find_last_of('/');
  if (type.find("://") == std::string::npos || !names_kind(type.substr(name + 1))) return {};
  return type.substr(name + 1);
}

// Decides the kind and adds details. `whole`: the failed answer. `lists_fields`: the answer lists
// wrong fields.
FailureReading finish(FailureReader reader, json::View whole, bool lists_fields = false) {
  model::Failure& failure = reader.failure;
  if (failure.code.empty() && !reader.status.empty()) failure.code = reader.status;
  const bool says_wait = failure.retry_after.has_value();
  if (!says_wait) failure.retry_after = retry_after_of(failure.message);
  std::string evidence = failure.message;
  constexpr std::size_t most_evidence = 400;  // bytes
  if (evidence.empty()) evidence = first_text_in(whole).substr(0, most_evidence);
  const std::string reason = reason_in(whole);
  KindReading kind = kind_of_failure(
      {.code = failure.code, .status = reader.status, .message = evidence, .reason = reason});
  // A quota that is used up is of the kind `exhausted`, but one that is free again soon is a rate
  // limit.
  const bool may_be_throttled =
      kind.kind == model::ErrorKind::exhausted || kind.kind == model::ErrorKind::tool_error;
  const bool waits =
      says_wait || (failure.retry_after && kind.kind == model::ErrorKind::tool_error);
  if (waits && may_be_throttled) {
    kind = {model::ErrorKind::throttled, "the answer says how long to wait"};
  }
  if (lists_fields && kind.kind == model::ErrorKind::tool_error) {
    kind = {model::ErrorKind::bad_input, "the answer lists what is wrong by field"};
  }
  failure.kind = kind.kind;
  add_details(failure, whole);
  return {std::move(failure), std::nullopt, std::move(kind.reason)};
}

// Whether `errors` has one entry per wrong field, as answers to a bad request have.
bool has_entry_per_field(json::View errors) {
  if (errors.is_object()) return !errors.find("message") && !errors.find("code");
  return lists_violations(errors);
}

// The members that are not null and not used; nullopt: none.
std::optional<json::Value> members_left(json::View object, const FailureReader& reader) {
  return json::select_members(object, [&](const json::Member& member) {
    return !member.value.is_null() && !reader.is_used(member.value);
  });
}

// The unused members of an error object become the details; a lone `details` or `data` is
// unwrapped.
void take_details(json::View error, FailureReader& reader) {
  const auto rest = members_left(error, reader);
  if (!rest) return;
  const auto only = rest->view().size() == 1 ? rest->view().find("details") : std::nullopt;
  const auto data = rest->view().size() == 1 ? rest->view().find("data") : std::nullopt;
  const auto details = only ? only : data;
  reader.failure.details =
      details && (details->is_object() || details->is_string()) ? json::Value(*details) : *rest;
}

// Reads a failure that is where a success has its data: {"success": false, "data": {"error": …}}.
void read_inside(json::View data, FailureReader& reader) {
  for (const char* key : {"data", "result", "response", "body"}) {
    const auto inside = data.find(key);
    if (!inside || !inside->is_object()) continue;
    const auto error = error_named(*inside, "error err errors");
    if (error && error->is_string()) reader.failure.message = error->string();
    if (error && error->is_object()) reader.read(*error);
    reader.read(*inside);
  }
}

// The name of a system error before a colon, as in "ENOENT: no such file"; empty: none.
std::string errno_name(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon < 3 || colon > 20 || text.front() != 'E') return {};
  const std::string_view name = text.substr(0, colon);
  return find_code(name) != nullptr ? std::string(name) : std::string();
}

}  // namespace

FailureReading failure_of_error(json::View error) {
  FailureReader reader;
  if (error.is_string()) {
    reader.failure.message = error.string();
    return finish(std::move(reader), error);
  }
  reader.read(error);
  reader.read_other_text(error);
  // A problem in `data` of a JSON-RPC error says more than the error's own number.
  if (const auto data = error.find("data"); data && data->is_object()) {
    FailureReader inner;
    inner.read(*data);
    if (reader.status.empty()) reader.status = inner.status;
  }
  take_details(error, reader);
  return finish(std::move(reader), error);
}

FailureReading failure_of_data(json::View data) {
  if (data.is_array()) return failure_of_data(data.item(0).value_or(json::View()));
  if (const auto body = soap_body(data)) return failure_of_data(*body);
  FailureReader reader;
  std::vector<json::View> places;  // objects inside `data` that may describe the failure
  const auto error =
      error_named(data, "error err fault problem exception odataerror errorresponse");
  auto errors = error_named(data, "errors issue issues violations reasons problems faults causes");
  if (!errors && !error) errors = mutation_errors(data);
  std::string error_text;
  if (error) {
    if (error->is_object()) reader.use(*error);
    if (error->is_string()) {
      error_text = error->string();
    } else {
      places.push_back(error->is_array() ? error->item(0).value_or(json::View()) : *error);
    }
  }
  for (const json::View place : places) {
    if (!place.is_object()) continue;
    reader.read(place);
    reader.read_other_text(place);
  }
  if (error && error->is_object()) take_details(*error, reader);
  const bool error_is_code = is_code(error_text);
  if (error_is_code && reader.failure.code.empty()) {
    reader.failure.code = error_text;
    reader.use(*error);
  }
  reader.read(data);
  // A sentence in `error` is the message, unless a member beside `error` has given one.
  if (!error_text.empty() && !error_is_code && reader.failure.message.empty()) {
    reader.failure.message = error_text;
    reader.use(*error);
  }
  places.clear();
  if (const auto status = failed_status_object(data)) places.push_back(*status);
  if (reader.failure.message.empty() && places.empty()) read_inside(data, reader);
  if (errors && errors->is_string() && reader.failure.message.empty()) {
    reader.failure.message = errors->string();
    reader.use(*errors);
  }
  if (errors && errors->is_object()) places.push_back(*errors);
  if (errors && errors->is_array()) {
    const json::View first = errors->item(0).value_or(json::View());
    if (first.is_string() && reader.failure.message.empty())
      reader.failure.message = first.string();
    places.push_back(first);
    if (const auto extensions = first.find("extensions")) places.push_back(*extensions);
  }
  const auto detail = data.find("detail");
  if (detail && detail->is_array()) {
    places.push_back(detail->item(0).value_or(json::View()));
  } else if (detail && detail->is_object()) {
    places.push_back(*detail);
  }
  reader.read_other_text(data);
  for (const json::View place : places) {
    if (!place.is_object()) continue;
    reader.read(place);
    reader.read_other_text(place);
  }
  // {"message": "NOTOK", "result": "Invalid API Key"}
  const auto result = data.find("result");
  if (result && result->is_string() && says_only_failed(reader.failure.message)) {
    reader.failure.message = result->string();
    reader.use(*result);
  }
  const bool lists_fields = errors && has_entry_per_field(*errors) && reader.failure.code.empty();
  if (!reader.failure.details) {
    if (const auto details = data.find("details");
        details && (details->is_object() || details->is_string())) {
      reader.use(*details);
      reader.failure.details = json::Value(*details);
    }
  }
  std::optional<json::Value> rest = json::select_members(data, [&](const json::Member& member) {
    const bool flag = has_word<"success ok">(plain(member.key.string())) &&
                      !member.value.is_container() && member.value.raw() != "true";
    return !flag && !reader.is_used(member.value);
  });
  FailureReading out = finish(std::move(reader), data, lists_fields);
  out.rest = std::move(rest);
  return out;
}

FailureReading failure_of_text(std::string text) {
  FailureReader reader;
  // The text of the first XML element of this name; empty: none.
  const auto tag = [&](std::string_view name) -> std::string {
    const std::string open = fmt::format("<{}>", name);
    const std::size_t at = text.find(open);
    if (at == std::string::npos) return {};
    const std::size_t start = at + open.size();
    return text.substr(start, text.find('<', start) - start);
  };
  // The code between the first `before`, which must be near the start of the text, and `after`;
  // empty: none.
  const auto between = [&](std::string_view before, char after) -> std::string {
    constexpr std::size_t latest_start = 40;   // bytes
    constexpr std::size_t longest_code = 100;  // bytes
    const std::size_t at = text.find(before);
    if (at == std::string::npos || at > latest_start) return {};
    const std::size_t start = at + before.size();
    const std::size_t end = text.find(after, start);
    if (end == std::string::npos || end - start > longest_code) return {};
    std::string code = text.substr(start, end - start);
    return is_code(code) ? code : std::string();
  };
  // "MCP error -32602: …" is how SDK servers report protocol errors; "An error occurred (Code) when
  // calling …" is how the AWS command line reports failures.
  std::string code = text.starts_with("MCP error ") ? between("MCP error ", ':') : std::string();
  if (code.empty()) code = between("An error occurred (", ')');
  if (code.empty()) code = errno_name(text);
  if (code.empty()) code = between("npm error code ", '\n');
  if (code.empty()) code = between("npm ERR! code ", '\n');
  if (text.starts_with('<')) {  // an XML or HTML document
    code = tag("Code");
    std::string message = tag("Message");
    if (message.empty()) message = tag("title");
    if (!message.empty()) text = std::move(message);
  }
  reader.failure.code = code;
  reader.failure.message = std::move(text);
  const json::Value none;
  return finish(std::move(reader), none.view());
}

model::Failure with_message(model::Failure failure) {
  if (failure.message.empty()) failure.message = failure.code;
  if (failure.message.empty()) failure.message = "The tool reported a failure without a message.";
  return failure;
}

}  // namespace enfold::contract::detail
