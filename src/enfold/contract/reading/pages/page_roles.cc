// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/pages/page_roles.h"

#include "enfold/contract/reading/pages/page_links.h"
#include "enfold/contract/reading/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>

namespace enfold::contract::detail {
namespace {

struct RoleNames {
  Role role;
  std::string_view names;  ///< in the form of plain(), separated by spaces
};

// A name may have several roles; the first that fits the value of the member counts.
constexpr auto kRoles = std::to_array<RoleNames>({
    {Role::offset,
     "offset start startat skip currentoffset startindex from retstart pageoffset startrow"},
    {Role::number,
     "page pagenumber currentpage pageno pageindex number pagenum pagenr currentpagenumber "
     "current"},
    {Role::size,
     "limit pagesize perpage maxresults size take top hitsperpage resultsperpage itemsperpage "
     "maxkeys pagelimit retmax pagesizelimit maxitems"},
    {Role::pages,
     "totalpages pages pagecount lastpage nbpages numpages pagestotal totalpagecount numberofpages "
     "pagescount maxpage"},
    {Role::total,
     "total totalcount totalresults totalitems totalrows totalhits totalrecords totalelements "
     "totalsize nbhits originalcount odatacount resultcount totalmatches numfound totalnumber "
     "recordstotal totalentries totalobjects countall allcount totalnum overallcount fullcount "
     "matchcount hitcount foundcount totalfound numresults numberofresults itemcount recordcount "
     "totalresultcount totaldocs totalnumberofresults matches found estimatedtotalhits "
     "estimatedtotal totalestimatedmatches estimatedcount approximatecount approximatetotal "
     "totalestimate"},
    {Role::returned, "returned returnedcount showing count keycount numberofelements rowcount"},
    {Role::more,
     "hasmore hasnext hasnextpage more moreavailable istruncated truncated morerecords moreresults "
     "hasmorepages hasmoreitems moreresultsavailable incomplete nextpageexists hasmoredata "
     "hasmorerecords moreitems morepages existsnext"},
    {Role::last,
     "islast islastpage lastpage last done isend endoflist iscomplete final end endofresults eof "
     "isfinal reachedend nomore isfinished"},
    {Role::remaining, "remainingitemcount remainingcount remainingitems itemsremaining"},
    {Role::next,
     "nextcursor nextpagetoken nexttoken nextcontinuationtoken nextmarker continuationtoken cursor "
     "next nextlink odatanextlink nexturl nextpageurl continue lastevaluatedkey nextrecordsurl "
     "continuation nextpage nextoffset nextpagecursor nextkey pagetoken nextbookmark nextpath "
     "nextstart offset nextstartkey nextpageid nextid nextindex nextskip nextquery paginationtoken "
     "nextpaginationtoken resumetoken nextposition nextcursormark searchafter nextpagelink "
     "nextpagestart"},
    // Tokens that the last page has too, so they are no evidence of a next page.
    {Role::weak_next, "endcursor aftercursor scrollid bookmark marker"},
    {Role::links, "link links linkheader"},
    {Role::range, "contentrange"},
    {Role::before, "before"},
    {Role::after, "after"},
    {Role::container,
     "pagination paging page pageinfo meta metadata responsemetadata summary cursors headers "
     "pagingmetadata pagedata pages pager paginator pagecontext pageable paginationinfo "
     "paginationmetadata resultinfo searchinfo resultset listmetadata pagedetails resultsetinfo"},
    // The arguments of the request, repeated in the answer: they name its offset and page.
    {Role::request, "query request params requestparams queryparams searchparameters"},
});

struct NamedRole {
  std::string_view name;
  std::size_t place;  ///< index in kRoles
};

constexpr std::size_t kNameCount = [] {
  std::size_t count = 0;
  for (const RoleNames& one : kRoles) {
    count += static_cast<std::size_t>(std::ranges::count(one.names, ' ')) + 1;
  }
  return count;
}();

// The bucket of kNames that a name is in, by its length and characters.
constexpr std::size_t kBuckets = 2048;
constexpr std::size_t bucket_of(std::string_view name) {
  if (name.empty()) return 0;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
  return (name.size() * 67 + at(0) * 131U + at(name.size() / 2) * 37U + at(name.size() - 1) * 5U) %
         kBuckets;
}

// All names in kRoles, sorted by bucket; a name of several roles occurs several times, in the order
// of its roles.
constexpr auto kNames = [] {
  std::array<NamedRole, kNameCount> all;
  std::size_t size = 0;
  for (std::size_t place = 0; place < kRoles.size(); ++place) {
    std::string_view rest = kRoles[place].names;
    while (!rest.empty()) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      all[size++] = {name, place};
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
  }
  std::ranges::sort(all, [](const NamedRole& a, const NamedRole& b) {
    const std::size_t first = bucket_of(a.name);
    const std::size_t second = bucket_of(b.name);
    return first != second ? first < second : a.place < b.place;
  });
  return all;
}();

// The index in kNames at which each bucket begins. Most buckets are empty, because most members
// have none of the names.
constexpr auto kBucketStarts = [] {
  std::array<std::uint16_t, kBuckets + 1> starts{};
  for (const NamedRole& one : kNames) ++starts[bucket_of(one.name) + 1];
  for (std::size_t i = 1; i < starts.size(); ++i) {
    starts[i] = static_cast<std::uint16_t>(starts[i] + starts[i - 1]);
  }
  return starts;
}();

// All entries in the bucket of a name, in the order of kRoles; some may be of another name.
std::span<const NamedRole> roles_near(std::string_view name) {
  const std::size_t bucket = bucket_of(name);
  return std::span(kNames).subspan(kBucketStarts[bucket],
                                   kBucketStarts[bucket + 1] - kBucketStarts[bucket]);
}

// Whether the value fits the role; numbers may be written as text.
bool fits(Role role, json::View value) {
  switch (role) {
    case Role::none: return false;
    case Role::more:
    case Role::last: return value.is_boolean() || value.equals("true") || value.equals("false");
    case Role::next:
    case Role::weak_next: return !value.is_boolean() || !value.boolean();
    case Role::links: return value.is_object() || holds_relations(value);
    case Role::range: return value.is_string();
    case Role::before:
    case Role::after: return value.is_string() || value.is_null();
    case Role::container:
    case Role::request: return value.is_object();
    case Role::total: return integer_of(value) || (value.is_object() && value.find("value"));
    default: return integer_of(value).has_value();
  }
}

// Whether a name such as next_page_uri or previousPageLink leads to a page. `rest` is the name
// without "next", "previous", "first" or "last".
bool leads_to_page(std::string_view rest) {
  for (const std::string_view noun : {"page", "results", "records", "items", "batch"}) {
    if (rest.starts_with(noun)) rest.remove_prefix(noun.size());
  }
  return has_word<"uri url link href path token cursor marker key offset">(rest);
}

}  // namespace

// `originalcount` is no general total: Enfold and others write it about a list that they have cut.
bool is_general_total(std::string_view key) {
  return key != "originalcount" && std::ranges::any_of(roles_near(key), [&](const NamedRole& one) {
           return kRoles[one.place].role == Role::total && one.name == key;
         });
}

std::optional<std::int64_t> integer_of(json::View value) {
  const std::string_view text = value.is_string() ? value.string_source() : value.number();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  constexpr std::int64_t safe = std::int64_t{1} << 53;  // JSON readers may round larger numbers
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number > -safe && number < safe ? std::optional(number) : std::nullopt;
}

bool is_address(json::View value) {
  if (!value.is_string()) return false;
  const std::string text = value.string();
  return text.find("://") != text.npos || text.starts_with('?') ||
         (text.starts_with('/') && text.find('?') != text.npos);
}

bool is_blank(json::View value) {
  return value.is_null() || (value.is_string() && value.string_source().empty()) ||
         (value.is_boolean() && !value.boolean()) || (value.is_container() && value.size() == 0);
}

Role named_role(std::string_view key, json::View value) {
  for (const NamedRole& one : roles_near(key)) {
    if (one.name != key) continue;
    const Role role = kRoles[one.place].role;
    const bool is_number = key == "offset" && role == Role::next && !value.is_string();
    if (fits(role, value) && !is_number) return role;
  }
  // next_cursor_str, opensearch:totalResults
  constexpr std::size_t longest = 64;  // bytes of a name with such a prefix and suffix
  if (key.size() > 10 && key.size() < longest && key.starts_with("opensearch")) {
    return named_role(key.substr(10), value);
  }
  if (key.size() > 3 && key.size() < longest && key.ends_with("str")) {
    return named_role(key.substr(0, key.size() - 3), value);
  }
  if (key.starts_with("next") && leads_to_page(key.substr(4)) && fits(Role::next, value)) {
    return Role::next;
  }
  if (key.ends_with("continue") && !value.is_container() && fits(Role::next, value)) {
    return Role::next;
  }
  for (const std::string_view other : {"previous", "prev", "first", "last"}) {
    const bool leads = key.starts_with(other) && leads_to_page(key.substr(other.size()));
    if (leads && !value.is_container()) return Role::other_page;
  }
  if ((key.starts_with("hasmore") || key.starts_with("hasnext")) && fits(Role::more, value)) {
    return Role::more;
  }
  return Role::none;
}

// Numbers alone do not describe a page, unless an offset or page number is among them:
// {"limit": 5, "total": 9} may be a quota.
bool is_page_object(json::View value) {
  constexpr std::size_t most_members = 12;
  if (!value.is_object() || value.size() > most_members) return false;
  const bool flat = std::ranges::none_of(value.members(), [](const json::Member& one) {
    return one.value.is_container() &&
           !has_word<"next prev previous first last links cursors sort">(
               plain(one.key.string_source()));
  });
  if (!flat) return false;
  int numbers = 0;
  bool has_place = false;
  for (const json::Member& member : value.members()) {
    const std::string key = plain(member.key.string());
    if (has_word<"id uuid key name title">(key))
      return false;  // describes something else than a page
    switch (named_role(key, member.value)) {
      case Role::next:
        if (!has_word<"next cursor continue continuation offset">(key)) return true;
        break;
      case Role::more:
        if (key.starts_with("has")) return true;
        break;
      case Role::total:
        if (key != "total") return true;
        ++numbers;
        break;
      case Role::number:
      case Role::offset: has_place = true; [[fallthrough]];
      case Role::size:
      case Role::pages:
      case Role::returned: ++numbers; break;
      default: break;
    }
  }
  return has_place && numbers > 1;
}

Role role_of(std::string_view key, json::View value) {
  const Role named = named_role(key, value);
  if (named != Role::none && named != Role::request) return named;
  if (is_page_object(value)) return Role::container;
  if (named != Role::none) return named;
  // totalChannels, total_unread: the number of items of some sort.
  const bool total = key.starts_with("total") && !key.ends_with("pages") && key.size() > 5;
  return total && fits(Role::total, value) ? Role::total : Role::none;
}

}  // namespace enfold::contract::detail
