// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/way_back.h"

#include "cli/settings/archive_place.h"
#include "cli/terminal/shell_words.h"
#include "enfold/contract/cursors/continuation.h"
#include "enfold/tools/fetch_tool.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

// Whether every character is in one of the sets; false for an empty text.
bool is_only(std::string_view text, std::initializer_list<std::string_view> sets) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return std::ranges::any_of(sets, [c](std::string_view set) { return set.find(c) != set.npos; });
  });
}

// What a server sends is shown in a command only if it has the form of a handle or cursor.
bool is_handle(std::string_view text) {
  constexpr std::size_t kHandleDigits = 12;
  constexpr std::string_view kHash = "sha256:";
  if (text.starts_with(kHash)) return is_only(text.substr(kHash.size()), {kDigits, "abcdef"});
  return text.size() == kHandleDigits && is_only(text, {kDigits});
}

bool is_cursor(std::string_view text) { return is_only(text, {kDigits, kLetters, "-_="}); }

std::string url_without_query(const std::string& url) {
  const std::size_t query = url.find('?');
  return query == std::string::npos ? url : url.substr(0, query + 1) + std::string(kLeftOut);
}

// The options that select the server again, without values that may be secret.
std::string server_words(const ServerOptions& server) {
  const ServerOptions defaults;
  std::string words;
  if (server.protocol != defaults.protocol) words += " --protocol " + server.protocol;
  if (server.timeout != defaults.timeout) words += fmt::format(" --timeout {}", server.timeout);
  if (!server.url.empty()) words += " --url " + shell_quoted(url_without_query(server.url));
  for (const std::string& header : server.headers) {
    words += " --header " +
             shell_quoted(fmt::format("{}: {}", header.substr(0, header.find(':')), kLeftOut));
  }
  if (!server.command.empty()) words += " -- " + shown_command(server.command);
  return words;
}

// Whether the archive of the user, which `enfold fetch` reads, has the answer.
bool is_archived_here(const std::string& handle) {
  const Result<ArchivePlace> place = archive_place({});
  const Result<ArchivePointer> archive =
      place ? open_existing(*place) : Result<ArchivePointer>(tl::unexpected(place.error()));
  return archive && (*archive)->stat(kPrincipal, handle, now());
}

// Whether `enfold fetch --cursor` can follow the cursor: the key here has signed it, and the answer
// is archived here. A gateway may use this archive but sign its cursors with another key.
bool can_follow_here(const std::string& cursor) {
  const Result<ArchivePlace> place = archive_place({});
  if (!place) return false;
  const auto key = existing_cursor_key(*place);
  if (!key || !*key) return false;
  const auto from = contract::read_continuation(cursor, **key, kPrincipal);
  return from && is_archived_here(from->handle);
}

}  // namespace

std::string WayBack::to_next_page(const std::string& cursor, const std::string& handle) const {
  if (!is_cursor(cursor)) return "";
  if (can_follow_here(cursor)) return "more follows: enfold fetch --cursor " + cursor;
  // With a command, an answer that is archived here has a cursor of another key, which a new
  // process of the command probably does not have either. to_original() opens that answer.
  if (has_fetch_tool_ && (server_.command.empty() || !is_archived_here(handle))) {
    return through_server("more follows", "cursor=" + cursor);
  }
  return has_fetch_tool_ ? "" : "more follows: call the tool again with the cursor " + cursor;
}

std::string WayBack::to_original(const std::string& handle) const {
  if (!is_handle(handle)) return "";
  if (has_fetch_tool_ && !is_archived_here(handle)) {
    return through_server("the whole answer", "handle=" + handle);
  }
  return "the whole answer: enfold fetch " + handle;
}

// The line for a call of enfold_fetch. With a command, that call starts a new process of the
// server, which does not have what the first process kept in memory: the line says so.
std::string WayBack::through_server(const std::string& what, const std::string& argument) const {
  const std::string words = server_words(server_);
  const bool leaves_out = words.find(kLeftOut) != std::string::npos;
  return fmt::format("{}{}{}: enfold call {} --arg {}{}", what,
                     server_.command.empty() ? "" : ", if the server keeps its archive on disk",
                     leaves_out ? " (… replaces values that may be secret)" : "", tools::kFetchTool,
                     argument, words);
}

}  // namespace enfold::cli
