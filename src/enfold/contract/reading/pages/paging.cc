// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/pages/paging.h"

#include "enfold/contract/reading/pages/page_links.h"
#include "enfold/contract/reading/pages/page_roles.h"
#include "enfold/contract/reading/words.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace enfold::contract::detail {
namespace {

using model::Number;
using model::Page;

/// Everything that an answer says about its pages; nullopt: the answer does not say it. The fields
/// in the first two lines have the names of their Role.
struct Found {
  std::optional<std::int64_t> offset, number, size, pages, total, returned, remaining;
  std::optional<bool> more, last;
  std::optional<json::View> next;            ///< a token or number
  std::optional<json::View> address;         ///< of the next page; used only without a token
  std::optional<std::string> before, after;  ///< ids: another page has the items before or after it
  std::optional<std::string> next_link;      ///< address of the next page, from a Link header
  bool after_is_token = false;               ///< `after` was in a member such as `pagination`
  bool next_is_blank = false;                ///< a member for the next page is there and empty
  bool next_is_missing = false;              ///< there are links to pages, but none to the next
  bool counts_from_zero = false;             ///< page numbers begin with 0
  bool offset_from_one = false;              ///< the first record has the offset 1
  bool next_is_weak = false;                 ///< `next` may be there on the last page too
  bool next_is_page = false;                 ///< `next` is the number of a page
  bool next_needs_more = false;              ///< `next` counts only if `more` is true
  bool exact_total = true;                   ///< false: `total` is a lower bound
  bool cut = false;                          ///< the tool says that it left items out
};

class PageReader {
 public:
  // `returned`: the number of items in the list. `list`: its name in the form of plain().
  PageReader(std::int64_t returned, std::string list)
      : returned_(returned), list_(std::move(list)) {
    if (list_.ends_with("ies")) {
      list_.replace(list_.size() - 3, 3, "y");
    } else if (list_.ends_with('s')) {
      list_.pop_back();
    }
  }

  // `inside`: the object is a member for paging, such as `pagination`. `headers`: its members are
  // HTTP headers.
  void read(json::View object, bool inside, bool headers = false) {
    for (const json::Member& member : object.members()) {
      std::string key = plain(member.key.string());
      if (headers && !reduce_header_key(key)) continue;
      Role role = role_of(key, member.value);
      // {"pagination": {"page": 2, "items": 7}}: `items` is the total.
      const bool counts = inside && has_word<"items results records entries">(key);
      if (role == Role::none && (counts || counts_list(key)) && integer_of(member.value)) {
        role = Role::total;
      }
      if (role == Role::none) continue;
      if (role == Role::container) {
        containers_.push_back({key, member.value});
        continue;
      }
      if (role == Role::request) {
        take_request(member.value);
        continue;
      }
      take(role, key, member.value, inside);
    }
    take_message_ids(object);
    // `number` is the page only beside a number of pages, as Spring writes both.
    if (number_ && found.pages && !found.number) {
      found.number = number_;
      found.counts_from_zero = true;
    }
    auto containers = std::move(containers_);
    containers_.clear();
    for (const auto& [key, value] : containers) {
      if (key == "page" && value.find("number")) found.counts_from_zero = true;
      if (depth_ < 3) {
        ++depth_;
        read(value, /*inside=*/true, /*headers=*/key == "headers");
        --depth_;
      }
    }
  }

  Found found;
  std::set<std::uint32_t> used;  // PageReading::used; complete after finish()

  // Adds to `used` the members that the page states only if there is a next page, or says by
  // has_more. `has_more`: as the page will state it.
  void finish(std::optional<bool> has_more) {
    if (found.more && found.more == has_more) used.insert(more_offset_);
    if (has_more.value_or(false) && next_is_scalar_) used.insert(next_offset_);
    if (has_more.value_or(false) && !found.next && !found.after_is_token)
      used.insert(address_offset_);
    if (!found.exact_total) used.erase(total_offset_);
  }

 private:
  // Sets a field of `found` from a member, whose value is then used, unless an earlier member has
  // set the field.
  template <class T>
  void claim(std::optional<T>& place, T value, json::View source) {
    if (place) return;
    place = value;
    used.insert(source.offset());
  }

