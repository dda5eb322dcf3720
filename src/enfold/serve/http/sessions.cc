// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/http/sessions.h"

#include <utility>
#include <vector>

namespace enfold::serve {

template <class Change>
void HttpSessions::change(Owner& owner, const Change& apply) {
  if (!owner.idle.empty()) with_idle_.erase(&owner);
  apply();
  if (!owner.idle.empty()) with_idle_.insert(&owner);
}

void HttpSessions::add(const std::string& id, std::unique_ptr<HttpSession> session) {
  std::unique_ptr<Owner>& owner = owners_[session->principal()];
  if (!owner) owner = std::make_unique<Owner>();
  auto entry = std::make_unique<Entry>();
  entry->id = id;
  entry->session = std::move(session);
  entry->owner = owner.get();
  Entry& added = *entry;
  change(*owner, [&] { ++owner->sessions; });
  sessions_.insert_or_assign(id, std::move(entry));
  added.session->on_activity([this, &added] { update(added); });
  update(added);
}

void HttpSessions::update(Entry& entry) {
  const bool is_idle = !entry.session->is_busy();
  if (is_idle == entry.is_idle) return;
  Owner& owner = *entry.owner;
  change(owner, [&] {
    entry.is_idle = is_idle;
    if (is_idle) {
      entry.idle_since = ++idle_count_;
      entry.place = owner.idle.insert(owner.idle.end(), &entry);
    } else {
      owner.idle.erase(entry.place);
    }
  });
}

HttpSession* HttpSessions::find(std::string_view id, const std::string& principal) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return nullptr;
  HttpSession* const session = found->second->session.get();
  return session->principal() == principal ? session : nullptr;
}

// A session that ends closes its calls, which may come back here: it ends when it is out.
std::unique_ptr<HttpSession> HttpSessions::take(Entries::iterator found) {
  const std::unique_ptr<Entry> entry = std::move(found->second);
  sessions_.erase(found);
  entry->session->on_activity(nullptr);
  Owner& owner = *entry->owner;
  change(owner, [&] {
    if (entry->is_idle) owner.idle.erase(entry->place);
    --owner.sessions;
  });
  if (owner.sessions == 0) owners_.erase(entry->session->principal());
  return std::move(entry->session);
}

bool HttpSessions::erase(std::string_view id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return false;
  take(found).reset();
  return true;
}

void HttpSessions::erase_if(const std::function<bool(HttpSession&)>& predicate) {
  std::vector<std::string> ids;
  for (const auto& [id, entry] : sessions_) {
    if (predicate(*entry->session)) ids.push_back(id);
  }
  for (const std::string& id : ids) erase(id);
}

void HttpSessions::for_each(const std::function<void(HttpSession&)>& visit) {
  for (const auto& [id, entry] : sessions_) visit(*entry->session);
}

void HttpSessions::clear() {
  while (!sessions_.empty()) take(sessions_.begin()).reset();
}

bool HttpSessions::evict_for(const std::string& principal) {
  const auto own = owners_.find(principal);
  const bool has_idle = own != owners_.end() && !own->second->idle.empty();
  const Owner* from = has_idle ? own->second.get() : nullptr;
  if (from == nullptr && !with_idle_.empty()) {
    const std::size_t sessions = own != owners_.end() ? own->second->sessions : 0;
    Owner* const most = *with_idle_.begin();
    if (most->sessions > sessions) from = most;
  }
  return from != nullptr && erase(std::string(from->idle.front()->id));
}

}  // namespace enfold::serve
