// SPDX-License-Identifier: Apache-2.0
// What all tool calls of one service share: settings, archive, counters, the key of its cursors,
// clock and random numbers.
#pragma once

#include "enfold/contract/cursors/cursor.h"
#include "enfold/serve/service.h"
#include "enfold/store/stores.h"
#include "enfold/tools/offered_tool.h"
#include "enfold/tools/opened_answers.h"
#include "enfold/tools/settings.h"

#include <atomic>

namespace enfold::tools {

/// Logs when a store begins to fail and when it works again, but not every failure in between. May
/// be called from any thread.
class StoreLog {
 public:
  StoreLog(serve::Log log, std::string name) : log_(std::move(log)), name_(std::move(name)) {}
  /// Called after each use of the store. `problem`: why the use failed; nullptr: it succeeded.
  void note(const Error* problem);

 private:
  serve::Log log_;
  std::string name_;  ///< of the store: begins the events NAME_unavailable and NAME_available
  std::atomic<bool> is_failing_ = false;
};

struct AnswerServices {
  const ServiceSettings* settings;
  std::string name;  ///< of the server, as `initialize` reports it
  std::string version;
  serve::Host* host;
  std::shared_ptr<store::Archive> archive;
  /// `archive`, if the settings have one; else nullptr.
  std::shared_ptr<store::ArchiveWithSpare> archive_with_spare;
  std::shared_ptr<store::Counters> counters;        ///< of the rate limits: calls per principal
  std::shared_ptr<store::Counters> spare_counters;  ///< in memory, for calls while `counters` fail
  // What logs failures of `archive` and of `counters`. The default logs nothing.
  std::shared_ptr<StoreLog> archive_log = std::make_shared<StoreLog>(serve::Log(), "archive");
  std::shared_ptr<StoreLog> counters_log = std::make_shared<StoreLog>(serve::Log(), "rate_limits");
  bool offers_sql = false;                ///< archived answers can be asked by SQL
  contract::CursorKey key;                ///< signs cursors, and states of questions
  std::shared_ptr<OpenedAnswers> opened;  ///< archived answers that were queried last
  /// The contracts for calls whose client chooses none. The feature flag response_contract_v2 is
  /// evaluated for each call: on for this client, or off.
  AnswerContract contract_with_v2_flag;
  AnswerContract contract_without_v2_flag;
};

/// Where the settings have no archive or counters, they are in memory. Fails for an unknown
/// contract and for a cursor key that is too short. `settings` and `host` must outlive the result.
[[nodiscard]] Result<AnswerServices> make_services(const ServiceSettings& settings,
                                                   std::string name, std::string version,
                                                   serve::Host& host);

/// A text of an author or a client, as the log may show it: redacted as answers are.
[[nodiscard]] std::string text_for_log(std::string_view text, const ServiceSettings& settings);

/// Wall-clock time in seconds since 1970.
[[nodiscard]] inline store::Time store_time(const serve::Host& host) {
  return std::chrono::floor<std::chrono::seconds>(host.calendar());
}
[[nodiscard]] inline std::int64_t seconds_of(const serve::Host& host) {
  return store_time(host).time_since_epoch().count();
}

/// Whether the original of an answer of this principal can probably be kept. False: a call whose
/// answer may be cut must be refused before it runs.
[[nodiscard]] inline bool has_archive_room(const AnswerServices& services,
                                           const std::string& principal) {
  return !services.settings->keeps_originals || !services.archive_with_spare ||
         services.archive_with_spare->has_room(principal, store_time(*services.host));
}

/// How long a sealed state is valid, unless something else is said.
inline constexpr std::chrono::seconds kStateLife = std::chrono::hours(1);
/// The state of a question to the user (MCP `requestState`), signed for this principal. `asker`:
/// what asks: the name of a tool or prompt, or the URI of a resource.
[[nodiscard]] std::string seal_state(const json::Value& state, std::string_view asker,
                                     std::string_view principal, const AnswerServices& services,
                                     std::chrono::seconds life = kStateLife);
/// The state again. Fails with `invalid_input` if it was altered, was sealed for another `asker` or
/// principal, or has expired.
[[nodiscard]] Result<json::Value> open_state(std::string_view sealed, std::string_view asker,
                                             std::string_view principal,
                                             const AnswerServices& services);

}  // namespace enfold::tools
