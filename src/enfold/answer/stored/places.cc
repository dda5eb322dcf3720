// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/stored/places.h"

#include "enfold/base/text.h"
#include "enfold/json/duplicate_members.h"
#include "enfold/json/write.h"

#include <charconv>
#include <fmt/format.h>

namespace enfold::answer {
namespace {

constexpr std::string_view kText = "text/plain";
constexpr std::string_view kJson = "application/json; contract=";
constexpr std::string_view kParsed = "; parsed";
constexpr std::string_view kMadeHere = "; own";  // StoredForm::is_made_here

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

// Whether archived JSON of unknown form looks like an MCP result.
bool is_result(json::View archived) {
  if (!archived.is_object()) return false;
  const auto content = archived.find("content");
  return archived.find("structuredContent") || (content && content->is_array());
}

bool selects(const Range& range, std::size_t position) {
  return position >= range.first && (!range.last || position <= *range.last);
}

/// Calls `use(token, child)` for each item or member of a container.
template <class Use>
void each_child(json::View container, Use use) {
  std::size_t position = 0;
  for (const json::View item : container.items()) use(std::to_string(position++), item);
  const json::MemberTokens tokens(container);
  for (const json::Member& member : container.members()) {
    use(tokens.token(member.key, position), member.value);
    ++position;
  }
}

/// The value of a member that a later member of the same key hides. A key leads to the last member,
/// so a hidden one is addressed by its position: "3..3". nullopt: the range means something else.
std::optional<json::View> hidden_at(json::View object, const Range& range) {
  if (!object.is_object() || range.last != range.first) return std::nullopt;
  if (!json::MemberTokens(object).is_shadowed(range.first)) return std::nullopt;
  auto members = object.members().begin();
  for (std::size_t position = 0; position < range.first; ++position) ++members;
  return (*members).value;
}

// nullopt: the token is no range with "..".
std::optional<Range> range_in(const std::string& token) {
  return token.find("..") != std::string::npos ? read_range(token) : std::nullopt;
}

using Tokens = std::span<const std::string>;

// Follows the tokens from `here` and calls `use` for every place that they lead to.
void expand(Place here, Tokens tokens, const UsePlace& use, Reached& reached) {
  for (; !tokens.empty(); tokens = tokens.subspan(1)) {
    const std::string& token = tokens.front();
    if (const auto child = json::Pointer({token}).resolve(here.value)) {
      here = {json::below(here.pointer, token), *child, std::nullopt};
      continue;
    }
    const std::optional<Range> range = range_in(token);
    if (range && range->last && *range->last < range->first) return;
    if (range && here.value.is_string() && tokens.size() == 1) {
      if (range->first >= line_starts(here.value.string()).size()) {
        reached.beyond = {here.pointer, here.value, range};
        return;
      }
      here = {json::below(here.pointer, token), here.value, range};
      continue;
    }
    if (const auto hidden = range ? hidden_at(here.value, *range) : std::nullopt) {
      here = {json::below(here.pointer, token), *hidden, std::nullopt};
      continue;
    }
    if (!here.value.is_container() || (token != "*" && !range)) return;
    reached.several = true;
    std::size_t position = 0;
    each_child(here.value, [&](const std::string& name, json::View child) {
      if (!range || selects(*range, position)) {
        expand({.pointer = json::below(here.pointer, name),
                .value = child,
                .lines = std::nullopt,
                .is_named = here.value.is_object()},
               tokens.subspan(1), use, reached);
      }
      ++position;
    });
    return;
  }
  ++reached.total;
  use(here);
}

// `expand` from a root, whose pointer is `prefix`.
Reached expanded(json::View root, Tokens tokens, const UsePlace& use, std::string prefix = {}) {
  Reached reached;
  expand({std::move(prefix), root, std::nullopt}, tokens, use, reached);
  return reached;
}

void count_only(const Place&) {}  // a UsePlace for callers that need only Reached::total

// Whether envelopes put this payload into a member of this name; only a payload that is no object
// is put into one. A model that saw the envelope begins its pointers with the name: /items/3 for
// the item /3 of the payload.
bool is_wrapping(json::View payload, std::string_view name) {
  if (payload.is_array()) return name == "items" || name == "content";
  return !payload.is_object() && (name == "result" || name == "text");
}

// Looks in the payload, also for a pointer that begins with the name of its wrapping.
Reached in_payload(json::View payload, Tokens tokens, const UsePlace& use) {
  Reached reached = expanded(payload, tokens, use);
  if (reached.total > 0 || reached.beyond) return reached;
  if (tokens.empty() || !is_wrapping(payload, tokens[0])) return reached;
  return expanded(payload, tokens.subspan(1), use, json::below("", tokens[0]));
}

constexpr std::string_view kResult = "/result";

// Members of the tool's result with which a place may begin without "/result".
bool is_of_result(std::string_view name) {
  return name == "content" || name == "structuredContent";
}

// How many "/result" in a row mean the whole result: the smallest number for which that path exists
// neither in the payload nor in the result itself.
std::size_t count_result_prefix(const ArchivedAnswer& opened) {
  std::vector<std::string> names{"result"};
  while (in_payload(opened.payload.view(), names, count_only).total > 0 ||
         expanded(opened.result.view(), names, count_only).total > 0) {
    names.emplace_back("result");
  }
  return names.size();
}

// Looks in the tool's result for a place that begins with "/result", repeated
// count_result_prefix() times.
Reached after_result_prefix(const ArchivedAnswer& opened, Tokens tokens, const UsePlace& use) {
  std::string prefix;
  for (std::size_t i = count_result_prefix(opened); i > 0; --i, tokens = tokens.subspan(1)) {
    if (tokens.empty() || tokens.front() != "result") return {};
    prefix += kResult;
  }
  return expanded(opened.result.view(), tokens, use, std::move(prefix));
}

// Looks in the tool's result only (`raw_result`). The pointers of the places found are those of
// place_in_result, so that `locate` finds them again without `raw_result`.
Reached in_result(const ArchivedAnswer& opened, Tokens tokens, const std::string& pointer,
                  const UsePlace& use) {
  std::string prefix = place_in_result(opened, pointer);
  prefix.resize(prefix.size() - pointer.size());
  return expanded(opened.result.view(), tokens, use, std::move(prefix));
}

// Sets `names`, which is empty, to the keys of an object, and returns the first twelve as text.
std::string names_in(json::View object, std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  for (const json::Member& member : object.members()) names.push_back(member.key.string());
  const std::size_t shown = std::min(most, names.size());
  std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (names.size() > shown) text += ", …";
  return text;
}

// The error for a pointer without a place: follows the pointer as far as possible and says what is
// there instead. If a token leads to several places, follows the first.
tl::unexpected<Error> nothing_at(json::View root, Tokens tokens) {
  Place here{"", root, std::nullopt};
  std::string message;
  std::string hint;
  for (const std::string& token : tokens) {
    Hits first(Window{.size = 1});
    const auto note = [&](const Place& next) { first.add([&] { return next; }); };
    (void)expanded(here.value, Tokens(&token, 1), note, here.pointer);
    if (first.total() > 0 && !first.held().front().lines) {
      here = first.held().front();
      continue;
    }
    if (here.value.is_object()) {
      std::vector<std::string> names;
      const std::string listed = names_in(here.value, names);
      message = fmt::format("expected a member {}, found an object with {}", json::quote(token),
                            names.empty() ? std::string("no members") : "the members " + listed);
      const std::string near = nearest_name(token, names);
      if (!near.empty()) hint = fmt::format("did you mean {}?", json::below(here.pointer, near));
    } else if (here.value.is_array()) {
      message = fmt::format("expected an item of a list of {}, found {}", here.value.size(),
                            json::quote(token));
      if (here.value.size() > 0) {
        hint = fmt::format("items are {}/0 to {}/{}", here.pointer, here.pointer,
                           here.value.size() - 1);
      }
    } else {
      message = fmt::format("expected an object or a list with {}, found {}", json::quote(token),
                            json::name(here.value.kind()));
    }
    break;
  }
  if (message.empty()) message = "expected something there, found nothing";
  return fail(ErrorCode::not_found, std::move(message),
              here.pointer.empty() ? std::string("the payload") : here.pointer, std::move(hint));
}

}  // namespace

std::string media_type(const StoredForm& form) {
  if (form.contract == contract::Id::text) return std::string(kText);
  std::string text(kJson);
  text += contract::name(form.contract);
  if (form.is_made_here) text += kMadeHere;
  return text;
}

std::optional<StoredForm> read_as(std::string_view media_type) {
  if (media_type == kText) return StoredForm{contract::Id::text};
  if (!media_type.starts_with(kJson)) return std::nullopt;
  media_type.remove_prefix(kJson.size());
  const bool is_made_here = take_suffix(media_type, kMadeHere);
  take_suffix(media_type, kParsed);  // Enfold 0.1.0 wrote it; it has no meaning any more
  const auto contract = contract::from_name(media_type);
  if (!contract) return std::nullopt;
  return StoredForm{*contract, is_made_here};
}

std::string to_text(const Range& range) {
  return range.last ? fmt::format("{}..{}", range.first, *range.last)
                    : fmt::format("{}..", range.first);
}

std::optional<Range> read_range(std::string_view text) {
  const auto number = [](std::string_view digits) -> std::optional<std::size_t> {
    std::size_t value = 0;
    const char* end = digits.data() + digits.size();
    const bool all_digits = digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits.empty() || !all_digits) return std::nullopt;
    const auto read = std::from_chars(digits.data(), end, value);
    return read.ec == std::errc() ? std::optional(value) : std::nullopt;
  };
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const auto only = number(text);
    return only ? std::optional(Range{*only, only}) : std::nullopt;
  }
  const std::string_view before = text.substr(0, dots);
  const std::string_view after = text.substr(dots + 2);
  if (before.empty() && after.empty()) return std::nullopt;
  const auto first = before.empty() ? std::optional<std::size_t>(0) : number(before);
  const auto last = number(after);
  if (!first || (!after.empty() && !last)) return std::nullopt;
  return Range{*first, last};
}

