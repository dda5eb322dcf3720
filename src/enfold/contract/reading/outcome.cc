// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/outcome.h"

#include "enfold/base/text.h"
#include "enfold/contract/reading/failed_parts.h"
#include "enfold/contract/reading/failure_kind.h"
#include "enfold/contract/reading/words.h"
#include "enfold/json/document.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/core.h>
#include <optional>

namespace enfold::contract::detail {
namespace {

using model::Outcome;

// Members that describe a failure, or the answer as such, and nothing else. In the form of plain().
constexpr WordText kDescribesFailure(
    "success ok err errmsg errno errname errcode ecode codename reasoncode subcode problem "
    "failurereason usermessage developermessage displaymessage localizedmessage statusmessage "
    "retcode moreinfourl helptext message messages msg text reason reasons detail details "
    "description "
    "desc title summary type code codes cod status statuscode statustext httpstatus httpstatuscode "
    "httpcode instance kind apiversion metadata object class name exception exceptions cause "
    "causes rootcause stack stacktrace trace traces traceback path timestamp time date datetime "
    "requestid requesturl traceid spanid correlationid debugid logid errorref reference ref "
    "documentationurl documentation docurl docs doc docslink help helpurl helplink moreinfo info "
    "infourl requestlogurl hint hints suggestion suggestions remediation resolution advice action "
    "retryafter retryafterms retryafterseconds retryin retryable isretryable temporary global "
    "service method url uri href host endpoint field fields param params parameter parameters "
    "invalidparams property properties violations fieldviolations validation validationerrors "
    "extensions locale language severity level category subcategory domain context request "
    "version jsonapi jsonrpc responsemetadata needed provided expected received limit remaining "
    "resource resourcetype resourceid command exitcode signal elapsed duration took warnings "
    "warning links issuccess issuccessful successful succeeded failed iserror haserror haserrors "
    "result state diagnostics source line column position near sqlstate authorized valid "
    "authenticated expired schemaversion toolname tool operation outcome responsetype");

// Members that name an error, if they are not empty.
constexpr WordText kErrorNames("error errors err fault problem");

// Other members that tell an error, if they are not empty, zero or "ok".
constexpr WordText kErrorMembers(
    "errormessage errormessages errormsg errmsg errordescription errordetail errordetails "
    "errorsummary errorreason errorcauses errorlist errorinfo errortype errorname errorcode "
    "errcode errno ecode faultstring faultcode faultmessage exception exceptionmessage "
    "exceptiontype validationerrors fieldviolations fielderrors formerrors nonfielderrors");

// Whether an object holds only flags and empty values, so that it is no content.
bool is_flags(json::View value) {
  return value.is_object() && std::ranges::all_of(value.members(), [](const json::Member& one) {
           return one.value.is_boolean() || is_empty(one.value);
         });
}

// Whether a list says what is wrong: each item has a message and names a place or a code.
bool lists_problems(json::View value) {
  if (!value.is_array() || value.size() == 0) return false;
  return std::ranges::all_of(value.items(), [](json::View item) {
    const bool says = item.find("message") || item.find("msg") || item.find("detail");
    return says && (item.find("path") || item.find("field") || item.find("loc") ||
                    item.find("pointer") || item.find("code"));
  });
}

// Whether an object only repeats the status of a failed request: {"status": 403}.
bool is_failed_request(json::View value) {
  const auto status = value.find("status");
  return status && is_failed_status(*status) &&
         std::ranges::all_of(value.members(), [](const json::Member& one) {
           return describes_failure(plain(one.key.string()));
         });
}

// Whether the first of several errors has words for people.
bool has_words(json::View errors) {
  const json::View first = errors.item(0).value_or(json::View());
  return std::ranges::any_of(first.members(), [](const json::Member& one) {
    return has_word<"message detail title description">(plain(one.key.string())) &&
           one.value.is_string() && !is_empty(one.value);
  });
}

// Whether a member identifies a thing: an object that has one is about that thing.
bool is_identity(std::string_view key) {
  return has_word<"id uuid guid key number sku slug jobid runid buildid taskid name">(key);
}

bool is_failure_word(std::string_view word) {
  return has_word<"error failed failure fail fatal exception">(to_lower(word));
}

bool is_false(json::View value) { return truth_of(value) == false; }
bool is_true(json::View value) { return truth_of(value) == true; }

// A number from 100 to 599, also as text; nullopt: something else.
std::optional<int> http_status(json::View value) {
  const std::string_view text = value.is_string() ? value.string_source() : value.number();
  int status = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), status);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && status >= 100 && status < 600 ? std::optional(status) : std::nullopt;
}

