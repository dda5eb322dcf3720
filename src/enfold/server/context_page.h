// SPDX-License-Identifier: Apache-2.0
// The member templates of Context: for pages, for what is kept for a deadline, and for forms.
// Included by context.h.
#pragma once

#include "enfold/level/render.h"
#include "enfold/server/context.h"
#include "enfold/server/signature.h"

#include <array>
#include <charconv>
#include <cstdlib>

namespace enfold::server {

/// Where a page begins, as its cursor says, and how large it is.
struct PageStart {
  std::size_t offset = 0;            ///< of the first row; with a keyset 0
  std::optional<std::string> after;  ///< with a keyset: key of the row before; nullopt: first page
  std::size_t size = 0;              ///< rows on the page, at most
};

/// What make_page and handlers do with the pages of a context and with what it keeps.
struct PageAccess {
  /// `list`: the request without cursor and limit. A cursor of another list, tool or principal is
  /// refused with a failure. CallFacts::cursor_key must be set.
  [[nodiscard]] static tl::expected<PageStart, model::Response> start(const Context& context,
                                                                      const PageRequest& asked,
                                                                      std::string_view list);
  /// The failure of a call whose cursor has a key that cannot be read as a key of this list.
  [[nodiscard]] static model::Response bad_key(const PageRequest& asked);
  /// The rule of a keyset that the rows of a source break, as an error for the log that names the
  /// key: two neighbours have the same key, a key has no exact text, or the page does not begin
  /// after the key of the cursor. `begins_before`: the order of the keys shows that it begins
  /// earlier. nullopt: no rule is broken.
  [[nodiscard]] static std::optional<Error> key_fault(
      const PageStart& start, const std::vector<std::optional<std::string>>& keys,
      bool begins_before);
  /// Stores the draft of the page that the handler will return.
  static void set(Context& context, PageDraft draft) { context.draft_ = std::move(draft); }
  /// From now on keep() takes only the types for whose tag `is_response` returns true.
  static void expect(Context& context, bool (*is_response)(const void* type)) {
    context.is_response_ = is_response;
  }
  /// Returns the draft and removes it from the context; nullopt: the answer is not a page.
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

/// Decides once how a call with a deadline is answered: by its handler, or at the deadline with
/// what was kept. Shared by the handler's thread and the serving thread.
class KeptAnswer {
 public:
  virtual ~KeptAnswer() = default;
  /// Replaces what was kept before. `additions`: without the warnings, which add_warnings gets.
  virtual void keep(json::Value payload, answer::ToolContext additions) = 0;
  /// `all`: the warnings of the tool call so far. Adds those that are new since the last time.
  virtual void add_warnings(const std::vector<model::Warning>& all) = 0;
  /// Whether the deadline came first: what the handler does from now on is in no answer.
  [[nodiscard]] virtual bool deadline_passed() const = 0;
};

namespace detail {

/// The T in a T, a Result<T> or an Answer<T>.
template <class T>
using UnwrappedType = typename ResponseOf<std::remove_cvref_t<T>>::Type;

template <class T>
inline constexpr bool is_duration = false;
template <class Rep, class Period>
inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;
template <class T>
inline constexpr bool is_time_point = false;
template <class Clock, class Duration>
inline constexpr bool is_time_point<std::chrono::time_point<Clock, Duration>> = true;

/// Reads a key from its key_text; nullopt: the text is no Key.
template <class Key>
[[nodiscard]] std::optional<Key> read_key(const std::string& text) {
  if constexpr (std::is_same_v<Key, std::string>) {
    return text;
  } else if constexpr (std::is_same_v<Key, bool>) {
    return text == "1";
  } else if constexpr (std::is_arithmetic_v<Key>) {
    Key key{};
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, key);
    return read.ec == std::errc() && read.ptr == end ? std::optional(key) : std::nullopt;
  } else if constexpr (std::is_enum_v<Key>) {
    const auto value = read_key<std::underlying_type_t<Key>>(text);
    return value ? std::optional(static_cast<Key>(*value)) : std::nullopt;
  } else if constexpr (is_duration<Key>) {
    const auto count = read_key<typename Key::rep>(text);
    return count ? std::optional(Key(*count)) : std::nullopt;
  } else if constexpr (is_time_point<Key>) {
    const auto since = read_key<typename Key::duration>(text);
    return since ? std::optional(Key(*since)) : std::nullopt;
  } else {
    const auto value = read_key<typename As<Key>::Type>(text);
    if (!value) return std::nullopt;
    auto key = As<Key>::from(*value);
    if constexpr (std::is_convertible_v<decltype(key), Key>) {
      return key;
    } else {
      return key ? std::optional<Key>(std::move(*key)) : std::nullopt;
    }
  }
}

/// A key as text from which read_key reads the same key; nullopt: there is none, because As<Key>
/// loses a part of the key.
template <class Key>
[[nodiscard]] std::optional<std::string> key_text(const Key& key) {
  if constexpr (std::is_same_v<Key, std::string>) {
    return key;
  } else if constexpr (std::is_same_v<Key, bool>) {
    return std::string(key ? "1" : "0");
  } else if constexpr (std::is_arithmetic_v<Key>) {
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), key).ptr;
    return std::string(text.data(), end);
  } else if constexpr (std::is_enum_v<Key>) {
    return key_text(static_cast<std::underlying_type_t<Key>>(key));
  } else if constexpr (is_duration<Key>) {
    return key_text(key.count());
  } else if constexpr (is_time_point<Key>) {
    return key_text(key.time_since_epoch());
  } else {
    const typename As<Key>::Type value = As<Key>::to(key);
    std::optional<std::string> text = key_text(value);
    if constexpr (std::equality_comparable<Key>) {
      if (text && read_key<Key>(*text) != key) return std::nullopt;
    }
    return text;
  }
}

