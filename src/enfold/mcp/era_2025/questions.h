// SPDX-License-Identifier: Apache-2.0
// The questions of a session: requests of the server to the client, on its own account or because
// the answer to a call was `InputRequired`.
#pragma once

#include "enfold/mcp/peer/server_action.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::mcp::era_2025 {

struct Question {
  Id id;
  std::optional<ServerRequestKey> key;  ///< asked by the application itself
  std::optional<CallKey> about;         ///< of this call
  std::string input;                    ///< key among the call's inputs
  Time deadline;
};

class Questions {
 public:
  /// Without a key the question belongs to the inputs of the call.
  [[nodiscard]] Send ask(std::optional<ServerRequestKey> key, std::optional<CallKey> about,
                         const InputRequest& request, Time deadline);

  /// The question that a response with this id answers. It is open no longer.
  [[nodiscard]] std::optional<Question> take(const Id& id);
  /// One whose deadline has passed.
  [[nodiscard]] std::optional<Question> take_late(Time now);

  /// The client need not answer any more.
  [[nodiscard]] ServerActions withdraw(ServerRequestKey key, std::string_view reason);
  [[nodiscard]] ServerActions withdraw_inputs(CallKey call, std::string_view reason);
  /// The client is gone: the application's questions fail.
  [[nodiscard]] ServerActions fail_all(std::string_view reason);

  [[nodiscard]] std::size_t size() const { return open_.size(); }
  [[nodiscard]] std::optional<Time> next_deadline() const;

 private:
  std::vector<Question> open_;
  std::int64_t last_id_ = 0;
};

}  // namespace enfold::mcp::era_2025
