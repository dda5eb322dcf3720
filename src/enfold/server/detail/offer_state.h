// SPDX-License-Identifier: Apache-2.0
// What the copies of an Offers share: the lists, and what is being added to them. Any thread may
// use it.
#pragma once

#include "enfold/server/offers.h"

#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace enfold::server::detail {

/// A running server that is told about changes: on any thread, with the state locked.
class OfferListener {
 public:
  virtual void on_changed(mcp::ListKind kind) = 0;
  virtual void on_updated(std::string uri) = 0;
  virtual void on_refused(std::string reason) = 0;

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
  template <class Spec>
  using List = std::vector<Offered<Spec>> OfferLists::*;

  [[nodiscard]] std::shared_ptr<const OfferLists> lists() const;
  [[nodiscard]] bool will_offer(mcp::ListKind kind) const;
  void set_will_offer(mcp::ListKind kind);

  /// Also adds what this thread still describes: an author may hold a Tool while the server runs.
  void attach(OfferListener& listener);
  void detach(OfferListener& listener);

  /// Holds what its author still describes, and adds it to the list when the last copy of the
  /// result is destroyed. `problem`: why it cannot be added; nullopt: it can.
  template <class Spec>
  [[nodiscard]] std::shared_ptr<Spec> hold(Spec spec, List<Spec> list, mcp::ListKind kind,
                                           std::optional<std::string> problem);
  template <class Spec>
  bool remove(std::string_view key, List<Spec> list, mcp::ListKind kind);
  void updated(std::string uri);

 private:
  struct Held {
    std::uint64_t number = 0;
    std::thread::id thread;
    mcp::ListKind kind{};
    std::string key;
    std::function<void(OfferLists&)> insert;
  };
  // Called with the mutex locked.
  [[nodiscard]] OfferLists& writable();
  void add(Held& held);
  void changed(mcp::ListKind kind);
  template <class Spec>
  [[nodiscard]] bool is_taken(const std::string& key, List<Spec> list, mcp::ListKind kind) const;

  void publish(std::uint64_t number);

  mutable std::mutex mutex_;
  std::shared_ptr<OfferLists> lists_ = std::make_shared<OfferLists>();  ///< copied if it is in use
  std::vector<Held> held_;
  std::vector<OfferListener*> listeners_;
  std::vector<mcp::ListKind> will_offer_;
  std::uint64_t last_ = 0;
};

}  // namespace enfold::server::detail