/// How make_page asks a source for rows: at an offset, or with a Keyset after a key. `accepts`:
/// whether the key in the cursor can be read. `keys`: one text for each row, for the cursors; empty
/// without a Keyset.
template <class Source>
struct Asking {
  using Returned = std::invoke_result_t<Source&, std::size_t, std::size_t>;
  static bool accepts(const PageStart& /*start*/) { return true; }
  static Returned rows(Source& source, const PageStart& start) {
    return source(start.offset, start.size + 1);
  }
  template <class Row>
  static std::vector<std::optional<std::string>> keys(const Source& /*source*/,
                                                      const std::vector<Row>& /*rows*/) {
    return {};
  }
  template <class Row>
  static bool begins_before(const Source& /*source*/, const PageStart& /*start*/,
                            const std::vector<Row>& /*rows*/) {
    return false;
  }
};

template <class Holder, class Key, class Find>
struct Asking<Keyset<Holder, Key, Find>> {
  using Returned = std::invoke_result_t<Find&, const std::optional<Key>&, std::size_t>;
  static bool accepts(const PageStart& start) {
    return !start.after || read_key<Key>(*start.after).has_value();
  }
  static Returned rows(Keyset<Holder, Key, Find>& source, const PageStart& start) {
    std::optional<Key> after;
    if (start.after) after = read_key<Key>(*start.after);
    return source.find(after, start.size + 1);
  }
  template <class Row>
  static std::vector<std::optional<std::string>> keys(const Keyset<Holder, Key, Find>& source,
                                                      const std::vector<Row>& rows) {
    std::vector<std::optional<std::string>> keys;
    keys.reserve(rows.size());
    for (const Row& row : rows) keys.push_back(key_text(row.*source.key));
    return keys;
  }
  /// Whether the first row is before the key of the cursor, in the order of the first two rows.
  /// False for texts and own types, which a database may order in its own way.
  template <class Row>
  static bool begins_before(const Keyset<Holder, Key, Find>& source, const PageStart& start,
                            const std::vector<Row>& rows) {
    if constexpr (std::is_arithmetic_v<Key> || is_duration<Key> || is_time_point<Key>) {
      if (!start.after || rows.size() < 2) return false;
      const Key& first = rows[0].*source.key;
      const bool ascends = first < rows[1].*source.key;
      const Key after = read_key<Key>(*start.after).value_or(first);
      return ascends ? first < after : after < first;
    } else {
      return false;
    }
  }
};

/// The type of the rows in a vector or a Page; void for any other T.
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

/// The declared name of the member that holds the rows; empty: fields() does not list it.
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

/// Whether fields() lists a member of the type of the rows.
template <class Response, class Row>
[[nodiscard]] constexpr bool lists_rows() {
  bool any = false;
  level::detail::each<Response>([&](const auto& field) {
    any = any ||
          std::is_same_v<std::remove_cvref_t<decltype(field.member)>, std::vector<Row> Response::*>;
  });
  return any;
}

