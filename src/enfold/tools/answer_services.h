// SPDX-License-Identifier: Apache-2.0
// What all tool calls of one service share: settings, archive, counters, the key of its cursors,
// clock and random numbers.
#pragma once

#include "enfold/contract/cursors/cursor.h"
#include "enfold/serve/service.h"
#include "enfold/tools/offered_tool.h"
#include "enfold/tools/settings.h"

#include <memory>
#include <string>
#include <string_view>

namespace enfold::tools {

struct AnswerServices {
  const ServiceSettings* settings;
  std::string name;  ///< of the server, as it introduces itself
  std::string version;
  serve::Host* host;
  std::shared_ptr<store::Archive> archive;
  std::shared_ptr<store::Counters> counters;
  contract::CursorKey key;
  /// For clients that ask for no contract, by the flag response_contract_v2.
  AnswerContract contract_with_v2;
  AnswerContract contract_without_v2;
};

/// What the settings leave open lives in memory. `invalid_input` for a contract that does not
/// exist. `settings` and `host` must outlive it.
[[nodiscard]] Result<AnswerServices> make_services(const ServiceSettings& settings,
                                                   std::string name, std::string version,
                                                   serve::Host& host);

[[nodiscard]] std::int64_t seconds_of(const serve::Host& host);
[[nodiscard]] store::Time store_time(const serve::Host& host);

/// The state of a question to the user, sealed for this tool and this principal for an hour.
[[nodiscard]] std::string seal_state(const json::Value& state, std::string_view about,
                                     std::string_view principal, const AnswerServices& services);
/// `invalid_input` for one that was altered, made for something else, or is too old.
[[nodiscard]] Result<json::Value> open_state(std::string_view sealed, std::string_view about,
                                             std::string_view principal,
                                             const AnswerServices& services);

}  // namespace enfold::tools
