// SPDX-License-Identifier: Apache-2.0
// Turns what upstreams write, besides tool answers, into what clients, logs and metrics show:
// secrets are redacted in the channels of the settings, and members that only the gateway may write
// are moved to `dev.enfold/upstream` (answer/provenance.h). No other code of the gateway does this.
#pragma once

#include "enfold/client/client.h"
#include "enfold/gateway/config/settings.h"

namespace enfold::gateway {

/// The policy for this channel; nullptr: it is not redacted.
[[nodiscard]] const redact::Policy* policy_for(const Settings& settings, RedactionChannel channel);

/// A result, or the params of a notification, redacted. Null if it cannot be redacted.
[[nodiscard]] json::Value show_value(const Settings& settings, RedactionChannel channel,
                                     json::Value value);
/// A description or schema, redacted: each string by its content alone. Names of members do not
/// count: in a schema, the member `token` describes an argument and is no secret.
[[nodiscard]] json::Value show_texts(const Settings& settings, RedactionChannel channel,
                                     json::Value value);
[[nodiscard]] std::string show_text(const Settings& settings, RedactionChannel channel,
                                    std::string text);

/// Whether results of this method are answers of tools or tasks, which AnswerWriter redacts.
[[nodiscard]] inline bool is_tool_answer(std::string_view method) {
  return method == mcp::name(mcp::Method::tools_call) || method.starts_with("tasks/");
}

/// A result or notification that is no answer yet (a question, or the state of a task), redacted.
/// Ids and states that the client sends back stay. `policy` nullptr: nothing is redacted. Null if
/// it cannot be redacted.
[[nodiscard]] json::Value redact_interim(json::Value value, const redact::Policy* policy);

/// Redacts the reply of an upstream to a request of this method, but for a tool answer. Of an
/// error, it also cuts the message to 16 KiB and leaves out data of more than 256 KiB.
void filter_reply(const Settings& settings, std::string_view method, client::CallResult& result);

/// The log of the settings; redacts secrets in lines if the channel `logs` is redacted.
[[nodiscard]] serve::Log filtered_log(const Settings& settings);

}  // namespace enfold::gateway
