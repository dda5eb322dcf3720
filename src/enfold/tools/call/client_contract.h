// SPDX-License-Identifier: Apache-2.0
// What a client gets: the contract that it negotiated, and the profile of its model. Both go by
// what the client says of itself in the handshake, in `_meta` of the call, and by the settings.
#pragma once

#include "enfold/token/profile.h"
#include "enfold/tools/answer_services.h"

#include <string>
#include <vector>

namespace enfold::tools {

/// `_meta` of a call, unless the protocol's own members are all that it holds; null: nothing there
/// is for Enfold.
[[nodiscard]] json::View enfold_meta(const mcp::Call& call);

/// As the client calls itself, else "anonymous".
[[nodiscard]] std::string client_name(const mcp::Call& call);

/// `warnings` get what the client must be told about the negotiation.
[[nodiscard]] AnswerContract negotiated_contract(const mcp::Call& call, const serve::Memory& memory,
                                                 const AnswerServices& services,
                                                 std::vector<model::Warning>& warnings);

/// The same where there is no answer to warn in.
[[nodiscard]] AnswerContract contract_for(const mcp::Call& call, const serve::Memory& memory,
                                          const AnswerServices& services);

/// What is known of a client, by the name and version that it gives itself, unless the settings say
/// otherwise. `caller` may be null.
[[nodiscard]] const token::Profile& profile_for(const ServiceSettings& settings,
                                                const mcp::Caller* caller);
/// Where answers to such a client stand: a model that reads both channels would pay twice.
[[nodiscard]] answer::Channels channels_for(const ServiceSettings& settings,
                                            const token::Profile& profile);

}  // namespace enfold::tools
