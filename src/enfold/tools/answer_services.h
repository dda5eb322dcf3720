// SPDX-License-Identifier: Apache-2.0
// What all tool calls of one service share: settings, archive, counters, the key of its cursors,
// clock and random numbers.
#pragma once

#include "enfold/contract/cursors/cursor.h"
#include "enfold/serve/service.h"
#include "enfold/tools/offered_tool.h"
#include "enfold/tools/settings.h"

namespace enfold::tools {

struct AnswerServices {
  const ServiceSettings* settings;
  std::string name;  ///< of the server, as `initialize` reports it
  std::string version;
  serve::Host* host;
  std::shared_ptr<store::Archive> archive;
  std::shared_ptr<store::Counters> counters;
  contract::CursorKey key;
  /// The contracts of clients that choose none, with and without the flag response_contract_v2.
  AnswerContract contract_with_v2;
  AnswerContract contract_without_v2;
};

/// Archive and counters that the settings do not have are kept in memory. Fails with
/// `invalid_input` for an unknown contract. `settings` and `host` must outlive the result.
[[nodiscard]] Result<AnswerServices> make_services(const ServiceSettings& settings,
                                                   std::string name, std::string version,
                                                   serve::Host& host);

/// Wall-clock time in seconds since 1970.
[[nodiscard]] inline store::Time store_time(const serve::Host& host) {
  return std::chrono::floor<std::chrono::seconds>(host.calendar());
}
[[nodiscard]] inline std::int64_t seconds_of(const serve::Host& host) {
  return store_time(host).time_since_epoch().count();
}

/// The state of a question to the user, signed for this tool and this principal, valid for an hour.
[[nodiscard]] std::string seal_state(const json::Value& state, std::string_view about,
                                     std::string_view principal, const AnswerServices& services);
/// Fails with `invalid_input` if it was altered, belongs to another tool or principal, or expired.
[[nodiscard]] Result<json::Value> open_state(std::string_view sealed, std::string_view about,
                                             std::string_view principal,
                                             const AnswerServices& services);

}  // namespace enfold::tools
