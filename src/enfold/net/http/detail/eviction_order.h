// SPDX-License-Identifier: Apache-2.0
// Which connection of a server closes first if a new one needs its place: of those that wait for
// their clients the one that waits longest. Connections whose request is being handled never do.
#pragma once

#include <cstddef>
#include <list>
#include <vector>

namespace enfold::net::detail {

class ServerConnection;

class EvictionOrder {
 public:
  /// A new connection; it waits for its first request. `slot`: unique among the connections.
  void add(std::size_t slot, ServerConnection& connection) {
    if (places_.size() <= slot) places_.resize(slot + 1);
    places_[slot] = {.at = waiting_.insert(waiting_.end(), &connection), .waits = true};
  }
  void remove(std::size_t slot) { list_of(places_[slot].waits).erase(places_[slot].at); }

  /// The connection waits for its client from now on: for a request or the rest of one, or until
  /// the client has read an answer. Called again after progress.
  void start_waiting(std::size_t slot) { move(places_[slot], true); }
  /// The request of the connection is being handled.
  void stop_waiting(std::size_t slot) { move(places_[slot], false); }

  /// nullptr: none may be closed.
  [[nodiscard]] ServerConnection* first() const {
    return waiting_.empty() ? nullptr : waiting_.front();
  }

 private:
  using Connections = std::list<ServerConnection*>;
  struct Place {
    Connections::iterator at;
    bool waits = true;  ///< it is in `waiting_`, else in `handling_`
  };
  [[nodiscard]] Connections& list_of(bool waits) { return waits ? waiting_ : handling_; }
  // Without an allocation, because every request leads here.
  void move(Place& place, bool waits) {
    Connections& to = list_of(waits);
    to.splice(to.end(), list_of(place.waits), place.at);
    place.waits = waits;
  }

  Connections waiting_;        ///< those that wait longest first
  Connections handling_;       ///< the others, in no order
  std::vector<Place> places_;  ///< by slot
};

}  // namespace enfold::net::detail