Result<ArchivedAnswer> open_archived(json::View archived, std::optional<StoredForm> form,
                                     const Limits& limits) {
  if (!form) {
    form = StoredForm{is_result(archived) ? contract::Id::mcp : contract::detect(archived)};
  }
  const contract::Id id = form->contract;
  if (form->is_made_here) return open_typed_answer(id, json::Value(archived));
  Result<contract::Reading> reading = contract::read(id, archived, {.limits = limits});
  if (!reading) return tl::unexpected(reading.error());
  return open_foreign_answer(reading->response, id, json::Value(archived));
}

ArchivedAnswer open_typed_answer(contract::Id id, json::Value result) {
  const auto payload =
      id == contract::Id::mcp ? result->find("structuredContent") : std::optional<json::View>();
  return {result, payload ? json::Value(*payload) : result};
}

ArchivedAnswer open_foreign_answer(const model::Response& response, contract::Id id,
                                   json::Value result) {
  ArchivedAnswer opened{result, std::move(result)};
  if (response.payload) {
    opened.payload = *response.payload;
  } else if (response.failure && id == contract::Id::mcp) {
    // The lone text of a failed result is its message, and all there is to retrieve.
    opened.payload = json::string_value(response.failure->message);
  }
  opened.was_cut = response.reduction.has_value();
  if (opened.was_cut && !response.reduction->archive.empty()) {
    opened.uncut_handle = response.reduction->archive.front().handle;
  }
  return opened;
}