  // Whether a name counts the items of the list: `game_count` or `numGames` beside `games`.
  [[nodiscard]] bool counts_list(std::string_view key) const {
    if (list_.empty()) return false;
    const std::size_t at = key.find(std::string_view(list_).substr(0, list_.size() - 1));
    if (at == std::string_view::npos) return false;
    const std::string_view before = key.substr(0, at);
    const std::size_t count = key.find("count", at);
    return count != std::string_view::npos ? before.empty() && count <= at + list_.size() + 3
                                           : has_word<"num numberof n nb nof">(before);
  }

  // Removes from the key of an HTTP header the prefix `x` and the name of a vendor: wptotal of
  // X-WP-Total becomes total. False: the header has another name than Link, Content-Range or X-…,
  // and so is not about pages.
  static bool reduce_header_key(std::string& key) {
    if (has_word<"link contentrange">(key)) return true;
    if (!key.starts_with('x')) return false;
    const std::size_t total = key.find("total");
    key.erase(0, total == std::string::npos ? 1 : total);
    return true;
  }

  // Reads a member of this role. `inside`: as for read().
  void take(Role role, std::string_view key, json::View value, bool inside) {
    switch (role) {
      case Role::offset:
        if (key == "startindex" && *integer_of(value) > 0) found.offset_from_one = true;
        return claim(found.offset, *integer_of(value), value);
      case Role::number:
        if (key == "number" && !inside) {
          number_ = integer_of(value);
          return;
        }
        if (key == "pageindex" || *integer_of(value) == 0) found.counts_from_zero = true;
        found.number = found.number.value_or(*integer_of(value));
        return;
      case Role::size: return claim(found.size, *integer_of(value), value);
      case Role::pages:
        if (key == "nbpages") found.counts_from_zero = true;
        found.pages = found.pages.value_or(*integer_of(value));
        return;
      case Role::total: return take_total(key, value);
      case Role::returned: return take_returned(value);
      case Role::more:
        if (found.more) return;
        found.more = value.boolean() || value.equals("true");
        more_offset_ = value.offset();
        if (key == "truncated" && *found.more) found.cut = true;
        return;
      case Role::last:
        if (key == "last" && !value.is_boolean()) return;
        found.last = found.last.value_or(value.boolean() || value.equals("true"));
        return;
      case Role::remaining: found.remaining = found.remaining.value_or(*integer_of(value)); return;
      case Role::next:
      case Role::weak_next: return take_next(key, value, role == Role::weak_next);
      case Role::links: return take_links(value);
      case Role::range: return take_range(value.string());
      case Role::before:
        if (!is_blank(value)) claim(found.before, value.string(), value);
        return;
      case Role::after:
        if (is_blank(value)) return;
        found.after_is_token = found.after_is_token || inside;
        return claim(found.after, value.string(), value);
      default: return;
    }
  }

  void take_total(std::string_view key, json::View value) {
    json::View number = value;
    if (value.is_object()) {  // {"value": 57, "relation": "eq"}
      number = *value.find("value");
      const auto relation = value.find("relation");
      if (relation && !relation->equals("eq")) found.exact_total = false;
      if (!integer_of(number)) return;
    }
    const auto total = integer_of(number);
    if (key == "originalcount") {
      if (*total > returned_) found.cut = true;
      if (*total <= returned_ || found.total) return;
    }
    // A general name overrides a special one: total and totalCount override totalUnread.
    const bool general = is_general_total(key);
    if (found.total && !(general && !general_total_)) return;
    if (found.total) used.erase(total_offset_);
    found.total = total;
    general_total_ = general;
    total_offset_ = number.offset();
    used.insert(total_offset_);
  }

  void take_returned(json::View value) {
    const auto count = integer_of(value);
    if (*count == returned_) return claim(found.returned, *count, value);
    // A count above the number of items on this page counts the items of all pages.
    if (*count > returned_ && !found.total) {
      found.total = count;
      general_total_ = false;
      total_offset_ = value.offset();
      used.insert(total_offset_);
    }
  }

  // Chat logs page by message id: the oldest or newest id is where the next page begins.
  void take_message_ids(json::View object) {
    const auto filter = object.find("filterType");
    if (!filter || !found.more.value_or(false)) return;
    const bool after = filter->equals("after");
    const auto id = object.find(after ? "newestMessageId" : "oldestMessageId");
    if (id && id->is_string()) claim(after ? found.after : found.before, id->string(), *id);
  }