// What can be wrong with the types of a page: report() does not compile (level/faults.h).
template <class At>
struct NoPageRequest {
  static constexpr bool report() {
    ENFOLD_REJECT(level::Wrong<At>{}, "the request of a page derives from server::PageRequest");
    return false;
  }
};
template <class At>
struct WrongSource {
  static constexpr bool report() {
    ENFOLD_REJECT(
        level::Wrong<At>{},
        "the source of a page is a function of (std::size_t from, std::size_t count), or a "
        "server::keyset()");
    return false;
  }
};
template <class At>
struct WrongKey {
  static constexpr bool report() {
    ENFOLD_REJECT(level::Wrong<At>{},
                  "the key of a keyset is a number, a text, an enum, a time, or a type with As");
    return false;
  }
};
template <class At>
struct WrongFind {
  static constexpr bool report() {
    ENFOLD_REJECT(level::Wrong<At>{},
                  "`find` of a keyset takes (const std::optional<Key>& after, std::size_t count)");
    return false;
  }
};
template <class At>
struct WrongRows {
  static constexpr bool report() {
    ENFOLD_REJECT(level::Wrong<At>{},
                  "the source of a page returns a std::vector, a server::Page, or a Result of one");
    return false;
  }
};
template <class At>
struct RowsNotDeclared {
  static constexpr bool report() {
    ENFOLD_REJECT(level::Wrong<At>{},
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
  constexpr bool is_key = std::is_same_v<Key, std::string> || std::is_arithmetic_v<Key> ||
                          std::is_enum_v<Key> || level::HasAs<Key> || is_duration<Key> ||
                          is_time_point<Key>;
  if constexpr (!is_key) {
    return WrongKey<Key>{};
  } else {
    return std::conditional_t<std::is_invocable_v<Find&, const std::optional<Key>&, std::size_t>,
                              level::detail::NoFault, WrongFind<Find>>{};
  }
}

template <class Request, class Source>
[[nodiscard]] constexpr auto page_fault() {
  using Fault = decltype(source_fault(std::type_identity<Source>()));
  if constexpr (!std::is_base_of_v<PageRequest, Request>) {
    return NoPageRequest<level::RequestOf<Source, Request>>{};
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
  const level::detail::Scope scope{
      .level = level::Level::full, .leaves_out_empty = false, .filter = nullptr, .as_read = true};
  level::detail::write_struct(asked, scope, writer);
  const std::string list = json::to_text(std::move(writer).finish_value().view());
  auto start = PageAccess::start(context, asked, list);
  if (!start) return std::move(start.error());
  if (!Asking<Source>::accepts(*start)) return PageAccess::bad_key(asked);
  Answer<Response> answer = as_answer<Response>(Asking<Source>::rows(source, *start));
  if (answer.trouble() != nullptr) return answer;
  std::string member = name_of_rows(rows);
  if (member.empty()) {
    return fail(ErrorCode::internal,
                "Context::page: fields() does not list the member of the rows");
  }
  Response& page = *answer.response();
  std::vector<Row>& all = page.*rows;
  const std::vector<std::optional<std::string>> keys = Asking<Source>::keys(source, all);
  const bool begins_before = Asking<Source>::begins_before(source, *start, all);
  if (auto fault = PageAccess::key_fault(*start, keys, begins_before)) {
    return tl::unexpected<Error>(std::move(*fault));
  }
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
  for (std::size_t i = 0; i < std::min(keys.size(), draft.rows); ++i) {
    draft.keys.push_back(*keys[i]);
  }
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
        std::conditional_t<std::is_void_v<Row>, detail::WrongRows<level::ResponseOf<Source, Found>>,
                           level::detail::NoFault>;
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
    facts().kept->add_warnings(additions_.warnings);
    // The additions are copied without the warnings: these may be many, and are stored already.
    std::vector<model::Warning> warnings = std::exchange(additions_.warnings, {});
    answer::ToolContext additions = additions_;
    additions_.warnings = std::move(warnings);
    facts().kept->keep(level::render(response, level(), options), std::move(additions));
  }
}

template <class Form>
Elicited<Form> Call::elicit(std::string_view message, std::string key) const {
  if constexpr (decltype(detail::form_fault<Form>())::report()) {
    const json::Value schema = tools::input_schema_of<Form>();
    mcp::InputRequest request = mcp::ask_form(std::move(key), message, schema.view());
    const json::Value* answer = answer_to(request);
    return detail::elicited<Form>(answer, std::move(request), schema);
  } else {
    std::abort();
  }
}

}  // namespace enfold::server
