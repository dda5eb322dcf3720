// SPDX-License-Identifier: Apache-2.0
// What the copies of an Offers share: the lists of what is offered, and what authors have begun to
// declare. Any thread may use it.
#pragma once

#include "enfold/server/offers.h"

#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace enfold::server::detail {

/// A running server. It is told about changes on any thread, while the OfferState is locked.
class OfferListener {
 public:
  virtual void on_changed(mcp::ListKind kind) = 0;  ///< a list of this kind has changed
  virtual void on_updated(std::string uri) = 0;     ///< this resource has changed
  virtual void on_refused(std::string reason) = 0;  ///< a declaration was not added

 protected:
  ~OfferListener() = default;
};

// The name or URI that is unique in a list.
[[nodiscard]] inline const std::string& key_of(const ToolSpec& spec) { return spec.name; }
[[nodiscard]] inline const std::string& key_of(const ResourceSpec& spec) { return spec.uri; }
[[nodiscard]] inline const std::string& key_of(const TemplateSpec& spec) {
  return spec.resource.uri;
}
[[nodiscard]] inline const std::string& key_of(const PromptSpec& spec) { return spec.name; }

class OfferState : public std::enable_shared_from_this<OfferState> {
 public:
  /// One of the lists, as a member of OfferLists.
  template <class Spec>
  using List = std::vector<Offered<Spec>> OfferLists::*;

  [[nodiscard]] std::shared_ptr<const OfferLists> lists() const;
  /// Whether set_will_offer() was called: clients are told of this kind though its list is empty.
  [[nodiscard]] bool will_offer(mcp::ListKind kind) const;
  void set_will_offer(mcp::ListKind kind);

  /// From now on tells the listener about changes. First adds what this thread has begun to
  /// declare, because its author may hold the Tool, Resource or Prompt as long as the server runs.
  void attach(OfferListener& listener);
  void detach(OfferListener& listener);

  /// Holds a declaration that its author may still change through the result, and adds it to the
  /// list when the last copy of the result is destroyed. `problem`: why it cannot be added;
  /// nullopt: it can be. If there is a problem, ends the program if no server runs; else tells the
  /// listeners, and the result is never added.
  template <class Spec>
  [[nodiscard]] std::shared_ptr<Spec> hold(Spec spec, List<Spec> list, mcp::ListKind kind,
                                           std::optional<std::string> problem);
  /// False: the list has no such name or URI.
  template <class Spec>
  bool remove(std::string_view key, List<Spec> list, mcp::ListKind kind);
  /// Tells the listeners that the content of a resource has changed.
  void updated(std::string uri);

 private:
  /// A declaration that is not in its list yet.
  struct Held {
    std::uint64_t number = 0;  ///< Offered::number
    std::thread::id thread;    ///< that declares it
    mcp::ListKind kind{};
    std::string key;                          ///< its key_of
    std::function<void(OfferLists&)> insert;  ///< empty: add() has called it
  };
  // Called with the mutex locked.
  [[nodiscard]] OfferLists& writable();  ///< the lists, copied first if a reader has them
  void add(Held& held);                  ///< to its list
  void tell_changed(mcp::ListKind kind);
  /// Whether the list, or a held declaration, has this key.
  template <class Spec>
  [[nodiscard]] bool is_taken(const std::string& key, List<Spec> list, mcp::ListKind kind) const;

  /// Adds the held declaration with this number, unless attach() has done so.
  void publish(std::uint64_t number);

  mutable std::mutex mutex_;
  std::shared_ptr<OfferLists> lists_ = std::make_shared<OfferLists>();  ///< see writable()
  std::vector<Held> held_;
  std::vector<OfferListener*> listeners_;
  std::vector<mcp::ListKind> will_offer_;
  std::uint64_t last_number_ = 0;  ///< of the declaration that was held last
};

}  // namespace enfold::server::detail
