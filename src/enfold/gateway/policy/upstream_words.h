// SPDX-License-Identifier: Apache-2.0
// What upstreams write besides tool answers, as others may see it: secrets are redacted in the
// channels of the settings, and members that only the gateway may write are moved to
// `dev.enfold/upstream` (answer/provenance.h). This is the only place that decides it.
#pragma once

#include "enfold/client/client.h"
#include "enfold/gateway/config/settings.h"

namespace enfold::gateway {

/// nullptr: secrets stay in this channel.
[[nodiscard]] const redact::Policy* policy_for(const Settings& settings, RedactionChannel channel);

/// A result or the params of a notification. Null if it cannot be redacted.
[[nodiscard]] json::Value show_value(const Settings& settings, RedactionChannel channel,
                                     json::Value value);
/// Descriptions, schemas: every string is redacted for itself, because the name of an argument,
/// such as `token`, says nothing about the members of its schema.
[[nodiscard]] json::Value show_texts(const Settings& settings, RedactionChannel channel,
                                     json::Value value);
[[nodiscard]] std::string show_text(const Settings& settings, RedactionChannel channel,
                                    std::string text);

/// The results of tools and tasks: AnswerWriter redacts them.
[[nodiscard]] inline bool is_tool_answer(std::string_view method) {
  return method == mcp::name(mcp::Method::tools_call) || method.starts_with("tasks/");
}

/// A result or notification that is no answer yet: a question, or the state of a task. The ids and
/// states with which the client continues stay. Null if it cannot be redacted.
[[nodiscard]] json::Value show_unfinished(json::Value value, const redact::Policy* policy);

/// The reply of an upstream to a request of this method; a tool answer stays as it is. An error is
/// cut: its message to 16 KiB; data of more than 256 KiB are left out.
void filter_reply(const Settings& settings, std::string_view method, client::CallResult& result);

/// A log that writes lines without secrets.
[[nodiscard]] serve::Log filtered_log(const Settings& settings);

}  // namespace enfold::gateway
