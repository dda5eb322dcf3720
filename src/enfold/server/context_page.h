// SPDX-License-Identifier: Apache-2.0
// The templates of Context: how a page is asked for, what is kept for a deadline, and forms.
// Included by context.h.
#pragma once

#include "enfold/level/render.h"
#include "enfold/server/context.h"
#include "enfold/server/signature.h"

namespace enfold::server {

/// Where a page begins, as its cursor says, and how large it is.
struct PageStart {
  std::size_t offset = 0;            ///< of the first row
  std::optional<json::Value> after;  ///< with a keyset: key of the row before; nullopt: first page
  std::size_t size = 0;              ///< rows on the page, at most
};

/// What make_page and HandlerRun do with the pages of a context.
struct PageAccess {
  /// `list`: the request without cursor and limit. A cursor of another list, tool or principal is
  /// refused with a failure. CallFacts::cursor_key must be set.
  [[nodiscard]] static tl::expected<PageStart, model::Response> start(const Context& context,
                                                                      const PageRequest& asked,
                                                                      std::string_view list);
  static void set(Context& context, PageDraft draft) { context.draft_ = std::move(draft); }
  [[nodiscard]] static std::optional<PageDraft> take(Context& context) {
    return std::exchange(context.draft_, std::nullopt);
  }
};

class KeptAnswer {
 public:
  virtual ~KeptAnswer() = default;
  /// Replaces what was kept before.
  virtual void keep(json::Value payload, answer::ToolContext additions) = 0;
};

namespace detail {

/// The T in a T, a Result<T> or an Answer<T>.
template <class T>
using UnwrappedType = typename ResponseOf<std::remove_cvref_t<T>>::Type;

template <class T>
[[nodiscard]] json::Value json_of(const T& value) {
  json::Writer writer;
  level::detail::write_value(value, {level::Level::full, false}, writer);
  return std::move(writer).finish_value();
}

/// How make_page calls a source: for rows at an offset, or for a Keyset after a key. `add_keys`
/// stores the keys of the rows, from which cursors are made.
template <class Source>
struct Asking {
  using Returned = std::invoke_result_t<Source&, std::size_t, std::size_t>;
  static Returned rows(Source& source, const PageStart& start) {
    return source(start.offset, start.size + 1);
  }
  template <class Row>
  static void add_keys(const Source& /*source*/, const std::vector<Row>& /*rows*/,
                       PageDraft& /*draft*/) {}
};

template <class Row, class Key, class Find>
struct Asking<Keyset<Row, Key, Find>> {
  using Returned = std::invoke_result_t<Find&, const std::optional<Key>&, std::size_t>;
  static Returned rows(Keyset<Row, Key, Find>& source, const PageStart& start) {
    std::optional<Key> after;
    std::vector<tools::Problem> none;
    if (start.after && tools::detail::accepts<Key>(start.after->view())) {
      tools::detail::read_value(start.after->view(), "", after.emplace(), none);
    }
    return source.find(after, start.size + 1);
  }
  static void add_keys(const Keyset<Row, Key, Find>& source, const std::vector<Row>& rows,
                       PageDraft& draft) {
    for (const Row& row : rows) draft.keys.push_back(json_of(row.*source.key));
  }
};

template <class T>
struct RowOf {};
template <class T>
struct RowOf<std::vector<T>> {
  using Type = T;
};
template <class T>
struct RowOf<Page<T>> {
  using Type = T;
};

/// What a source returned as an answer; a vector becomes a Page.
template <class Response, class Found>
[[nodiscard]] Answer<Response> as_answer(Found found) {
  if constexpr (std::is_constructible_v<Answer<Response>, Found>) {
    return Answer<Response>(std::move(found));
  } else if constexpr (std::is_same_v<UnwrappedType<Found>, Found>) {
    return Response{std::move(found)};
  } else {
    if (!found) return tl::unexpected(std::move(found.error()));
    return Response{std::move(*found)};
  }
}

/// The declared name of the member that holds the rows.
template <class Response, class Row>
[[nodiscard]] std::string name_of_rows(std::vector<Row> Response::* rows) {
  std::string name;
  level::detail::each<Response>([&](const auto& field) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field.member)>,
                                 std::vector<Row> Response::*>) {
      if (field.member == rows) name = field.name;
    }
  });
  return name;
}

template <class Response, class Row, class Total, class Request, class Source>
[[nodiscard]] Answer<Response> make_page(Context& context, const Request& asked, Source& source,
                                         std::vector<Row> Response::* rows,
                                         Total Response::* total) {
  static_assert(std::is_base_of_v<PageRequest, Request>,
                "the request of a page derives from server::PageRequest");
  json::Writer writer;
  level::detail::write_struct(asked, {level::Level::full, false}, writer);
  const std::string list = json::to_text(std::move(writer).finish_value().view());
  auto start = PageAccess::start(context, asked, list);
  if (!start) return std::move(start.error());
  Answer<Response> answer = as_answer<Response>(Asking<Source>::rows(source, *start));
  if (answer.trouble() != nullptr) return answer;
  Response& page = *answer.response();
  std::vector<Row>& all = page.*rows;
  PageDraft draft{.member = name_of_rows(rows),
                  .list = list,
                  .offset = start->offset,
                  .size = start->size,
                  .rows = std::min(all.size(), start->size),
                  .more = all.size() > start->size,
                  .total = {},
                  .keys = {}};
  if (total != nullptr) {
    if constexpr (level::detail::is_optional<Total>) {
      if (page.*total) draft.total = static_cast<std::size_t>(*(page.*total));
    } else {
      draft.total = static_cast<std::size_t>(page.*total);
    }
  }
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(draft.rows), all.end());
  Asking<Source>::add_keys(source, all, draft);
  PageAccess::set(context, std::move(draft));
  return answer;
}

}  // namespace detail

template <class Request, class Source>
auto Context::page(const Request& asked, Source source) {
  using Found = detail::UnwrappedType<typename detail::Asking<Source>::Returned>;
  using Row = typename detail::RowOf<Found>::Type;
  return detail::make_page(*this, asked, source, &Page<Row>::items, &Page<Row>::total);
}

template <class Request, class Source, class Response, class Row, class Total>
Answer<Response> Context::page(const Request& asked, Source source,
                               std::vector<Row> Response::* rows, Total Response::* total) {
  return detail::make_page(*this, asked, source, rows, total);
}

template <class Response>
void Context::keep(const Response& response) {
  level::detail::demand_declared<Response>();
  if (facts().kept) {
    const level::RenderOptions options{.filter = facts().redact};
    facts().kept->keep(level::render(response, level(), options), additions_);
  }
}

template <class Form>
Elicited<Form> Call::elicit(std::string_view message, std::string key) const {
  const json::Value* answer = input(key);
  return detail::elicited<Form>(answer, message, std::move(key));
}

}  // namespace enfold::server