// Whether a text such as REQUEST_DENIED or ValidationError is the code of a failure.
bool is_failure_code(json::View value) {
  if (!value.is_string()) return false;
  const std::string text = value.string();
  if (text.find(' ') != std::string::npos) return false;
  if (is_failure_word(text)) return true;
  if (text.ends_with("Error") || text.ends_with("Exception") || text.ends_with("Fault"))
    return true;
  const auto kind = kind_of_code(text);
  return kind.has_value();
}

/// The members at the root of an answer, by their meaning. An empty key: there is no such member.
struct Root {
  std::string success;        ///< the key of a `success` or `ok` that is true
  std::string failure;        ///< the key of a `success` or `ok` that is false
  std::string error;          ///< the key of an `error` or `errors` that is not empty
  std::string mark;           ///< the key of another member that marks a failure
  std::string status;         ///< the key of a `status` that is the code of a failed request
  bool has_identity = false;  ///< an id or a name: the answer is about a thing
  bool has_text = false;      ///< a message, for people
  bool has_content = false;   ///< a member that does not describe a failure and is not empty
  bool has_scalars = false;   ///< such a member is a number or text that identifies nothing
  bool has_id = false;        ///< a member `id`, which may be that of the failure
};

// Whether a `status` is about the request: map and search services answer REQUEST_DENIED or
// NOT_FOUND. FAILED and TIMEOUT are states of jobs.
bool is_status_code(json::View value) {
  if (!value.is_string() || is_failure_word(value.string())) return false;
  const std::string text = value.string();
  const bool upper = text.find('_') != std::string::npos &&
                     std::ranges::none_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
  return upper && kind_of_code(text).has_value();
}

bool is_message(std::string_view key) {
  return has_word<
      "message messages msg detail description title reason usermessage developermessage "
      "displaymessage statusmessage statustext errormessage errormessages errordescription "
      "errormsg errmsg errorsummary errordetail errorreason errorinfo faultstring "
      "faultmessage exceptionmessage">(key);
}

// Whether the value of a member for an error tells one: not 0, "OK" or "no error".
bool tells_error(json::View value) {
  if (is_empty(value)) return false;
  const std::string_view text = value.is_string() ? value.string_source() : value.number();
  return !has_word<"0 00 000 0000 00000 ok success successful none noerror null">(plain(text));
}

// Whether a member other than success and error says that the call failed.
bool is_mark(std::string_view key, json::View value, json::View object) {
  if (has_word<"status result state outcome">(key)) {
    if (key == "status") return is_failure_status(value);
    return value.is_string() && is_failure_word(value.string());
  }
  if (has_word<"statuscode httpstatus httpstatuscode httpcode cod">(key))
    return is_failed_status(value);
  if (has_word<kErrorMembers>(key)) return tells_error(value);
  if (key == "type" && object.find("__type")) return value.is_string();  // __type of AWS
  if (has_word<"name type class">(key)) {
    return value.is_string() &&
           (value.string().ends_with("Error") || value.string().ends_with("Exception") ||
            (key == "name" && is_failure_code(value)));
  }
  if (key == "object") return value.equals("error");
  if (key == "iserror" || key == "haserrors" || key == "haserror") return is_true(value);
  if (key == "code") {
    if (value.is_number()) {
      const auto number = value.integer().value_or(1);
      return number != 0 && !(number >= 100 && number < 400);
    }
    return is_failure_code(value);
  }
  if (key == "detail" && value.is_array()) {  // FastAPI lists what is wrong with the request
    const auto first = value.item(0);
    return first && first->find("msg") && first->find("loc");
  }
  return false;
}

// Marks that count only beside a message: a code or a type alone may be a result.
bool needs_message(std::string_view key) {
  return has_word<
      "code type name class status statuscode errorcode errcode errno ecode object httpstatus "
      "httpcode cod">(key);
}