  void take_next(std::string_view key, json::View value, bool is_weak = false) {
    json::View next = value;
    bool is_page = has_word<"nextpage nextpagenumber">(key);
    if (next.is_object()) {
      for (const char* inner :
           {"after", "cursor", "starting_after", "startingAfter", "token", "page_token",
            "pageToken", "offset", "page", "href", "url", "link", "uri"}) {
        const auto token = next.find(inner);
        if (!token) continue;
        next = *token;
        is_page = std::string_view(inner) == "page";
        break;
      }
    }
    const bool is_zero = integer_of(next) == 0 && key.find("cursor") != std::string_view::npos;
    if (is_blank(next) || is_zero) {
      found.next_is_blank = found.next_is_blank || !is_weak;
      return;
    }
    if (is_address(next)) {
      if (!found.address) address_offset_ = value.offset();
      if (!found.address) found.address = next;
      return;
    }
    if (found.next && !found.next_is_weak) return;
    found.next = next;
    found.next_is_weak = is_weak;
    found.next_is_page = is_page;
    found.next_needs_more = key == "marker";
    next_offset_ = value.offset();
    next_is_scalar_ = !value.is_container();
  }

  void take_links(json::View links) {
    const PageLinks read = page_links(links);
    if (read.next) take_next("next", *read.next);
    if (read.next_target) found.next_link = read.next_target;
    found.next_is_missing = found.next_is_missing || read.next_is_missing;
  }

  // Reads the arguments of the request, which the answer repeats. If they have an end (`to`,
  // `until`), `start` and `from` are times and not offsets.
  void take_request(json::View request) {
    const bool range = request.find("to") || request.find("end") || request.find("until");
    for (const json::Member& member : request.members()) {
      const std::string key = plain(member.key.string());
      const Role role = named_role(key, member.value);
      const bool place = role == Role::offset || role == Role::number || role == Role::size;
      if (place && !(range && has_word<"start from">(key))) {
        take(role, key, member.value, /*inside=*/true);
      }
    }
  }

  // Reads a Content-Range: "items 20-39/212"; the total may be "*".
  void take_range(const std::string& text) {
    const std::size_t first = text.find_first_of("0123456789");
    const std::size_t slash = text.find('/');
    if (first == text.npos || slash == text.npos || slash < first) return;
    const auto number = [&](std::size_t at) -> std::optional<std::int64_t> {
      std::int64_t value = 0;
      const auto read = std::from_chars(text.data() + at, text.data() + text.size(), value);
      return read.ec == std::errc() ? std::optional(value) : std::nullopt;
    };
    if (!found.offset) found.offset = number(first);
    if (!found.total) found.total = number(slash + 1);
  }

