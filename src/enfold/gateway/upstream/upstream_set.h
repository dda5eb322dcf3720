// SPDX-License-Identifier: Apache-2.0
// All upstreams of a gateway: those that are served, those that a reload is connecting, and those
// that it removed and that still have open calls.
#pragma once

#include "enfold/gateway/upstream/upstream.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace enfold::gateway {

class UpstreamSet {
 public:
  using List = std::vector<std::unique_ptr<Upstream>>;

  explicit UpstreamSet(std::vector<UpstreamSettings> settings);

  [[nodiscard]] const List& current() const { return current_; }
  [[nodiscard]] const List& joining() const { return joining_; }
  [[nodiscard]] const List& leaving() const { return leaving_; }
  [[nodiscard]] bool is_single() const { return current_.size() == 1; }
  [[nodiscard]] Upstream& first() const { return *current_.front(); }
  [[nodiscard]] bool any_reached() const;

  /// The current upstream with this number; nullptr: there is none.
  [[nodiscard]] Upstream* with_number(std::uint64_t number) const;
  [[nodiscard]] Upstream* with_name(std::string_view name) const;
  [[nodiscard]] std::size_t longest_name() const { return longest_name_; }
  /// The upstream of a connection, current or not.
  [[nodiscard]] Upstream& of(const UpstreamConnection& link) const;

  /// Adds the upstreams of the settings that are not current yet. They are joining until `replace`
  /// is called.
  void join(const std::vector<UpstreamSettings>& settings);
  /// Removes the joining upstreams.
  void discard_joining();
  struct Change {
    std::size_t kept = 0;
    std::size_t joined = 0;
    std::vector<Upstream*> removed;  ///< no longer current; they stay until their calls have ended
  };
  /// Makes the upstreams of these settings the current ones. Each must be current or joining.
  [[nodiscard]] Change replace(std::vector<UpstreamSettings> settings);
  /// Destroys removed upstreams that are unused.
  void erase_leaving(const std::function<bool(const Upstream& upstream)>& is_unused);

 private:
  void index();

  List current_;
  List joining_;
  List leaving_;
  std::uint64_t last_number_ = 0;
  std::size_t longest_name_ = 0;
  struct NameHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::uint64_t, Upstream*> by_number_;
  std::unordered_map<std::string, Upstream*, NameHash, std::equal_to<>> by_name_;
  std::unordered_map<const UpstreamSettings*, Upstream*> by_settings_;  ///< all, current or not
};

}  // namespace enfold::gateway
