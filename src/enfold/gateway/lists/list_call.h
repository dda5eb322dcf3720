// SPDX-License-Identifier: Apache-2.0
// A list request of a client: asks every upstream for its list and returns all of them as one page.
// For an upstream that does not answer, its last known list is used.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/gateway/lists/list_cache.h"
#include "enfold/gateway/lists/list_writer.h"

namespace enfold::gateway {

/// References to the objects that list requests use.
struct ListServices {
  const Environment& environment;
  UpstreamSet& upstreams;
  Connections& connections;
  ClientSessions& sessions;
  ListCache& cache;
  const ListWriter& writer;
  Lifetime alive{};  ///< callbacks do nothing after the gateway is destroyed
};

class ListCall final : public serve::OpenCall, public std::enable_shared_from_this<ListCall> {
 public:
  ListCall(const ListServices& services, mcp::Call call,
           const std::shared_ptr<serve::ClientChannel>& channel)
      : services_(services), call_(std::move(call)), channel_(channel) {}

  [[nodiscard]] static bool is_list(mcp::Method method);
  void start();
  void cancel(serve::CancelCause cause) override;

 private:
  /// The list of one upstream.
  struct Part {
    std::uint64_t upstream;  ///< Upstream::number
    Pages pages{};
    bool has_arrived = false;            ///< before the client was answered
    std::shared_ptr<ListFetch> fetch{};  ///< null: finished
  };
  [[nodiscard]] bool can_use_known(const Part& part) const;
  [[nodiscard]] bool can_answer_from_cache() const;
  [[nodiscard]] std::unique_ptr<net::Timer> after(net::Duration wait, void (ListCall::*then)());
  void on_known_timeout();
  void on_pages(Part& part, Pages pages);
  void answer();
  /// If the upstream failed or is late, uses its cached list; if it refused, the failure stays.
  void use_cache(Part& part, Upstream& upstream) const;

  const ListServices& services_;
  mcp::Call call_;
  std::weak_ptr<serve::ClientChannel> channel_;
  std::vector<Part> parts_;
  std::size_t unanswered_ = 0;  ///< upstreams that have not answered
  bool is_answered_ = false;
  std::unique_ptr<net::Timer> known_timeout_;  ///< kKnownListTimeout
  std::unique_ptr<net::Timer> timeout_;        ///< kListTimeout
};

}  // namespace enfold::gateway
