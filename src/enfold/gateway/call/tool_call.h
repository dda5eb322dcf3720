// SPDX-License-Identifier: Apache-2.0
// One call of an upstream's tool, from the client's request to the reply: admit, route, send, retry
// or fall back, shape (put into the contract and cut), reply. Route and contract are decided once,
// when the call begins.
#pragma once

#include "enfold/gateway/call/answer_writer.h"
#include "enfold/gateway/call/services.h"
#include "enfold/gateway/upstream/connection.h"

namespace enfold::gateway {

class ToolCall final : public ClientCall {
 public:
  /// Also runs Enfold's local tools; replies with an error when there is no such tool.
  /// `is_list_new`: the upstream's tools were fetched for this call.
  static std::shared_ptr<serve::OpenCall> begin(
      const CallServices& services, mcp::Call call,
      const std::shared_ptr<serve::ClientChannel>& channel, bool is_list_new = false);
  ToolCall(const CallServices& services, mcp::Call call,
           const std::shared_ptr<serve::ClientChannel>& channel, const Route& route,
           tools::ClientTerms client);
  /// The upstream is told. If the call may have changed something and is answered all the same,
  /// the answer is archived, so that it can be fetched.
  void cancel(serve::CancelCause cause) override;

 private:
  // In the order in which they are called.
  void admit();
  void on_taken(const Result<store::RateDecision>& taken);
  void on_admitted();
  /// The cursor of an answer that Enfold cut, if the call sends one.
  [[nodiscard]] std::optional<std::string> own_cursor();
  /// For an upstream that is an Enfold too: its `enfold_fetch` hides that of the gateway. What the
  /// gateway cut is opened here, other calls go to the upstream.
  void ask_archive();
  void replace_handles();
  void route();
  void send_request(std::shared_ptr<UpstreamConnection> connection, const Upstream& upstream);
  void on_result(client::CallResult result) override;
  // These return false if they cannot help, so that the caller goes on.
  [[nodiscard]] bool recover(const client::CallFailure& failure);
  [[nodiscard]] bool fall_back(const client::CallFailure& failure);
  [[nodiscard]] bool answer_from_cache(bool may_be_stale);
  void shape(const json::Value& result);
  void forward(client::CallResult result);
  void fail(const client::CallFailure& failure);

  /// Archives what a call returned whose client does not wait for it any more.
  void keep_outcome(json::Value result);
  void store_in_cache(const json::Value& result);
  [[nodiscard]] CacheKey cache_key() const;
  /// Runs `work` on a worker, then `then` on the loop's thread, unless the call has ended.
  template <class Work, class Then>
  void on_worker(Work work, Then then);
  [[nodiscard]] std::shared_ptr<ToolCall> self() {
    return std::static_pointer_cast<ToolCall>(shared_from_this());
  }
  [[nodiscard]] AnswerContext& about() { return answer_->about; }

  const CallServices& services_;
  std::shared_ptr<PlannedAnswer> answer_;
  bool may_retry_;              ///< the tool may be called twice without harm
  bool may_cache_;              ///< the call changes nothing, so a cached answer may be used
  bool has_run_ = false;        ///< the upstream has answered, and the answer is being shaped
  std::shared_ptr<void> room_;  ///< reserved for the answer until it has come
  struct Attempts {
    std::chrono::microseconds began{0};  ///< Host::clock() at the start of the last attempt
    bool was_retried = false;
    std::optional<client::CallFailure>
        before_fallback;  ///< set: the fallback was called because of this failure
  } attempts_;
};

}  // namespace enfold::gateway
