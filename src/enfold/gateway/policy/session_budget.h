// SPDX-License-Identifier: Apache-2.0
// A cap on the tokens of all answers of a session. An answer that may reach into the last fifth of
// the cap gets at most half of the tokens that are left; when fewer than budget::kSmallestBudget
// are left, each answer gets at most kSmallestBudget, even beyond the cap. Used only on the loop's
// thread.
#pragma once

#include "enfold/budget/budget.h"
#include "enfold/mcp/types/result.h"
#include "enfold/model/response.h"
#include "enfold/token/tokenizer.h"

namespace enfold::gateway {

class SessionBudget {
 public:
  explicit SessionBudget(std::uint64_t cap) : cap_(cap) {}

  struct Share {
    std::size_t tokens = 0;                   ///< that the answer may have; reserved until `settle`
    std::optional<model::Warning> warning{};  ///< to add to the answer; nullopt: none
  };
  /// Reserves tokens for an answer. `wanted`: the tokens that it could have without the cap.
  [[nodiscard]] Share reserve(std::size_t wanted);
  /// Ends the reservation and counts `tokens`, those of the answer that was sent, as used. Call it
  /// once for each share.
  void settle(const Share& share, std::uint64_t tokens);

  [[nodiscard]] std::uint64_t used() const { return used_; }
  /// Used or reserved.
  [[nodiscard]] std::uint64_t spent() const { return used_ + reserved_; }
  [[nodiscard]] std::uint64_t cap() const { return cap_; }

 private:
  std::uint64_t cap_;
  std::uint64_t used_ = 0;      ///< tokens of answers whose shares are settled
  std::uint64_t reserved_ = 0;  ///< tokens of shares that are not settled yet
};

/// The budgets of clients without a session, by principal and client name. When a principal has too
/// many, the budget with the fewest spent tokens is dropped.
class SessionBudgets {
 public:
  /// The budget of a client, created on first use; later calls ignore `cap`.
  [[nodiscard]] std::shared_ptr<SessionBudget> of(const std::string& principal,
                                                  std::string_view client, std::uint64_t cap);

 private:
  std::map<std::string, std::map<std::string, std::shared_ptr<SessionBudget>>> by_principal_;
};

/// The tokens of the part of an answer that a model reads: its text, or its structured content if
/// it has no text.
[[nodiscard]] std::uint64_t count_tokens(const mcp::Reply& reply,
                                         const token::Tokenizer& tokenizer);

/// The reply with `dev.enfold/session` (tokens used, cap) in `_meta` of its result. Only a
/// CompleteResult is changed.
[[nodiscard]] mcp::Reply with_session_usage(mcp::Reply reply, const SessionBudget& budget);

}  // namespace enfold::gateway
