// SPDX-License-Identifier: Apache-2.0
// Answers requests about resources and prompts from the lists of a server, and divides any list
// into pages. The functions may be called on any thread.
#pragma once

#include "enfold/mcp/types/call.h"
#include "enfold/server/offers.h"
#include "enfold/tools/call/call_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace enfold::server {

/// The reply to resources/read, prompts/get or completion/complete: runs the author's function, so
/// it belongs on a worker. An exception is logged with the method, subject_of(call) and the request
/// id; the client gets only the request id.
[[nodiscard]] mcp::Reply answer_from(const OfferLists& lists, const mcp::Call& call,
                                     Context& context, const tools::AnswerServices& services);

/// The reply to resources/list, resources/templates/list or prompts/list. `page_size`: items on a
/// page, at most.
[[nodiscard]] mcp::Reply list_from(const OfferLists& lists, const mcp::Call& call,
                                   std::size_t page_size);

/// The reply to resources/subscribe: a refusal if the URI is neither a resource nor matched by a
/// template.
[[nodiscard]] mcp::Reply subscribe_to(const OfferLists& lists, const mcp::Call& call);

/// The refusal for a name that is not offered, with the most similar one of `known`. `what`: such
/// as "tool".
[[nodiscard]] mcp::RpcError unknown(std::string_view what, const std::string& name,
                                    const std::vector<std::string>& known);

/// What the request is about: the URI of a resource, the name of a prompt, what a completion refers
/// to; for any other request, its method.
[[nodiscard]] std::string subject_of(const mcp::Call& call);

/// The items of a list from index `begin` to before index `end`.
struct ListPage {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::optional<std::string> next;  ///< cursor of the next page; nullopt: this is the last
};
/// `numbers`: those of the items (Offered::number), ascending. A cursor is the number of the last
/// item of a page, so the next page is right even if the list has changed in between. `size`: items
/// on the page, at most; 0 counts as 1. nullopt: `cursor` is not a number.
[[nodiscard]] std::optional<ListPage> page_of(const std::vector<std::uint64_t>& numbers,
                                              const std::optional<std::string>& cursor,
                                              std::size_t size);
/// The refusal when page_of returns nullopt.
[[nodiscard]] mcp::RpcError bad_cursor();

}  // namespace enfold::server
