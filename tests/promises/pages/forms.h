// SPDX-License-Identifier: Apache-2.0
// The forms in which servers give a list in pages: how an answer says that there is another page,
// and with which argument a client asks for it.
#pragma once

#include "enfold/json/document.h"
#include "enfold/json/write.h"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::testing {

/// One page of the records `first` to `end`, of `total`.
struct PageDraw {
  std::size_t first = 0;
  std::size_t end = 0;
  std::size_t total = 0;
  std::size_t size = 1;
  std::string records;  ///< JSON array
  [[nodiscard]] bool is_last() const { return end >= total; }
  [[nodiscard]] std::size_t number() const { return first / size + 1; }
  [[nodiscard]] std::size_t pages() const { return (total + size - 1) / size; }
};

struct PageForm {
  std::string_view name;
  std::string_view argument;  ///< that asks for the next page; empty: there is one page
  std::string_view list;      ///< JSON Pointer of the records
  std::string (*write)(const PageDraw& page);
  /// What a client of the tool itself reads as the next page: its argument as JSON text.
  std::optional<std::string> (*next)(const PageDraw& page);
};

namespace detail {

inline std::string token(const PageDraw& page) { return fmt::format("t{}", page.end); }
inline std::optional<std::string> next_token(const PageDraw& page) {
  if (page.is_last()) return std::nullopt;
  return "\"" + token(page) + "\"";
}
inline std::optional<std::string> next_number(const PageDraw& page) {
  return page.is_last() ? std::nullopt : std::optional(fmt::format("{}", page.number() + 1));
}
inline std::optional<std::string> next_offset(const PageDraw& page) {
  return page.is_last() ? std::nullopt : std::optional(fmt::format("{}", page.end));
}
inline std::optional<std::string> next_link(const PageDraw& page) {
  if (page.is_last()) return std::nullopt;
  return fmt::format("\"https://api.example/r?at={}\"", token(page));
}
inline std::optional<std::string> none(const PageDraw& /*page*/) { return std::nullopt; }
inline std::string token_or(const PageDraw& page, std::string_view at_end) {
  return page.is_last() ? std::string(at_end) : *next_token(page);
}

}  // namespace detail

inline constexpr auto kPageForms = std::to_array<PageForm>({
    {"array", "", "", [](const PageDraw& p) { return p.records; }, detail::none},
    {"counted", "", "/channels",
     [](const PageDraw& p) {
       return fmt::format(R"({{"channels":{},"total":{}}})", p.records, p.total);
     },
     detail::none},
    {"next_cursor", "cursor", "/items",
     [](const PageDraw& p) {
       return fmt::format(R"({{"items":{},"next_cursor":{}}})", p.records,
                          detail::token_or(p, "null"));
     },
     detail::next_token},
    {"has_more", "cursor", "/channels",
     [](const PageDraw& p) {
       return fmt::format(R"({{"channels":{},"has_more":{},"cursor":{}}})", p.records, !p.is_last(),
                          detail::token_or(p, "null"));
     },
     detail::next_token},
    {"offset", "offset", "/results",
     [](const PageDraw& p) {
       return fmt::format(R"({{"results":{},"offset":{},"limit":{},"total":{}}})", p.records,
                          p.first, p.size, p.total);
     },
     detail::next_offset},
    {"start_at", "offset", "/issues",
     [](const PageDraw& p) {
       return fmt::format(R"({{"startAt":{},"maxResults":{},"total":{},"issues":{}}})", p.first,
                          p.size, p.total, p.records);
     },
     detail::next_offset},
    {"page", "page", "/data",
     [](const PageDraw& p) {
       return fmt::format(R"({{"page":{},"per_page":{},"total":{},"data":{}}})", p.number(), p.size,
                          p.total, p.records);
     },
     detail::next_number},
    {"pages", "page", "/records",
     [](const PageDraw& p) {
       return fmt::format(R"({{"records":{},"pagination":{{"page":{},"pages":{}}}}})", p.records,
                          p.number(), p.pages());
     },
     detail::next_number},
    {"page_token", "cursor", "/files",
     [](const PageDraw& p) {
       const std::string next =
           p.is_last() ? "" : fmt::format(R"("nextPageToken":"{}",)", detail::token(p));
       return fmt::format(R"({{{}"files":{}}})", next, p.records);
     },
     detail::next_token},
    {"odata", "cursor", "/value",
     [](const PageDraw& p) {
       const auto next = detail::next_link(p);
       return fmt::format(R"({{"@odata.context":"x","value":{}{}}})", p.records,
                          next ? R"(,"@odata.nextLink":)" + *next : "");
     },
     detail::next_link},
    {"links", "cursor", "/data",
     [](const PageDraw& p) {
       return fmt::format(R"({{"data":{},"links":{{"self":"x","next":{}}}}})", p.records,
                          detail::next_link(p).value_or("null"));
     },
     detail::next_link},
    {"slack", "cursor", "/members",
     [](const PageDraw& p) {
       return fmt::format(R"({{"ok":true,"members":{},"response_metadata":{{"next_cursor":{}}}}})",
                          p.records, detail::token_or(p, R"("")"));
     },
     detail::next_token},
    {"graphql", "cursor", "/data/issues/nodes",
     [](const PageDraw& p) {
       return fmt::format(
           R"({{"data":{{"issues":{{"nodes":{},"pageInfo":{{"hasNextPage":{},"endCursor":"{}"}}}}}}}})",
           p.records, !p.is_last(), detail::token(p));
     },
     detail::next_token},
    {"is_last", "offset", "/values",
     [](const PageDraw& p) {
       return fmt::format(R"({{"values":{},"startAt":{},"isLast":{}}})", p.records, p.first,
                          p.is_last());
     },
     detail::next_offset},
    {"envelope", "cursor", "/records",
     [](const PageDraw& p) {
       return fmt::format(
           R"({{"success":true,"data":{{"records":{}}},"error":null,"meta":{{"version":"response-v2",)"
           R"("pagination":{{"cursor":{},"has_more":{},"total_count":{}}}}}}})",
           p.records, detail::token_or(p, "null"), !p.is_last(), p.total);
     },
     detail::next_token},
});

