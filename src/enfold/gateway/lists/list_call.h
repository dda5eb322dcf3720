// SPDX-License-Identifier: Apache-2.0
// A list request of a client: asks every upstream for its list and returns all items as one page.
// For an upstream that does not answer, the list in ListCache is used.
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

  /// Whether requests of this method are list requests.
  [[nodiscard]] static bool is_list(mcp::Method method);
  void start();
  void cancel(serve::CancelCause cause) override;

 private:
  struct Part {
    std::uint64_t upstream;  ///< Upstream::number
    Pages pages{};
    bool has_arrived =
        false;  ///< `pages` came, or the fetch failed, before the client was answered
    std::shared_ptr<ListFetch> fetch{};  ///< null: finished
  };
  /// Whether the cached list of this part is used if the upstream has not answered within
  /// kCachedListTimeout.
  [[nodiscard]] bool is_cache_good_enough(const Part& part) const;
  /// Whether every part has arrived or has a cached list that is good enough.
  [[nodiscard]] bool can_answer_from_cache() const;
  /// A timer that calls `then`, unless the client was answered before.
  [[nodiscard]] std::unique_ptr<net::Timer> after(net::Duration wait, void (ListCall::*then)());
  void on_cache_timeout();  ///< answers now if can_answer_from_cache(), else keeps waiting
  /// The upstream of the part has answered, or its fetch failed.
  void on_pages(Part& part, Pages pages);
  /// Replies with the parts that have arrived, and for the others with cached lists.
  void answer();
  /// If the upstream failed or has not answered, uses its cached list. If it refused the request,
  /// the failure stays.
  void use_cache(Part& part, Upstream& upstream) const;

  const ListServices& services_;
  mcp::Call call_;
  std::weak_ptr<serve::ClientChannel> channel_;
  std::vector<Part> parts_;
  std::size_t unanswered_ = 0;                 ///< upstreams that have not answered
  bool is_answered_ = false;                   ///< or cancelled
  std::unique_ptr<net::Timer> cache_timeout_;  ///< on_cache_timeout() after kCachedListTimeout
  std::unique_ptr<net::Timer> timeout_;        ///< answer() after kListTimeout
};

}  // namespace enfold::gateway
