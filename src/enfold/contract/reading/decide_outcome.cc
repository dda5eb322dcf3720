// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/stated_outcome.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failure.h"
#include "enfold/contract/reading/outcome.h"
#include "enfold/contract/reading/unwrap.h"
#include "enfold/model/content.h"

#include <fmt/core.h>

namespace enfold::contract::detail {
namespace {

using model::Outcome;
using model::Response;
using model::Wrapping;

// The first text of the payload, else of the content blocks, that holds no JSON; empty: none.
std::string first_text(const Response& response, const Limits& limits) {
  if (!response.payload) return {};
  const json::View payload = response.payload->view();
  if (payload.is_string() && !json_in_text(payload, limits, Lists::skip)) return payload.string();
  const json::View blocks = response.wrapping == Wrapping::content ? payload : json::View();
  for (const json::View block : blocks.items()) {
    const auto text = model::text_of(block);
    if (text && !json_in_text(*text, limits, Lists::skip)) return text->string();
  }
  for (const json::Value& block : response.blocks) {
    const auto text = model::text_of(block.view());
    if (text && !json_in_text(*text, limits, Lists::skip)) return text->string();
  }
  return {};
}

// Sets the failure of the response. The payload keeps only what does not describe the failure.
void read_failure(Response& response, const InnerData& inner, ReadContext& context) {
  const json::View data = inner.data.view();
  FailureReading found;
  // The first object of a list describes the failure, unless the list is that of the content
  // blocks.
  const json::View first = data.item(0).value_or(json::View());
  const bool lists_objects = first.is_object() && response.wrapping != Wrapping::content;
  if (data.is_object() || lists_objects) {
    found = failure_of_data(data);
    if (found.failure.message.empty()) {
      std::string text = first_text(response, context.options.limits);
      if (!text.empty()) {
        FailureReading of_text = failure_of_text(std::move(text));
        found.failure.message = std::move(of_text.failure.message);
        if (found.failure.kind == model::ErrorKind::tool_error) {
          found.failure.kind = of_text.failure.kind;
          found.reason = std::move(of_text.reason);
        }
      }
    }
  } else {
    std::string text = first_text(response, context.options.limits);
    if (text.empty() && response.payload) text = json::to_text(data);
    found = failure_of_text(std::move(text));
  }
  context.rule += "; its kind: " + found.reason;
  response.failure = with_message(std::move(found.failure));
  const bool is_whole_payload = inner.is_in_payload && inner.path.empty();
  if (data.is_object() && is_whole_payload) {
    response.failure->read_from_data = true;
    context.data = inner.data;
    response.payload = std::move(found.rest);
  } else if (response.wrapping == Wrapping::text) {
    // The payload is a single text, which is the message now; repeating it would cost tokens.
    response.payload.reset();
    response.wrapping = Wrapping::none;
  }
}

bool has_true_success_flag(json::View data) {
  for (const char* key : {"success", "ok"}) {
    const auto flag = data.find(key);
    if (flag && flag->is_boolean() && flag->boolean()) return true;
  }
  return false;
}

}  // namespace

void decide_outcome(Response& response, ErrorFlag flag, ReadContext& context) {
  const InnerData inner = inner_data(response, context.options.limits, Lists::skip);
  const json::View data = inner.data.view();
  const bool is_block_list = response.wrapping == Wrapping::content && inner.is_in_payload;
  const std::string_view tool = context.options.tool;
  OutcomeReading found = is_block_list
                             ? outcome_of_text(first_text(response, context.options.limits), tool)
                         : data.is_string() ? outcome_of_text(data.string(), tool)
                                            : outcome_of_data(data, tool);
  response.outcome = found.outcome;
  context.rule = std::move(found.reason);
  if (flag == ErrorFlag::yes) {
    response.outcome = Outcome::failed;
    context.rule = "isError is true";
    context.is_error = true;
    if (has_true_success_flag(data))
      response.warnings.push_back(contradiction_warning("the data say success", "isError is true"));
  } else if (found.outcome == Outcome::failed) {
    if (!found.contradiction.empty()) {
      response.warnings.push_back(contradiction_warning(found.contradiction, context.rule));
    } else if (flag == ErrorFlag::no) {
      response.warnings.push_back(contradiction_warning("isError is false", context.rule));
    }
  }
  if (response.outcome == Outcome::failed) return read_failure(response, inner, context);
  if (found.possible_failure) {
    response.warnings.push_back(
        make_warning("POSSIBLE_FAILURE",
                     fmt::format("The tool answered without an error flag, but {}", context.rule)));
  }
}

}  // namespace enfold::contract::detail
