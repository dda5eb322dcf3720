// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/words.h"

#include "enfold/base/text.h"

#include <optional>

namespace enfold::contract::detail {
namespace {

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// Every byte as plain() writes it; 0: it is left out.
constexpr auto kPlain = [] {
  std::array<char, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    const char c = static_cast<char>(byte);
    if (is_alphanumeric(c)) table[byte] = is_upper(c) ? static_cast<char>(c + ('a' - 'A')) : c;
  }
  return table;
}();

// Writes the plain form to `to`, which has room for the whole name; returns its length.
std::size_t write_plain(std::string_view name, char* to) {
  char* end = to;
  for (const char c : name) {
    *end = kPlain[static_cast<unsigned char>(c)];
    end += *end != '\0' ? 1 : 0;
  }
  return static_cast<std::size_t>(end - to);
}

// Verbs in names of tools, by what they say about the answer.
constexpr WordText kLists("list ls enumerate browse");
constexpr WordText kSearches("search find read query select lookup filter scan grep");
constexpr WordText kReads(
    "get fetch show describe retrieve view inspect check validate test count analyze explain "
    "compute compare summarize export parse stat tail lint verify track poll preview estimate "
    "convert translate detect diagnose ping");
constexpr WordText kRuns("run execute exec call invoke sql");
constexpr WordText kActions(
    "send post reply publish broadcast notify create add insert new make register upload put write "
    "save store append update edit set patch modify change rename move copy merge delete remove "
    "destroy drop purge prune clear archive restore start stop restart pause resume cancel abort "
    "kill close reopen lock unlock pin unpin kick ban unban mute unmute invite join leave assign "
    "unassign associate dissociate attach detach link unlink enable disable toggle install "
    "uninstall build compile apply deploy commit push pull checkout rollback rebase tag import "
    "sync download subscribe unsubscribe approve reject submit transfer pay refund charge book "
    "schedule trigger dispatch retry rerun react follow unfollow star unstar fork mark bulk login "
    "logout click type navigate press scroll fill drag turn switch play grant revoke scale drain "
    "release produce enqueue ingest emit upsert provision order buy sell reserve record print ack "
    "acknowledge mutate replace reset rotate withdraw deposit connect disconnect migrate reindex "
    "reboot shutdown activate deactivate suspend unblock mint stake snooze escalate forward "
    "requeue tap swipe hover reload refresh evict cordon renew");

// Where `phrase`, which may have one '*' (first_of), begins in `text`; npos: it does not occur.
std::size_t find_phrase(std::string_view text, std::string_view phrase) {
  constexpr std::size_t widest_gap = 60;
  const std::size_t gap = phrase.find('*');
  const std::string_view start = phrase.substr(0, gap);
  if (gap == std::string_view::npos) return text.find(start);
  for (std::size_t at = text.find(start); at != std::string_view::npos;
       at = text.find(start, at + 1)) {
    const std::size_t after = text.find(phrase.substr(gap + 1), at + start.size());
    if (after == std::string_view::npos) break;
    if (after - at - start.size() <= widest_gap) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::string plain(std::string_view name) {
  std::string out(name.size(), '\0');
  out.resize(write_plain(name, out.data()));
  return out;
}

PlainName::PlainName(std::string_view name) {
  if (name.size() <= short_.size()) {
    view_ = {short_.data(), write_plain(name, short_.data())};
  } else {
    long_ = plain(name);
    view_ = long_;
  }
}

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  char before = ' ';
  for (const char c : name) {
    const bool starts_word = is_upper(c) && !is_upper(before);
    if ((starts_word || !is_alphanumeric(c)) && !words.back().empty()) words.emplace_back();
    if (is_alphanumeric(c)) words.back().push_back(c);
    before = c;
  }
  for (std::string& word : words) word = to_lower(word);
  return words;
}

bool has_word(std::string_view list, std::string_view word) {
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(' ', at), list.size());
    if (list.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

std::size_t first_of(std::string_view text, std::string_view phrases) {
  std::size_t first = std::string_view::npos;
  for (std::size_t at = 0; at < phrases.size();) {
    const std::size_t end = std::min(phrases.find('|', at), phrases.size());
    first = std::min(first, find_phrase(text, phrases.substr(at, end - at)));
    at = end + 1;
  }
  return first;
}

bool holds_any(std::string_view text, std::string_view phrases) {
  return first_of(text, phrases) != std::string_view::npos;
}

namespace {

// What a word of a tool's name says about the answer; nullopt: the word is no verb. Verb::none: a
// verb that says nothing about it.
std::optional<Verb> verb_in(std::string_view word) {
  if (has_word<kLists>(word)) return Verb::list;
  if (has_word<kSearches>(word)) return Verb::search;
  if (has_word<kReads>(word)) return Verb::none;
  if (has_word<kRuns>(word)) return Verb::run;
  if (has_word<kActions>(word)) return Verb::action;
  return std::nullopt;
}

// The first verb decides: get_deleted_messages is no action.
std::optional<Verb> first_verb(std::string_view tool) {
  if (tool.empty()) return std::nullopt;
  for (const std::string& word : words_of(tool)) {
    if (const auto verb = verb_in(word)) return verb;
  }
  return std::nullopt;
}

}  // namespace

Verb verb_of(std::string_view tool) { return first_verb(tool).value_or(Verb::none); }

bool reads_only(std::string_view tool) {
  const auto verb = first_verb(tool);
  return verb && *verb != Verb::action && *verb != Verb::run;
}

bool names_one_of(std::string_view tool, std::string_view list) {
  return std::ranges::any_of(words_of(tool),
                             [&](const std::string& word) { return has_word(list, word); });
}

}  // namespace enfold::contract::detail