inline std::string record(std::size_t id, std::size_t style) {
  const std::string name = fmt::format("record {}", id);
  switch (style) {
    case 0: return fmt::format(R"({{"id":{},"name":"{}"}})", id, name);
    case 1:
      return fmt::format(R"({{"id":{},"name":"{}","status":"{}","owner":"u{}"}})", id, name,
                         id % 17 == 5 ? "failed" : "ok", id % 3);
    default:
      return fmt::format(R"({{"id":{},"name":"{}","body":"{}","tags":["a","b{}"]}})", id, name,
                         std::string(id * 37 % (style * 40) + 5, 'x'), id % 5);
  }
}

/// {"form": index, "records": total, "size": of a page, "style": of records, and the argument of
/// the form}
inline PageDraw draw_page(json::View arguments) {
  const auto integer = [&](std::string_view name, std::int64_t otherwise) {
    const auto found = arguments.find(name);
    return static_cast<std::size_t>(found ? found->integer().value_or(otherwise) : otherwise);
  };
  PageDraw page{.total = integer("records", 1), .size = integer("size", 1), .records = {}};
  page.first = integer("offset", 0);
  if (arguments.find("page")) page.first = (integer("page", 1) - 1) * page.size;
  if (const auto cursor = arguments.find("cursor"); cursor && cursor->is_string()) {
    const std::string text = cursor->string();
    // A server that does not know a cursor begins again.
    const std::size_t at = text.rfind("t");
    const bool ours = at != std::string::npos && at + 1 < text.size() &&
                      text.find_first_not_of("0123456789", at + 1) == std::string::npos;
    page.first = ours ? std::stoul(text.substr(at + 1)) : 0;
  }
  page.end = std::min(page.total, page.first + page.size);
  const bool whole = kPageForms[integer("form", 0)].argument.empty();
  if (whole) page.first = 0, page.end = page.total;
  page.records = "[";
  for (std::size_t id = page.first; id < page.end; ++id) {
    if (id > page.first) page.records += ",";
    page.records += record(id, integer("style", 0));
  }
  page.records += "]";
  return page;
}

inline std::string page_of_form(json::View arguments) {
  const std::size_t form = static_cast<std::size_t>(*arguments.find("form")->integer());
  return kPageForms.at(form).write(draw_page(arguments));
}

}  // namespace enfold::testing
