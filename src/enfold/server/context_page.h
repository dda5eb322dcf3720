// SPDX-License-Identifier: Apache-2.0
// The templates of Context: how a page is asked for, what is kept for a deadline, and forms.
// Included by context.h.
#pragma once

#include "enfold/level/render.h"
#include "enfold/server/context.h"
#include "enfold/server/signature.h"

#include <cstdlib>

namespace enfold::server {

/// Where a page begins, as its cursor says, and how large it is.
struct PageStart {
  std::size_t offset = 0;            ///< of the first row
  std::optional<json::Value> after;  ///< with a keyset: key of the row before; nullopt: first page
  std::size_t size = 0;              ///< rows on the page, at most
};

/// What make_page and handlers do with the pages of a context and with what it keeps.
struct PageAccess {
  /// `list`: the request without cursor and limit. A cursor of another list, tool or principal is
  /// refused with a failure. CallFacts::cursor_key must be set.
  [[nodiscard]] static tl::expected<PageStart, model::Response> start(const Context& context,
                                                                      const PageRequest& asked,
                                                                      std::string_view list);
  static void set(Context& context, PageDraft draft) { context.draft_ = std::move(draft); }
  /// Lets keep() take this type only.
  static void expect(Context& context, bool (*is_response)(const void* type)) {
    context.is_response_ = is_response;
  }
  [[nodiscard]] static std::optional<PageDraft> take(Context& context) {
    return std::exchange(context.draft_, std::nullopt);
  }
};

namespace detail {

using tools::detail::type_tag;

template <class Response>
[[nodiscard]] bool is_response(const void* type) {
  if constexpr (level::detail::is_variant<Response>) {
    return [&]<class... All>(std::type_identity<std::variant<All...>>) {
      return ((type == &type_tag<All>) || ...);
    }(std::type_identity<Response>());
  } else {
    return type == &type_tag<Response>;
  }
}

[[noreturn]] void refuse_kept();

}  // namespace detail

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
  /// The key may be a member of a base of the rows.
  template <class Any>
  static void add_keys(const Keyset<Row, Key, Find>& source, const std::vector<Any>& rows,
                       PageDraft& draft) {
    for (const Any& row : rows) draft.keys.push_back(json_of(row.*source.key));
  }
};

template <class T>
struct RowOf {
  using Type = void;
};
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

template <class Response, class Row>
[[nodiscard]] constexpr bool lists_rows() {
  bool any = false;
  level::detail::each<Response>([&](const auto& field) {
    any = any ||
          std::is_same_v<std::remove_cvref_t<decltype(field.member)>, std::vector<Row> Response::*>;
  });
  return any;
}

// What can be wrong with the types of a page; see level/faults.h.
template <class Request>
struct NoPageRequest {
  static constexpr bool report() {
    static_assert(level::detail::is_true<Request>,
                  "the request of a page derives from server::PageRequest");
    return false;
  }
};
template <class Source>
struct WrongSource {
  static constexpr bool report() {
    static_assert(level::detail::is_true<Source>,
                  "the source of a page is a function of (std::size_t from, std::size_t count), or "
                  "a server::keyset()");
    return false;
  }
};
template <class Key>
struct WrongFind {
  static constexpr bool report() {
    static_assert(level::detail::is_true<Key>,
                  "`find` of a keyset takes (const std::optional<Key>& after, std::size_t count)");
    return false;
  }
};
template <class Found>
struct WrongRows {
  static constexpr bool report() {
    static_assert(level::detail::is_true<Found>,
                  "the source of a page returns a std::vector, a server::Page, or a Result of one");
    return false;
  }
};
template <class Response>
struct RowsNotDeclared {
  static constexpr bool report() {
    static_assert(level::detail::is_true<Response>,
                  "fields() of the response lists the member that holds the rows of a page");
    return false;
  }
};

template <class Source>
[[nodiscard]] constexpr auto source_fault(std::type_identity<Source> /*source*/) {
  return std::conditional_t<std::is_invocable_v<Source&, std::size_t, std::size_t>,
                            level::detail::NoFault, WrongSource<Source>>{};
}
template <class Row, class Key, class Find>
[[nodiscard]] constexpr auto source_fault(std::type_identity<Keyset<Row, Key, Find>> /*source*/) {
  return std::conditional_t<std::is_invocable_v<Find&, const std::optional<Key>&, std::size_t>,
                            level::detail::NoFault, WrongFind<Key>>{};
}

template <class Request, class Source>
[[nodiscard]] constexpr auto page_fault() {
  using Fault = decltype(source_fault(std::type_identity<Source>()));
  if constexpr (!std::is_base_of_v<PageRequest, Request>) {
    return NoPageRequest<Request>{};
  } else {
    return Fault{};
  }
}

/// What page() returns after a fault was reported: converts to every answer, so that it is the only
/// error.
struct NoPage {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
  static constexpr auto fields() { return level::fields(); }
};

template <class Response, class Row, class Total, class Request, class Source>
[[nodiscard]] Answer<Response> make_page(Context& context, const Request& asked, Source& source,
                                         std::vector<Row> Response::* rows,
                                         Total Response::* total) {
  json::Writer writer;
  level::detail::write_struct(asked, {level::Level::full, false, nullptr, true}, writer);
  const std::string list = json::to_text(std::move(writer).finish_value().view());
  auto start = PageAccess::start(context, asked, list);
  if (!start) return std::move(start.error());
  Answer<Response> answer = as_answer<Response>(Asking<Source>::rows(source, *start));
  if (answer.trouble() != nullptr) return answer;
  std::string member = name_of_rows(rows);
  if (member.empty()) {
    return fail(ErrorCode::internal,
                "Context::page: fields() does not list the member of the rows");
  }
  Response& page = *answer.response();
  std::vector<Row>& all = page.*rows;
  PageDraft draft{.member = std::move(member),
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
  if constexpr (decltype(detail::page_fault<Request, Source>())::report()) {
    using Found = detail::UnwrappedType<typename detail::Asking<Source>::Returned>;
    using Row = typename detail::RowOf<Found>::Type;
    using Fault =
        std::conditional_t<std::is_void_v<Row>, detail::WrongRows<Found>, level::detail::NoFault>;
    if constexpr (Fault::report()) {
      return detail::make_page(*this, asked, source, &Page<Row>::items, &Page<Row>::total);
    } else {
      return detail::NoPage{};
    }
  } else {
    return detail::NoPage{};
  }
}

template <class Request, class Source, class Response, class Row, class Total>
Answer<Response> Context::page(const Request& asked, Source source,
                               std::vector<Row> Response::* rows, Total Response::* total) {
  using Rows = std::conditional_t<detail::lists_rows<Response, Row>(), level::detail::NoFault,
                                  detail::RowsNotDeclared<Response>>;
  if constexpr (decltype(detail::page_fault<Request, Source>() | Rows{})::report()) {
    return detail::make_page(*this, asked, source, rows, total);
  } else {
    std::abort();
  }
}

template <class Response>
void Context::keep(const Response& response) {
  if constexpr (!level::detail::demand_declared<Response>()) return;
  if (is_response_ != nullptr && !is_response_(&detail::type_tag<Response>)) detail::refuse_kept();
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
