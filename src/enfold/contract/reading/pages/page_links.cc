// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/pages/page_links.h"

#include "enfold/contract/reading/words.h"

namespace enfold::contract::detail {
namespace {

/// Notes which relations the links have as they are read.
class Relations {
 public:
  /// Notes the relations of one link, separated by spaces; true: the link leads to the next page.
  bool add(std::string_view relations) {
    for (const std::string_view other : {"prev", "previous", "first", "last"}) {
      has_others_ = has_others_ || has_word(relations, other);
    }
    const bool next = has_word(relations, "next");
    has_next_ = has_next_ || next;
    return next;
  }
  /// Whether there are links to other pages, but none to the next.
  [[nodiscard]] bool lacks_next() const { return has_others_ && !has_next_; }

 private:
  bool has_next_ = false;
  bool has_others_ = false;
};

// The value of `rel` among the parameters of a link: ; rel="next last"; title=x
std::string_view relations_in(std::string_view parameters) {
  const std::size_t at = parameters.find("rel=");
  if (at == std::string_view::npos) return {};
  parameters.remove_prefix(at + 4);
  const bool quoted = parameters.starts_with('"');
  if (quoted) parameters.remove_prefix(1);
  return parameters.substr(0, parameters.find_first_of(quoted ? "\"" : ";, "));
}

// Reads a Link header: <target>; name=value; name="value", <target> …
void read_header(std::string_view text, Relations& relations, PageLinks& out) {
  for (std::size_t at = text.find('<'); at != text.npos;) {
    const std::size_t end = text.find('>', at);
    if (end == text.npos) return;
    const std::size_t next = text.find('<', end);
    if (relations.add(relations_in(text.substr(end + 1, next - end - 1)))) {
      out.next_target = std::string(text.substr(at + 1, end - at - 1));
    }
    at = next;
  }
}

}  // namespace

bool holds_relations(json::View value) {
  if (value.is_string()) {
    const std::string text = value.string();
    return text.starts_with('<') && text.find("rel=") != std::string::npos;
  }
  const auto first = value.is_array() ? value.item(0) : std::nullopt;
  return first && (first->find("rel") || first->find("relation"));
}

PageLinks page_links(json::View links) {
  PageLinks out;
  Relations relations;
  for (const json::Member& member : links.members()) {
    const std::string key = plain(member.key.string());
    // {"links": {"pages": {"next": …}}}
    if (key == "pages" && member.value.is_object()) return page_links(member.value);
    if (relations.add(key)) out.next = member.value;
  }
  for (const json::View link : links.items()) {
    const auto relation = link.find("rel") ? link.find("rel") : link.find("relation");
    const auto target = link.find("href") ? link.find("href") : link.find("url");
    if (relation && target && relations.add(relation->string())) out.next = *target;
  }
  if (links.is_string()) read_header(links.string(), relations, out);
  out.next_is_missing = relations.lacks_next();
  return out;
}

}  // namespace enfold::contract::detail