  std::int64_t returned_;
  std::string list_;                    ///< name of the list, without an s at its end
  std::optional<std::int64_t> number_;  ///< a member `number` that may be the page
  int depth_ = 0;                       ///< containers around the current one, at most 3
  bool general_total_ = false;          ///< found.total counts all items (is_general_total)
  // Byte offsets of the members that set these fields of `found`.
  std::uint32_t total_offset_ = 0;
  std::uint32_t more_offset_ = 0;
  std::uint32_t next_offset_ = 0;
  std::uint32_t address_offset_ = 0;
  bool next_is_scalar_ = false;  ///< the page's cursor states the whole member
  std::vector<std::pair<std::string, json::View>> containers_;  ///< read after the other members
};

/// Whether there is a next page.
struct More {
  std::optional<bool> value;  ///< nullopt: not known
  std::string reason;         ///< for people; empty: not known
};

// Decides by explicit members first, then by a token for the next page, then by arithmetic.
More more_of(const Found& found, std::int64_t returned) {
  if (found.cut) return {true, "the tool says that it left items out"};
  if (found.more) return {found.more, "the answer says so"};
  if (found.last) return {!*found.last, "the answer says whether this is the last page"};
  if (found.remaining) return {*found.remaining > 0, "the answer says how many are left"};
  if ((found.next && !found.next_is_weak) || found.address || found.next_link)
    return {true, "there is a token or link for the next page"};
  if (found.next_is_blank) return {false, "the token or link for the next page is empty"};
  if (found.next_is_missing) return {false, "there are links to other pages, but none to the next"};
  if (found.number && found.pages) {
    const std::int64_t last = found.counts_from_zero ? *found.pages - 1 : *found.pages;
    return {*found.number < last, "page number and number of pages"};
  }
  if (found.total && !found.exact_total) return {};
  if (found.number && found.size && found.total) {
    const std::int64_t pages_before = found.counts_from_zero ? *found.number : *found.number - 1;
    const std::int64_t others = *found.total - returned;  // items of other pages
    const bool more =
        others > 0 && (*found.size <= 0 || pages_before <= (others - 1) / *found.size);
    return {more, "page number, page size and total"};
  }
  if (found.offset && found.total) {
    const std::int64_t items_before = *found.offset - (found.offset_from_one ? 1 : 0);
    return {items_before + returned < *found.total, "offset and total"};
  }
  // With a scroll id, every page has a token; the list ends with an empty page.
  if (found.next_is_weak && returned == 0) return {false, "the page is empty"};
  if (found.total && *found.total <= returned && found.number.value_or(0) <= 1)
    return {false, "all items are here"};
  if (found.total && found.number) {
    const std::int64_t page = *found.number + (found.counts_from_zero ? 1 : 0);  // from 1
    if (page == 1) return {true, "first page, and the total is higher"};
    // The earlier pages have at least as many items as this one.
    if (page > 0 && returned >= (*found.total + page - 1) / page) {
      return {false, "page number and total"};
    }
  }
  return {};
}

}  // namespace

bool is_paging_member(std::string_view key, json::View value) {
  const Role role = role_of(key, value);
  if (role == Role::none || role == Role::before || role == Role::after) return false;
  if (role == Role::range || role == Role::request) return false;
  // Names that often mean something else are left out here and below.
  if (key == "headers" || key == "marker") return false;
  if (role == Role::container) {
    return has_word<"pagination paging pageinfo responsemetadata cursors page">(key) ||
           is_page_object(value);
  }
  return !has_word<"from number last done more final iscomplete top current end matches found">(
             key) ||
         role == Role::last || role == Role::more;
}

PageReading page_of(json::View data, const std::vector<std::string>& path) {
  std::vector<json::View> holders;  // the objects around the list
  json::View list = data;
  for (const std::string& key : path) {
    holders.push_back(list);
    list = list.find(key).value_or(json::View());
  }
  const auto returned = static_cast<std::int64_t>(list.size());
  PageReader reader(returned, path.empty() ? std::string() : plain(path.back()));
  // The innermost object is read first, because its members say most about the list.
  std::ranges::reverse(holders);
  for (const json::View holder : holders) reader.read(holder, /*inside=*/false);
  const Found& found = reader.found;
  More more = more_of(found, returned);
  reader.finish(more.value);
  PageReading out{.page = {}, .used = std::move(reader.used), .reason = {}};
  const auto number = [](const std::optional<std::int64_t>& value) {
    return value ? std::optional(Number::of(*value)) : std::nullopt;
  };
  out.has_marks = more.value || found.number || found.pages || found.offset || found.size ||
                  found.total || found.next || found.address || found.before || found.after;
  out.page.has_more = more.value;
  out.reason = std::move(more.reason);
  out.page.total = found.exact_total ? number(found.total) : std::nullopt;
  out.page.page_size = number(found.size);
  out.page.offset = number(found.offset);
  out.page.returned = Number::of(returned);
  out.page.before = found.before;
  out.page.after = found.after;
  const bool linked = (found.address || found.next_link) && !found.next && !found.after_is_token;
  if (linked && more.value.value_or(false)) {
    out.page.cursor = found.address ? found.address->string() : found.next_link;
  } else if (found.next && more.value.value_or(found.next_is_weak && !found.next_needs_more)) {
    if (found.next->is_string()) {
      out.page.cursor = found.next->string();
    } else if (found.next->is_number() && !found.next_is_page) {
      out.page.next_offset = Number{std::string(found.next->number())};
    } else {
      out.page.cursor = std::string(found.next->raw());
    }
  } else if (more.value.value_or(false) && found.offset) {
    out.page.next_offset = Number::of(*found.offset + returned);
  }
  return out;
}

}  // namespace enfold::contract::detail
