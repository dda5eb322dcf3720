// SPDX-License-Identifier: Apache-2.0
// The requests about resources and prompts, answered from the lists of a server; and one page of
// any list. Nothing here belongs to a thread.
#pragma once

#include "enfold/mcp/types/call.h"
#include "enfold/server/offers.h"
#include "enfold/tools/call/call_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace enfold::server {

/// resources/read, prompts/get or completion/complete: runs the author's function. Exceptions end
/// here: they are logged with the method, what was asked for and the request id, which is all that
/// the client gets to know.
[[nodiscard]] mcp::Reply answer_from(const OfferLists& lists, const mcp::Call& call,
                                     Context& context, const tools::AnswerServices& services);

/// resources/list, resources/templates/list or prompts/list.
[[nodiscard]] mcp::Reply list_from(const OfferLists& lists, const mcp::Call& call,
                                   std::size_t page_size);

/// resources/subscribe: refuses what is neither a resource nor matched by a template.
[[nodiscard]] mcp::Reply subscribe_to(const OfferLists& lists, const mcp::Call& call);

/// The refusal for a name that is not offered; names the one that was probably meant.
[[nodiscard]] mcp::RpcError unknown(std::string_view what, const std::string& name,
                                    const std::vector<std::string>& known);

/// The URI, the name of the prompt, or the method of any other request.
[[nodiscard]] std::string subject_of(const mcp::Call& call);

/// The part [begin, end) of a list, and the cursor for the next one.
struct ListPage {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::optional<std::string> next;
};
/// `numbers`: of the items, ascending. A cursor is the number of the last item of a page, so that
/// the next page is right also if the list has changed. nullopt: not a cursor.
[[nodiscard]] std::optional<ListPage> page_of(const std::vector<std::uint64_t>& numbers,
                                              const std::optional<std::string>& cursor,
                                              std::size_t size);
[[nodiscard]] mcp::RpcError bad_cursor();

}  // namespace enfold::server
