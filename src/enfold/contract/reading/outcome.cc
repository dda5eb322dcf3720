// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/outcome.h"

#include "enfold/base/text.h"
#include "enfold/contract/reading/failed_parts.h"
#include "enfold/contract/reading/root_members.h"
#include "enfold/contract/reading/words.h"
#include "enfold/json/document.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::contract::detail {
namespace {

using model::Outcome;

OutcomeReading failed(std::string reason, std::string contradiction = {}) {
  return {.outcome = Outcome::failed,
          .reason = std::move(reason),
          .contradiction = std::move(contradiction)};
}

// Keys of members that can say that the call failed, in the form of plain(). With those of lists
// whose items may say so, in one table: nearly every key is in neither, and ends at one bit.
constexpr WordText kMaySayFailure(
    "data responses items results records operations entries success ok iserror haserror haserrors "
    "status result state outcome statuscode httpstatus httpstatuscode httpcode cod fieldviolations "
    "nonfielderrors formerrors ecode type name class object code detail shards problem odataerror "
    "id issuccess issuccessful successful succeeded returncode resultcode retcode title meta "
    "header");

// Whether the object has a member that can say that the call, or a part of it, failed. Most answers
// have none: they are a success, and nothing else is read for the outcome.
bool may_say_failure(json::View object, Verb verb) {
  return std::ranges::any_of(object.members(), [&](const json::Member& member) {
    const std::string_view source = member.key.string_source();
    const PlainName name(source);
    const std::string_view key = name.view();
    if (key.size() != source.size() && member.key.has_escapes()) return true;
    if (!has_word<kMaySayFailure>(key)) {
      return key.starts_with("err") || key.starts_with("fault") || key.starts_with("exception") ||
             key.ends_with("envelope") || names_failed_parts(key);
    }
    if (key == "data") {
      return mutation_result(object) || (verb == Verb::action && member.value.is_array());
    }
    return !lists_parts(key) || verb == Verb::action || has_statuses(member.value);
  });
}

// The outcome of the only mutation of a GraphQL request; nullopt: it does not say that it failed.
std::optional<OutcomeReading> outcome_of_mutation(json::View data) {
  const auto result = mutation_result(data);
  if (!result) return std::nullopt;
  const auto flag = result->find("success");
  if (flag && truth_of(*flag) == false) return failed("`success` of the mutation is false");
  const auto errors = mutation_errors(data);
  if (!errors) return std::nullopt;
  const bool has_object = std::ranges::any_of(result->members(), [&](const json::Member& one) {
    return one.value.is_object() && !is_empty(one.value);
  });
  if (!has_object) return failed("the mutation lists errors and no result");
  return OutcomeReading{.outcome = Outcome::partial,
                        .reason = "the mutation lists errors beside its result"};
}

// Whether an answer is the verdict of a tool that validates: {"valid": false, "errors": […]}.
bool is_verdict(json::View data) {
  return std::ranges::any_of(data.members(), [](const json::Member& one) {
    return one.value.is_boolean() &&
           has_word<"valid isvalid compliant passed conforms">(plain(one.key.string_source()));
  });
}

// The outcome of a list of the results of parts: [{"success": true}, {"success": false, …}].
OutcomeReading outcome_of_parts(json::View list) {
  const ItemOutcomes items = outcomes_of_items(list);
  if (items.failed == 0) return {.reason = "no failure mark"};
  if (items.failed == items.read) return failed("every item of the list says that it failed");
  return {.outcome = Outcome::partial, .reason = "some items say that they failed"};
}

// Whether the answer is a list of failures, as some services answer a failed request:
// [{"errorCode": …, "message": …}].
bool lists_failures(json::View data) {
  if (!data.is_array() || data.size() == 0) return false;
  return std::ranges::all_of(data.items(), [](json::View item) {
    const auto error = item.size() == 1 ? item.find("error") : std::nullopt;
    if (error && names_error(*error)) return true;
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

// What a `success` that is true says against a failure; empty: there is none.
std::string contradiction_of(const Root& root) {
  return root.success.empty() ? std::string() : fmt::format("`{}` is true", root.success);
}

bool has_partial_status(json::View data) {
  const auto status = data.find("status");
  return status && status->is_string() &&
         has_word<"partial partialsuccess partiallysucceeded partialfailure partiallycompleted">(
             plain(status->string()));
}

// The outcome by an `error` and the members beside it; nullopt: they do not decide.
std::optional<OutcomeReading> outcome_of_error(json::View data, const Root& root,
                                               const FailedParts& parts, Verb verb) {
  if (root.error.empty()) return std::nullopt;
  const bool lists_errors = plain(root.error) == "errors";
  if (lists_errors && (root.has_content || parts.succeeded)) {
    const auto data_member = data.find("data");
    const bool has_data = data_member && !is_empty(*data_member);
    const bool has_made_thing = root.has_id && verb == Verb::action;
    if (has_data || parts.succeeded || has_made_thing) {
      return OutcomeReading{.outcome = Outcome::partial,
                            .reason = fmt::format("`{}` stands beside data", root.error)};
    }
  }
  if (!root.success.empty() && !lists_errors) {
    return failed(fmt::format("`{}` names an error", root.error), contradiction_of(root));
  }
  if (root.has_content) return std::nullopt;
  return failed(fmt::format("`{}` names an error, and nothing else is there", root.error),
                contradiction_of(root));
}

// The outcome by a mark other than `error`, or by parts that failed; nullopt: they do not decide.
// `reads`: the tool only reads.
std::optional<OutcomeReading> outcome_of_marks(const Root& root, const FailedParts& parts,
                                               Verb verb, bool reads) {
  const bool is_report = reads && root.is_state && root.has_identity;
  if (!root.mark.empty() && !root.has_content && root.success.empty() && !is_report) {
    return failed(fmt::format("`{}` marks a failure, and nothing else is there", root.mark));
  }
  if (!root.status.empty() && !root.has_identity && root.success.empty()) {
    return failed(fmt::format("`{}` is the code of a request that failed", root.status));
  }
  if (!parts.failed.empty() && parts.succeeded) {
    return OutcomeReading{.outcome = Outcome::partial,
                          .reason = fmt::format("`{}` names parts that failed", parts.failed)};
  }
  if (!parts.failed.empty() && (parts.reports_successes || verb == Verb::action)) {
    return failed(fmt::format("`{}` names parts that failed, and none succeeded", parts.failed));
  }
  return std::nullopt;
}

}  // namespace

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

OutcomeReading outcome_of_data(json::View data, std::string_view tool) {
  if (data.is_boolean() && !data.boolean()) {
    return {.possible_failure = true, .reason = "the answer is false"};
  }
  if (lists_failures(data)) return failed("every item has an error code and a message");
  const Verb verb = verb_of(tool);
  if (data.is_array() && verb == Verb::action) return outcome_of_parts(data);
  if (!data.is_object() || !may_say_failure(data, verb)) return {.reason = "no failure mark"};
  const auto flag = data.find("isError");
  if (flag && truth_of(*flag) == true && data.find("content"))
    return failed("isError is true in the data");
  if (const auto body = soap_body(data)) return outcome_of_data(*body, tool);
  const Root root = read_root(data);
  const bool reads = reads_only(tool);
  // A tool list_errors answers {"errors": […]} to a call that worked.
  const bool was_asked_for_errors =
      reads && !root.error.empty() && names_one_of(tool, plain(root.error));
  if (!root.failure.empty()) {
    return failed(fmt::format("`{}` is false", root.failure), contradiction_of(root));
  }
  if (was_asked_for_errors) return {.reason = "the tool was asked for errors"};
  if (reads && is_verdict(data)) return {.reason = "the answer is a verdict"};
  if (root.error.empty() && !reads) {
    if (auto mutation = outcome_of_mutation(data)) return *std::move(mutation);
  }
  const FailedParts parts = failed_parts(data, tool);
  if (has_partial_status(data)) {
    return {.outcome = Outcome::partial, .reason = "`status` is partial"};
  }
  if (auto by_error = outcome_of_error(data, root, parts, verb)) return *std::move(by_error);
  if (auto by_mark = outcome_of_marks(root, parts, verb, reads)) return *std::move(by_mark);
  if (data.size() == 1) {
    const auto detail = data.find("detail");
    if (detail && detail->is_string()) {
      return {.possible_failure = true, .reason = "the only member is `detail`"};
    }
  }
  return {.reason = "no failure mark"};
}

}  // namespace enfold::contract::detail
