// SPDX-License-Identifier: Apache-2.0
// Merges the lists of all upstreams into the list for a client: in the order of the upstreams, with
// the names that clients use, output schemas of the envelopes that clients get, and Enfold's local
// tools at the end.
#pragma once

#include "enfold/gateway/lists/list_cache.h"
#include "enfold/gateway/lists/local_tools.h"
#include "enfold/gateway/upstream/upstream_set.h"

namespace enfold::gateway {

struct UpstreamList {
  Upstream* upstream;
  Pages pages;
};

class ListWriter {
 public:
  ListWriter(const Environment& environment, const Routes& routes, LocalTools& local,
             ResourceOwners& resources, CallLog& log)
      : environment_(environment),
        routes_(routes),
        local_(local),
        resources_(resources),
        log_(log) {}

  /// Whether the list must be written here; false: the request may be forwarded to `upstream`, the
  /// only upstream, and its result to the client.
  [[nodiscard]] bool must_write(const mcp::Call& call, serve::ClientChannel& channel,
                                const Upstream& upstream) const;
  /// Forgets the lists that were written before. Called when the settings have changed.
  void forget() { written_.clear(); }
  /// The reply to the client's list request.
  [[nodiscard]] mcp::Reply write(const mcp::Call& call, serve::ClientChannel& channel,
                                 const std::vector<UpstreamList>& lists) const;

 private:
  struct Items {
    json::Value list;
    bool is_unchanged = false;  ///< exactly the upstream's items, none of them changed
  };
  /// The settings for writing the items of one list.
  struct Target {
    const mcp::Call& call;
    tools::AnswerContract contract;
    bool announces_output = true;          ///< false: an answer may come with or without envelope
    std::vector<json::Value> local_tools;  ///< to append
    bool adds_archive = false;  ///< whether to append the resource template of archived answers
  };
  struct Item {
    json::Value item;
    friend bool operator==(const Item& a, const Item& b) { return a.item->raw() == b.item->raw(); }
  };
  /// What a list of tools depends on, besides the settings of the gateway.
  struct ToolsKey {
    tools::AnswerContract contract;
    bool announces_output = true;
    std::optional<mcp::Era> era{};
    bool reads_structured = true;
    std::size_t announced_size = 0;
    std::optional<std::size_t> max_tools{};
    std::string client{};  ///< whom a warning about max_tools names; empty without a maximum
    /// Upstream::number and the number of items of each.
    std::vector<std::pair<std::uint64_t, std::size_t>> upstreams{};
    std::vector<Item> items{};  ///< of all upstreams, then the local tools
    friend bool operator==(const ToolsKey&, const ToolsKey&) = default;
  };
  struct WrittenTools {
    ToolsKey key;
    Items written;
  };
  [[nodiscard]] ToolsKey key_of(const Target& target, const std::vector<UpstreamList>& lists) const;
  /// As write_items, but reuses a list that was written with the same key.
  [[nodiscard]] Items write_tools(const Target& target,
                                  const std::vector<UpstreamList>& lists) const;
  [[nodiscard]] Items write_items(const Target& target,
                                  const std::vector<UpstreamList>& lists) const;
  struct Writing;
  /// Writes an item, or leaves it out: it is not offered, listed twice, or there is no room.
  void add_item(Writing& writing, const Target& target, Upstream& upstream,
                const json::Value& listed) const;
  // These return whether the item was written unchanged.
  bool write_item(json::Writer& writer, const Target& target, Upstream& upstream,
                  json::View item) const;
  bool write_tool(json::Writer& writer, const Target& target, const Upstream& upstream,
                  json::View item) const;
  /// The most tools that this client gets; nullopt: no limit.
  [[nodiscard]] std::optional<std::size_t> max_tools(const mcp::Call& call) const;
  /// The size of answers, in characters, that the tools in this client's list announce; 0: none.
  [[nodiscard]] std::size_t announced_answer_size(const mcp::Call& call) const;
  /// Logs a warning, once.
  void warn(const Upstream& upstream, std::string_view event, const std::string& message) const;
  void warn_left_out(const mcp::Call& call, const std::vector<std::string>& names,
                     std::size_t max_tools) const;

  const Environment& environment_;
  const Routes& routes_;
  LocalTools& local_;
  ResourceOwners& resources_;
  CallLog& log_;
  mutable std::vector<WrittenTools> written_;  ///< the last ones, the latest at the end
};

}  // namespace enfold::gateway
