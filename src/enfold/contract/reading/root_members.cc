// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/root_members.h"

#include "enfold/base/text.h"
#include "enfold/contract/reading/failed_parts.h"
#include "enfold/contract/reading/failure_kind.h"
#include "enfold/contract/reading/outcome.h"
#include "enfold/contract/reading/words.h"

#include <algorithm>
#include <charconv>

namespace enfold::contract::detail {
namespace {

// Members that describe a failure, or the answer as such, and nothing else. In the form of plain().
constexpr WordText kDescribesFailure(
    "success ok err errmsg errno errname errcode ecode codename reasoncode subcode problem "
    "failurereason usermessage developermessage displaymessage localizedmessage statusmessage "
    "retcode moreinfourl helptext link contextinfo returnmsg resultdesc resultmessage resultmsg "
    "meta header headers responseheader logref message messages msg text reason reasons detail "
    "details description desc title summary type code codes cod status statuscode statustext "
    "httpstatus httpstatuscode httpcode instance kind apiversion metadata object class name "
    "exception exceptions cause causes rootcause stack stacktrace trace traces traceback path "
    "timestamp time date datetime requestid requesturl traceid spanid correlationid debugid logid "
    "errorref reference ref documentationurl documentation docurl docs doc docslink help helpurl "
    "helplink moreinfo info infourl requestlogurl hint hints suggestion suggestions remediation "
    "resolution advice action retryafter retryafterms retryafterseconds retryin retryable "
    "isretryable temporary global service method url uri href host endpoint field fields param "
    "params parameter parameters invalidparams property properties violations fieldviolations "
    "validation validationerrors extensions locale language severity level category subcategory "
    "domain context request version jsonapi jsonrpc responsemetadata needed provided expected "
    "received limit remaining resource resourcetype resourceid command exitcode signal elapsed "
    "duration took warnings warning links issuccess issuccessful successful succeeded failed "
    "iserror haserror haserrors result state diagnostics source line column position near sqlstate "
    "authorized valid authenticated expired schemaversion toolname tool operation outcome "
    "responsetype");

// Members whose value is an error, if it is not empty.
constexpr WordText kErrorNames("error errors err fault problem odataerror errorresponse");

// Members whose value is a part of an error, such as its code, if it is not empty, zero or "ok".
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
    if (std::ranges::any_of(item.members(), [](const json::Member& one) {
          return plain(one.key.string_source()).ends_with("errors") && !is_empty(one.value);
        })) {
      return true;
    }
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

// Whether a member identifies a thing, so that the object with this member is about that thing.
bool is_identity(std::string_view key) {
  return has_word<"id uuid guid key number sku slug jobid runid buildid taskid name">(key);
}

// Whether a member is an id or a time that things have and failures do not have.
bool is_id_or_time_of_thing(std::string_view key) {
  return !has_word<"refid fbtraceid messageid trackingid transactionid pspreference clientid">(
             key) &&
         (key.ends_with("id") || key.ends_with("arn") || key.ends_with("at") ||
          key.ends_with("date") || key.starts_with("date") || key.starts_with("created"));
}

// Whether a text is a single word that says that something failed.
bool is_failure_word(std::string_view word) {
  return has_word<"error failed failure fail fatal exception notok">(to_lower(word));
}

bool is_false(json::View value) { return truth_of(value) == false; }
bool is_true(json::View value) { return truth_of(value) == true; }

// Whether a value in `data` is about one wrong field: a text, or {"code": …, "message": …}.
bool is_about_field(const json::Member& one) {
  return one.value.is_string() || (one.value.find("message") && one.value.find("code"));
}

// Whether `data` tells what is wrong by field: {"status": "fail", "data": {"id": "No such post"}}.
bool is_failed_data(json::View data, json::View object) {
  if (!data.is_object() || data.size() == 0) return false;
  const auto status = object.find("status");
  const auto code = object.find("code");
  const bool failed = (status && status->equals("fail")) || (code && is_failed_status(*code));
  return failed && std::ranges::all_of(data.members(), is_about_field);
}

// Whether an object in `status` or `meta` says that the request failed.
bool says_request_failed(json::View value) {
  if (!value.is_object()) return false;
  return std::ranges::any_of(value.members(), [](const json::Member& one) {
    const std::string key = plain(one.key.string_source());
    if (has_word<"issuccess success ok">(key)) return is_false(one.value);
    if (has_word<"code statuscode status httpstatus">(key)) return is_failed_status(one.value);
    return has_word<"rc result">(key) && one.value.is_string() &&
           is_failure_word(one.value.string());
  });
}

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
  if (is_failure_word(text)) return true;
  constexpr std::size_t longest_words = 30;  // "unprocessable entity"
  if (text.find(' ') != std::string::npos) {
    return text.size() <= longest_words && kind_of_code(text).has_value();
  }
  if (has_word<"no not invalid missing unknown bad too failed unsupported wrong expired denied">(
          words_of(text).front())) {
    return true;
  }
  if (text.ends_with("Error") || text.ends_with("Exception") || text.ends_with("Fault"))
    return true;
  const auto kind = kind_of_code(text);
  return kind.has_value();
}

// Whether a `status` is the code of a request, as map and search services answer REQUEST_DENIED or
// NOT_FOUND. FAILED and TIMEOUT are not: they are states of jobs.
bool is_status_code(json::View value) {
  if (!value.is_string() || is_failure_word(value.string())) return false;
  const std::string text = value.string();
  const bool upper = text.find('_') != std::string::npos &&
                     std::ranges::none_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
  return upper && kind_of_code(text).has_value();
}

// Whether a member of this name holds a message for people.
bool is_message(std::string_view key) {
  return has_word<
      "message messages msg detail description title reason usermessage developermessage "
      "displaymessage statusmessage statustext returnmsg resultdesc resultmessage resultmsg info "
      "errortext errormessage errormessages errordescription errormsg errmsg errorsummary "
      "errordetail errorreason errorinfo faultstring faultmessage exceptionmessage">(key);
}

// Whether an error has words for people; of a list of errors, only the first is read.
bool has_words(json::View errors) {
  if (errors.is_string()) return errors.string_source().find(' ') != std::string_view::npos;
  const json::View first = errors.item(0).value_or(json::View());
  if (first.is_string()) return has_words(first);
  return std::ranges::any_of(first.members(), [](const json::Member& one) {
    return is_message(plain(one.key.string_source())) && one.value.is_string() &&
           !is_empty(one.value);
  });
}

// Whether the value of a member of kErrorMembers says that there is an error: not 0, "OK" or "no
// error".
bool tells_error(json::View value) {
  if (is_empty(value)) return false;
  const std::string_view text = value.is_string() ? value.string_source() : value.number();
  return !has_word<"0 00 000 0000 00000 ok success successful none noerror null">(plain(text));
}

// Whether a text is a code that names a kind of failure, and no sentence.
bool names_kind_alone(json::View text) {
  const std::string_view code = text.string_source();
  return code.find(' ') == std::string_view::npos && names_kind(code);
}

// Whether a member other than success and error says that the call failed.
bool is_mark(std::string_view key, json::View value, json::View object) {
  if (has_word<"status result state outcome">(key)) {
    if (key == "status" && value.is_boolean()) return !value.boolean();
    if (key == "status") return is_failure_status(value);
    return value.is_string() && is_failure_word(value.string());
  }
  if (has_word<"statuscode httpstatus httpstatuscode httpcode cod">(key))
    return is_failed_status(value);
  if (has_word<kErrorMembers>(key)) return tells_error(value);
  if (key == "type" && object.find("__type")) return value.is_string();  // __type of AWS
  if (has_word<"name type class">(key)) {
    return value.is_string() &&
           ((key == "type" && value.equals("error")) || value.string().ends_with("Error") ||
            value.string().ends_with("Exception") || (key == "name" && is_failure_code(value)));
  }
  // {"id": "not_found", "message": …}
  if (key == "id") return value.is_string() && names_kind(value.string());
  if (has_word<"returncode resultcode retcode">(key)) {
    return value.is_string() && is_failure_word(value.string());
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
  if (key == "detail" && value.is_object()) return value.find("message") || value.find("msg");
  if (key == "detail" && value.is_array()) {  // FastAPI lists what is wrong with the request
    const auto first = value.item(0);
    return first && first->find("msg") && first->find("loc");
  }
  return false;
}

// Whether a mark counts only beside a message, because a code or a type alone may be a result.
bool needs_message(std::string_view key) {
  return has_word<
      "id code type name class status statuscode errorcode errcode errno ecode object httpstatus "
      "httpcode cod">(key);
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
  return has_word<kDescribesFailure>(key) || key.starts_with("retry") || key.starts_with("fault") ||
         key.find("error") != std::string_view::npos;
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

std::optional<json::View> failed_status_object(json::View object) {
  for (const char* name : {"status", "meta", "header"}) {
    const auto value = object.find(name);
    if (value && says_request_failed(*value)) return value;
  }
  return std::nullopt;
}

std::optional<json::View> soap_body(json::View object) {
  const auto inside = [](json::View from, std::string_view name) -> std::optional<json::View> {
    for (const json::Member& member : from.members()) {
      const bool named = plain(member.key.string_source()).ends_with(name);
      if (named && member.value.is_object()) return member.value;
    }
    return std::nullopt;
  };
  const auto envelope = object.size() == 1 ? inside(object, "envelope") : std::nullopt;
  return envelope ? inside(*envelope, "body") : std::nullopt;
}

namespace {

/// Reads the members one by one, then decides about those whose meaning depends on the others.
class RootReader {
 public:
  explicit RootReader(json::View object) : object_(object), rpc_(is_rpc(object)) {}

  Root read() {
    for (const json::Member& member : object_.members()) {
      read_member(member.key.string(), member.value);
    }
    decide_content();
    decide_mark();
    return std::move(root_);
  }

 private:
  void read_member(const std::string& name, json::View value) {
    const std::string key = plain(name);
    if (take_flag(name, key, value) || take_error(name, key, value)) return;
    if (is_message(key) && value.is_string() && !is_empty(value)) {
      root_.has_text = true;
      says_failed_ = says_failed_ || is_failure_word(value.string()) || names_kind_alone(value);
    }
    if (take_other_mark(name, key, value)) return;
    root_.has_identity = root_.has_identity || is_identity(key);
    const bool describes =
        describes_failure(key) && !(has_word<"data result results">(key) && value.is_container());
    if (rpc_ && key == "id") return;
    if (!describes && !is_empty(value) && !is_flags(value) && !lists_problems(value) &&
        !is_failed_request(value)) {
      take_content(key, value);
    }
  }

  // These three note what the member says about the call; false: it is no flag, error or mark.
  // `key`: `name` in the form of plain().
  bool take_flag(const std::string& name, const std::string& key, json::View value) {
    if (!has_word<"success ok issuccess issuccessful successful succeeded">(key)) return false;
    if (key != "success" && key != "ok" && !value.is_boolean()) return false;
    if (is_false(value)) root_.failure = name;
    if (is_true(value)) root_.success = name;
    return true;
  }

  bool take_error(const std::string& name, const std::string& key, json::View value) {
    if (!has_word<kErrorNames>(key)) return false;
    if (!names_error(value) && !(key == "errors" && is_true(value))) return false;
    if (root_.error.empty() || plain(root_.error) == "errors") {
      root_.error = name;
      error_has_words_ = has_words(value);
      error_is_text_ = value.is_string();
      error_names_kind_ = error_is_text_ && names_kind(value.string());
    }
    return true;
  }

  bool take_other_mark(const std::string& name, const std::string& key, json::View value) {
    constexpr std::size_t few_members = 4;
    if (has_word<"status meta header">(key) && says_request_failed(value)) {
      root_.mark = name;
      return true;
    }
    // {"title": "Resource Not Found", "message": …}
    if (key == "title" && object_.size() <= few_members && object_.find("message") &&
        is_failure_code(value)) {
      weak_mark_ = name;
      return true;
    }
    if (key == "data" && is_failed_data(value, object_)) {
      root_.has_text = true;
      return true;
    }
    status_is_false_ = status_is_false_ || (key == "status" && is_false(value));
    if (key == "status" && is_status_code(value)) root_.status = name;
    if (!is_mark(key, value, object_)) return false;
    has_failed_status_ = has_failed_status_ || (!value.is_container() && is_failed_status(value));
    has_strong_mark_ = has_strong_mark_ || has_failed_status_ || has_word<kErrorMembers>(key);
    std::string& mark = needs_message(key) ? weak_mark_ : root_.mark;
    if (mark.empty()) mark = name;
    ++marks_;
    return true;
  }

  // Notes a member that has content, and is no part of a failure by its name.
  void take_content(const std::string& key, json::View value) {
    if (key == "id" && !value.is_container()) {
      root_.has_id = true;
    } else if (value.is_array() && value.item(0) && value.item(0)->is_string()) {
      has_texts_ = true;
    } else if (value.is_container() && !is_identity(key)) {
      has_containers_ = true;
    } else if (is_identity(key)) {
      root_.has_content = true;
    } else if (!is_false(value)) {
      ++root_.scalars;
      has_ids_ = has_ids_ || is_id_or_time_of_thing(key);
    }
  }

  void decide_content() {
    // Beside an HTTP status and a message, an id is that of the failure.
    const bool id_of_failure = (has_failed_status_ && root_.has_text) ||
                               (!root_.error.empty() && !weak_mark_.empty() && error_has_words_);
    if (root_.has_id && !id_of_failure) root_.has_content = true;
    if (has_texts_ && !(root_.has_text && error_names_kind_)) root_.has_content = true;
    // A status, another mark and a message are a failure, whatever is beside them.
    if (has_containers_ && !(has_failed_status_ && marks_ > 1 && root_.has_text)) {
      root_.has_content = true;
    }
    // Beside an error and a message, numbers and texts are about the failure. So are one or two of
    // them beside another clear mark, unless they are ids or times.
    constexpr int few = 2;
    const bool has_error = !root_.error.empty();
    const bool may_be_about = root_.scalars <= few && !has_ids_;
    const bool about_failure =
        (has_error && (root_.has_text || (error_has_words_ && !error_is_text_))) ||
        (may_be_about &&
         ((has_error && (error_has_words_ || error_names_kind_)) ||
          (status_is_false_ && says_failed_) || (has_strong_mark_ && root_.has_text)));
    root_.has_content = root_.has_content || (root_.scalars > 0 && !about_failure);
  }

  void decide_mark() {
    if (status_is_false_ && says_failed_ && root_.mark.empty()) root_.mark = "status";
    if (root_.mark.empty() && root_.has_text) root_.mark = weak_mark_;
    // RFC 9457: a title may stand alone beside the status.
    if (root_.mark.empty() && object_.find("title") && !weak_mark_.empty()) {
      root_.mark = weak_mark_;
    }
    root_.is_state =
        has_word<"status result state outcome">(plain(root_.mark)) && !has_failed_status_;
  }

  json::View object_;
  bool rpc_;  ///< the object is a JSON-RPC response, in which `id` is that of the call
  Root root_;
  std::string weak_mark_;          ///< the key of a mark that counts only beside a message
  bool error_has_words_ = false;   ///< root_.error has a message for people
  bool error_names_kind_ = false;  ///< root_.error is the code of a kind of failure
  bool error_is_text_ = false;
  bool has_strong_mark_ = false;    ///< a status of 400 and above, or a member of kErrorMembers
  bool has_failed_status_ = false;  ///< an HTTP status of 400 and above
  bool has_ids_ = false;            ///< a member of `scalars` is an id or a time of a thing
  int marks_ = 0;                   ///< number of marks, weak ones too
  bool status_is_false_ = false;    ///< `status` is 0 or false
  bool has_texts_ = false;          ///< a member with content is a list of texts
  bool has_containers_ = false;     ///< a member with content is another list or an object
  bool says_failed_ = false;        ///< the message is a word such as "NOTOK", or a code
};

}  // namespace

Root read_root(json::View object) { return RootReader(object).read(); }

std::optional<json::View> mutation_result(json::View data) {
  const auto inside = data.find("data");
  if (!inside || !inside->is_object() || inside->size() != 1) return std::nullopt;
  for (const json::Member& member : inside->members()) {
    if (member.value.is_object()) return member.value;
  }
  return std::nullopt;
}

std::optional<json::View> mutation_errors(json::View data) {
  const auto result = mutation_result(data);
  if (!result) return std::nullopt;
  for (const json::Member& member : result->members()) {
    const bool named = has_word<"usererrors errors mutationerrors mediausererrors">(
        plain(member.key.string_source()));
    if (named && member.value.is_array() && has_words(member.value)) return member.value;
  }
  return std::nullopt;
}

}  // namespace enfold::contract::detail