Root read_root(json::View object) {
  Root root;
  std::string weak_mark;  // the key of a mark that counts only beside a message
  bool error_has_words = false;
  bool has_failed_status = false;  // an HTTP status of 400 and above
  const bool rpc = is_rpc(object);
  for (const json::Member& member : object.members()) {
    const std::string name = member.key.string();
    const std::string key = plain(name);
    const json::View value = member.value;
    if (key == "success" || key == "ok") {
      if (is_false(value)) root.failure = name;
      if (is_true(value)) root.success = name;
      continue;
    }
    if (has_word<kErrorNames>(key) && (names_error(value) || (key == "errors" && is_true(value)))) {
      if (root.error.empty() || plain(root.error) == "errors") {
        root.error = name;
        error_has_words = has_words(value);
      }
      continue;
    }
    if (is_message(key) && value.is_string() && !is_empty(value)) root.has_text = true;
    if (key == "status" && is_status_code(value)) root.status = name;
    root.has_identity = root.has_identity || is_identity(key);
    if (is_mark(key, value, object)) {
      has_failed_status = has_failed_status || (!value.is_container() && is_failed_status(value));
      std::string& mark = needs_message(key) ? weak_mark : root.mark;
      if (mark.empty()) mark = name;
      continue;
    }
    const bool describes =
        describes_failure(key) && !(has_word<"data result results">(key) && value.is_container());
    if (rpc && key == "id") continue;
    if (!describes && !is_empty(value) && !is_flags(value) && !lists_problems(value) &&
        !is_failed_request(value)) {
      if (key == "id" && !value.is_container()) {
        root.has_id = true;
        continue;
      }
      (value.is_container() || is_identity(key) ? root.has_content : root.has_scalars) = true;
    }
  }
  // Beside an HTTP status and a message, an id is that of the failure.
  if (root.has_id && !(has_failed_status && root.has_text)) root.has_content = true;
  // Beside an error and a message, numbers and texts are about the failure.
  const bool about_failure = !root.error.empty() && (root.has_text || error_has_words);
  root.has_content = root.has_content || (root.has_scalars && !about_failure);
  if (root.mark.empty() && root.has_text) root.mark = weak_mark;
  // RFC 9457: a title may stand alone beside the status.
  if (root.mark.empty() && object.find("title") && !weak_mark.empty()) root.mark = weak_mark;
  return root;
}

OutcomeReading failed(std::string reason, std::string contradiction = {}) {
  return {.outcome = Outcome::failed,
          .reason = std::move(reason),
          .contradiction = std::move(contradiction)};
}

// Whether a member can say that the call, or a part of it, failed. Most answers have none, so that
// nothing else needs to be read for the outcome.
bool may_say_failure(json::View object, Verb verb) {
  return std::ranges::any_of(object.members(), [&](const json::Member& member) {
    const std::string key = plain(member.key.string_source());
    return member.key.has_escapes() || names_failed_parts(key) || key.starts_with("err") ||
           key.starts_with("fault") || key.starts_with("exception") ||
           has_word<
               "success ok iserror haserror haserrors status result state outcome statuscode "
               "httpstatus httpstatuscode httpcode cod fieldviolations nonfielderrors formerrors "
               "ecode type name class object code detail shards problem">(key) ||
           (lists_parts(key) && (verb == Verb::action || has_statuses(member.value)));
  });
}

// The outcome of a list of the results of parts: [{"success": true}, {"success": false, …}].
OutcomeReading outcome_of_parts(json::View list) {
  const ItemOutcomes items = outcomes_of_items(list);
  if (items.failed == 0) return {.reason = "no mark of a failure"};
  if (items.failed == list.size()) return failed("every item of the list says that it failed");
  return {.outcome = Outcome::partial, .reason = "some items say that they failed"};
}

// [{"errorCode": …, "message": …}]: some services answer a failed request with a list.
bool lists_failures(json::View data) {
  if (!data.is_array() || data.size() == 0) return false;
  return std::ranges::all_of(data.items(), [](json::View item) {
    bool has_code = false;
    bool has_message = false;
    for (const json::Member& member : item.members()) {
      const std::string key = plain(member.key.string());
      has_code = has_code || key == "errorcode";
      has_message = has_message || key == "message";
      if (!describes_failure(key)) return false;
    }
    return has_code && has_message;
  });
}

}  // namespace

bool is_empty(json::View value) {
  switch (value.kind()) {
    case json::Kind::null: return true;
    case json::Kind::boolean: return !value.boolean();
    case json::Kind::string: return value.string_source().empty();
    case json::Kind::number: return false;
    default:
      return std::ranges::all_of(value.members(),
                                 [](const json::Member& one) { return is_empty(one.value); }) &&
             (value.is_object() || value.size() == 0);
  }
}

