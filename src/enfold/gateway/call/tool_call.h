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
  /// Also runs Enfold's local tools. Replies with an error and returns nullptr if there is no such
  /// tool. `is_list_new`: the upstream's tools were fetched for this call, and are not fetched
  /// again.
  static std::shared_ptr<serve::OpenCall> begin(
      const CallServices& services, mcp::Call call,
      const std::shared_ptr<serve::ClientChannel>& channel, bool is_list_new = false);
  ToolCall(const CallServices& services, mcp::Call call,
           const std::shared_ptr<serve::ClientChannel>& channel, const Route& route,
           tools::ClientTerms client);
  /// Cancels the request to the upstream. If the call may have changed something and the upstream
  /// answers all the same, the answer is archived, so that it can be fetched.
  void cancel(serve::CancelCause cause) override;

 private:
  // The steps of a call, in this order; a call may skip some.
  /// Checks the arguments and the rate limit; continues with on_admitted().
  void admit();
  /// `decision`: of the rate limit, or why it could not be read.
  void on_rate_decision(const Result<store::RateDecision>& decision);
  void on_admitted();
  /// The cursor of an answer that Enfold cut, if the call sends one.
  [[nodiscard]] std::optional<std::string> own_cursor();
  /// For a call of `enfold_fetch` of an upstream (an Enfold too) that hides the gateway's own tool.
  /// If the handle is in the gateway's archive, the gateway answers; else the upstream does.
  void ask_archive();
  void replace_handles();
  void route();
  void send_request(std::shared_ptr<UpstreamConnection> connection, const Upstream& upstream);
  void on_result(client::CallResult result) override;
  // True: the call is answered, or another attempt has begun. False: not possible, so the caller
  // tries the next way.
  [[nodiscard]] bool recover(const client::CallFailure& failure);
  [[nodiscard]] bool fall_back(const client::CallFailure& failure);
  [[nodiscard]] bool answer_from_cache(bool may_be_stale);
  void shape(const json::Value& result);
  void forward(client::CallResult result);
  void fail(const client::CallFailure& failure);

  /// Archives the result of a call whose client does not wait any more, and ends the call.
  void archive_outcome(json::Value result);
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
  bool changes_nothing_;        ///< the tool is read-only: a cached answer may be used
  bool has_run_ = false;        ///< the upstream has answered, and the answer is being shaped
  std::shared_ptr<void> room_;  ///< reserved in AnswerLane until the answer has come
  struct Attempts {
    std::chrono::microseconds began{0};  ///< Host::clock() at the start of the last attempt
    bool was_retried = false;            ///< the request was sent again after the connection broke
    std::optional<client::CallFailure>
        before_fallback;  ///< set: the fallback was called because of this failure
  } attempts_;
};

}  // namespace enfold::gateway
