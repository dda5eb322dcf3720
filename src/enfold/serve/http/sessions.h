// SPDX-License-Identifier: Apache-2.0
// The open HTTP sessions, and which of them makes room for a new one. Idle sessions are kept in
// order, for each principal, so that no step looks at all of them.
#pragma once

#include "enfold/serve/http/session.h"

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace enfold::serve {

class HttpSessions {
 public:
  void add(const std::string& id, std::unique_ptr<HttpSession> session);
  /// nullptr: there is none, or it is another principal's.
  [[nodiscard]] HttpSession* find(std::string_view id, const std::string& principal);
  bool erase(std::string_view id);
  void erase_if(const std::function<bool(HttpSession& session)>& predicate);
  void for_each(const std::function<void(HttpSession& session)>& visit);
  void clear();
  [[nodiscard]] std::size_t size() const { return sessions_.size(); }

  /// Evicts the session that has been idle for longest: of `principal`, or, if it has no idle one,
  /// of the principal with the most sessions, provided that has more. Busy sessions are never
  /// evicted. False: there was none to evict.
  [[nodiscard]] bool evict_for(const std::string& principal);

 private:
  struct Entry;
  struct Owner {
    std::size_t sessions = 0;
    std::list<Entry*> idle;  ///< the longest idle first
  };
  struct Entry {
    std::string id;
    std::unique_ptr<HttpSession> session;
    Owner* owner = nullptr;
    bool is_idle = false;
    std::uint64_t idle_since = 0;  ///< a count that only grows
    std::list<Entry*>::iterator place{};
  };
  /// Most sessions first, then the longest idle.
  struct ByShare {
    bool operator()(const Owner* a, const Owner* b) const {
      if (a->sessions != b->sessions) return a->sessions > b->sessions;
      return a->idle.front()->idle_since < b->idle.front()->idle_since;
    }
  };
  struct IdHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Entries = std::unordered_map<std::string, std::unique_ptr<Entry>, IdHash, std::equal_to<>>;

  /// Changes the owner of an entry while it is out of the order that the change affects.
  template <class Change>
  void change(Owner& owner, const Change& apply);
  void update(Entry& entry);
  [[nodiscard]] std::unique_ptr<HttpSession> take(Entries::iterator found);

  Entries sessions_;
  std::unordered_map<std::string, std::unique_ptr<Owner>> owners_;
  std::set<Owner*, ByShare> with_idle_;  ///< principals that have an idle session
  std::uint64_t idle_count_ = 0;
};

}  // namespace enfold::serve