bool is_http_status(json::View value) { return http_status(value).has_value(); }

bool is_failed_status(json::View value) {
  const auto status = http_status(value);
  return status && *status >= 400;
}

bool describes_failure(std::string_view key) {
  return has_word<kDescribesFailure>(key) || key.starts_with("retry") || key.starts_with("error") ||
         key.starts_with("fault");
}

bool is_rpc(json::View object) {
  return object.find("jsonrpc") ||
         (object.size() == 3 && object.find("result") && object.find("error") && object.find("id"));
}

std::optional<bool> truth_of(json::View value) {
  if (value.is_boolean()) return value.boolean();
  const std::string text = value.is_string()   ? to_lower(value.string_source())
                           : value.is_number() ? std::string(value.number())
                                               : std::string();
  if (has_word<"false no 0">(text)) return false;
  if (has_word<"true yes 1">(text)) return true;
  return std::nullopt;
}

bool is_failure_status(json::View status) {
  return (status.is_string() && is_failure_word(status.string())) || is_failed_status(status);
}

bool names_error(json::View error) {
  if (error.is_string()) {
    const std::string text = to_lower(trimmed(error.string_source(), " \t"));
    return !text.empty() && !has_word<"false no 0 null none nil undefined">(text);
  }
  return error.is_container() && !is_empty(error);
}

OutcomeReading outcome_of_data(json::View data, std::string_view tool) {
  if (data.is_boolean() && !data.boolean()) {
    return {.possible_failure = true, .reason = "the answer is false"};
  }
  if (lists_failures(data)) return failed("every item has an error code and a message");
  const Verb verb = verb_of(tool);
  if (data.is_array() && verb == Verb::action) return outcome_of_parts(data);
  if (!data.is_object() || !may_say_failure(data, verb)) return {.reason = "no mark of a failure"};
  const auto flag = data.find("isError");
  if (flag && is_true(*flag) && data.find("content")) return failed("isError is true in the data");
  const Root root = read_root(data);
  if (!root.failure.empty()) {
    return failed(fmt::format("`{}` is false", root.failure),
                  root.success.empty() ? std::string() : fmt::format("`{}` is true", root.success));
  }
  const FailedParts parts = failed_parts(data, tool);
  const bool partial_status = [&] {
    const auto status = data.find("status");
    return status && status->is_string() &&
           has_word<"partial partialsuccess partiallysucceeded partialfailure partiallycompleted">(
               plain(status->string()));
  }();
  if (partial_status) return {.outcome = Outcome::partial, .reason = "`status` is partial"};
  if (!root.error.empty() && (root.has_content || parts.succeeded)) {
    const std::string key = plain(root.error);
    const auto data_member = data.find("data");
    const bool has_data = data_member && !is_empty(*data_member);
    const bool made = root.has_id && verb == Verb::action;
    if (key == "errors" && (has_data || parts.succeeded || made)) {
      return {.outcome = Outcome::partial,
              .reason = fmt::format("`{}` stands beside data", root.error)};
    }
  }
  if (!root.error.empty() && !root.success.empty() && plain(root.error) != "errors") {
    return failed(fmt::format("`{}` names an error", root.error),
                  fmt::format("`{}` is true", root.success));
  }
  if (!root.error.empty() && !root.has_content) {
    return failed(fmt::format("`{}` names an error, and nothing else is there", root.error),
                  root.success.empty() ? std::string() : fmt::format("`{}` is true", root.success));
  }
  if (!root.mark.empty() && !root.has_content && root.success.empty()) {
    return failed(fmt::format("`{}` marks a failure, and nothing else is there", root.mark));
  }
  if (!root.status.empty() && !root.has_identity && root.success.empty()) {
    return failed(fmt::format("`{}` is the code of a request that failed", root.status));
  }
  if (!parts.failed.empty() && parts.succeeded) {
    return {.outcome = Outcome::partial,
            .reason = fmt::format("`{}` names parts that failed", parts.failed)};
  }
  if (!parts.failed.empty() && (parts.says_success || verb == Verb::action)) {
    return failed(fmt::format("`{}` names parts that failed, and none succeeded", parts.failed));
  }
  if (data.size() == 1) {
    const auto detail = data.find("detail");
    if (detail && detail->is_string()) {
      return {.possible_failure = true, .reason = "the only member is `detail`"};
    }
  }
  return {.reason = "no mark of a failure"};
}

}  // namespace enfold::contract::detail
