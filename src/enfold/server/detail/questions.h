// SPDX-License-Identifier: Apache-2.0
// What travels with the questions of a handler: a signed state (`requestState`) with the handler's
// own state, with what was asked, and with the answers so far. It is valid only for the same
// principal, the same tool, prompt or resource, and the same arguments.
#pragma once

#include "enfold/mcp/types/call.h"
#include "enfold/server/context.h"
#include "enfold/tools/answer_services.h"

namespace enfold::server {

/// Sets CallFacts::inputs, answers and state from what the client has sent. Fails with
/// `invalid_input` if the state was altered, belongs to another call, or has expired.
[[nodiscard]] Status read_answers(const mcp::Call& call, const tools::AnswerServices& services,
                                  CallFacts& facts);

/// The reply that asks the client. `facts`: of the call, after read_answers(). `life`: how long the
/// client may take.
[[nodiscard]] mcp::InputRequired ask(NeedsInput&& needs, const mcp::Call& call,
                                     const CallFacts& facts, const tools::AnswerServices& services,
                                     std::chrono::seconds life = tools::kStateLife);

}  // namespace enfold::server