std::string place_in_result(const ArchivedAnswer& opened, const std::string& pointer) {
  const Result<json::Pointer> parsed = json::Pointer::parse(pointer);
  const bool plain = parsed && !parsed->tokens().empty() && is_of_result(parsed->tokens()[0]) &&
                     in_payload(opened.payload.view(), parsed->tokens(), count_only).total == 0;
  if (plain) return pointer;
  std::string place;
  for (std::size_t i = count_result_prefix(opened); i > 0; --i) place += kResult;
  return place + pointer;
}

Result<Reached> locate(const ArchivedAnswer& opened, const std::string& pointer, bool raw_result,
                       const UsePlace& use) {
  const Result<json::Pointer> parsed = json::Pointer::parse(pointer);
  if (!parsed) return tl::unexpected(parsed.error());
  const Tokens tokens(parsed->tokens());
  const json::View payload = opened.payload.view();
  const json::View result = opened.result.view();
  Reached reached =
      raw_result ? in_result(opened, tokens, pointer, use) : in_payload(payload, tokens, use);
  if (!raw_result && reached.total == 0 && !reached.beyond && !tokens.empty()) {
    if (is_of_result(tokens[0])) {
      reached = expanded(result, tokens, use);
    } else if (tokens[0] == "data") {
      // Most envelopes hold the payload in `data`; the pointers of the places found do not have it.
      reached = in_payload(payload, tokens.subspan(1), use);
    } else if (tokens[0] == "result") {
      reached = after_result_prefix(opened, tokens, use);
    }
  }
  // `*` of an empty list is a result without places; a range beyond the end of a list is an error.
  const bool of_empty_list = reached.several && !tokens.empty() && tokens.back() == "*";
  if (reached.total > 0 || of_empty_list) return reached;
  if (!reached.beyond) return nothing_at(raw_result ? result : payload, tokens);
  const Place& text = *reached.beyond;
  const std::size_t lines = line_starts(text.value.string()).size();
  return beyond_end(*text.lines, /*from=*/0, lines, "lines", text.pointer);
}

std::vector<std::size_t> line_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size();) {
    starts.push_back(at);
    const std::size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  return starts;
}

std::string_view lines_of(std::string_view text, const Range& range) {
  return lines_of(text, line_starts(text), range);
}

std::string_view lines_of(std::string_view text, const std::vector<std::size_t>& starts,
                          const Range& range) {
  if (range.first >= starts.size()) return {};
  const std::size_t begin = starts[range.first];
  const bool to_end = !range.last || *range.last >= starts.size() - 1;
  return text.substr(begin, (to_end ? text.size() : starts[*range.last + 1]) - begin);
}

std::string_view characters_of(std::string_view text, const Range& range) {
  std::size_t at = 0;
  std::size_t position = 0;
  for (; at < text.size() && position < range.first; ++position) (void)utf8::next(text, at);
  const std::size_t begin = at;
  for (; at < text.size() && selects(range, position); ++position) (void)utf8::next(text, at);
  return text.substr(begin, at - begin);
}

tl::unexpected<Error> beyond_end(const Range& range, std::size_t from, std::size_t count,
                                 std::string_view what, const std::string& pointer) {
  return fail(ErrorCode::not_found,
              fmt::format("expected {} {}, found {} of them", what, to_text(range), count),
              pointer.empty() ? std::string("the payload") : pointer,
              count == 0 ? std::string() : fmt::format("they are {}..{}", from, count - 1 + from));
}

}  // namespace enfold::answer
