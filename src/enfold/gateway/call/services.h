// SPDX-License-Identifier: Apache-2.0
// References to the objects that calls use. Each gateway has one CallServices.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/gateway/lists/list_cache.h"
#include "enfold/gateway/lists/local_tools.h"
#include "enfold/gateway/lists/subscriptions.h"
#include "enfold/gateway/policy/answer_cache.h"
#include "enfold/serve/late_post.h"

namespace enfold::gateway {

class AnswerWriter;
class Elicitations;
class Tasks;

struct CallServices {
  const Environment& environment;
  UpstreamSet& upstreams;
  Routes& routes;
  ClientSessions& sessions;
  Connections& connections;
  OpenCalls& open_calls;
  ListCache& lists;
  ResourceOwners& resources;
  Subscriptions& subscriptions;
  LocalTools& local;
  AnswerCache& cache;
  AnswerWriter& writer;
  Elicitations& elicitations;
  Tasks& tasks;
  Lifetime alive{};  ///< callbacks do nothing after the gateway is destroyed
  serve::LatePost late_post{environment.host};  ///< brings answers of stores to the loop's thread
};

/// A call that must wait for something, such as a connection or a list, before it begins.
class DeferredCall final : public serve::OpenCall {
 public:
  /// Begins the real call.
  using Begin = std::function<std::shared_ptr<serve::OpenCall>()>;
  /// Calls `begin`, unless this call was cancelled. May be called again: the call that `begin`
  /// returns then replaces the former one. `begin` may return null if it has replied already.
  void begin(const Begin& begin) {
    if (!is_cancelled_) call_ = begin();
  }
  void cancel(serve::CancelCause cause) override {
    is_cancelled_ = true;
    if (const auto call = std::exchange(call_, nullptr)) call->cancel(cause);
  }

 private:
  std::shared_ptr<serve::OpenCall> call_;
  bool is_cancelled_ = false;
};

}  // namespace enfold::gateway
