// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/digest.h"

#include "enfold/budget/text/counts.h"
#include "enfold/budget/text/listing.h"
#include "enfold/json/pointer.h"

#include <fmt/core.h>
#include <unordered_map>

namespace enfold::budget::text {
namespace {

constexpr std::size_t kLabelBytes = 240;
constexpr std::size_t kMostFolders = 24;      // in the facts
constexpr std::size_t kMostExtensions = 12;   // in the facts
constexpr std::size_t kMostLinks = 16;        // in the facts
constexpr std::size_t kMostMembers = 24;      // of a JSON object, in the facts
constexpr std::size_t kMostBrokenLines = 24;  // in the facts
constexpr std::size_t kShortScalar = 64;      // bytes; longer members are no facts

// Adds the highest counts, each as a fact of its own, and a fact `total` with the number of names.
void add_counts(Digest& digest, std::string_view section, const char* total, const Counts& counts,
                std::size_t most) {
  if (counts.empty()) return;
  const auto order = counts.by_count();
  if (order.size() > 1) digest.add(total, order.size());
  for (std::size_t i = 0; i < std::min(order.size(), most); ++i) {
    digest.add(section, std::string(order[i].first), std::to_string(order[i].second));
  }
}

// Adds the numbers of the lines of a table that are no records.
void add_broken(const TextTable& table, Digest& digest) {
  if (table.broken.empty()) return;
  std::vector<std::string> lines;
  for (const std::uint32_t line : table.broken) lines.push_back(std::to_string(line));
  digest.add("", "broken_lines", written_list(lines, kMostBrokenLines));
}

// The largest list of objects that is reached through objects, and its JSON Pointer.
struct FoundList {
  std::optional<json::View> list;  ///< nullopt: none so far
  std::string pointer;
};

// `depth`: how many objects may be around the list.
void find_list(json::View value, const std::string& pointer, int depth, FoundList& found) {
  if (value.is_array()) {
    const auto first = value.item(0);
    const bool records = first && first->is_object();
    if (records && (!found.list || value.size() > found.list->size())) found = {value, pointer};
    return;
  }
  if (!value.is_object() || depth == 0) return;
  for (const json::Member& member : value.members()) {
    if (member.value.is_container()) {
      find_list(member.value, json::below(pointer, member.key.string()), depth - 1, found);
    }
  }
}

// Adds facts about symbolic links, and about the entries that are nested deepest.
void add_places(const Listing& listing, Digest& digest) {
  std::vector<const ListedFile*> deepest;
  std::vector<const ListedFile*> links;
  for (const ListedFile& file : listing.files) {
    if (!deepest.empty() && file.depth > deepest[0]->depth) deepest.clear();
    if (deepest.empty() || file.depth == deepest[0]->depth) deepest.push_back(&file);
    if (!file.target.empty()) links.push_back(&file);
  }
  if (!deepest.empty() && deepest[0]->depth > 1) {
    json::Writer writer;
    writer.begin_object().member("depth", deepest[0]->depth).member("count", deepest.size());
    writer.member("path", deepest[0]->path());
    digest.add("", "deepest", std::move(writer.end_object()).finish().str());
  }
  if (links.empty()) return;
  digest.add("symbolic_links", links.size());
  for (std::size_t i = 0; i < std::min(links.size(), kMostLinks); ++i) {
    digest.add("link_targets", links[i]->path(), label(links[i]->target));
  }
}

}  // namespace

std::string label(std::string_view text) {
  return text.size() <= kLabelBytes ? json::quote(text)
                                    : json::quote(utf8::shortened(text, kLabelBytes));
}

Row row_of(const Line& line) { return {line.number, label(line.text)}; }

void digest_tree(std::string_view text, std::size_t most, Digest& digest) {
  const Listing listing = read_listing(text);
  digest.head = Head::few;
  // By folder: entries that are no folders; `inside`: directly in it, `below`: at every depth.
  std::unordered_map<std::string_view, std::size_t> inside;
  Counts below;
  Counts extensions;  // of entries that are no folders, in lower case
  Counts spellings;   // of extensions that are not written in lower case
  std::size_t folders = 0;
  std::uint64_t bytes = 0;
  bool sizes = false;
  for (const ListedFile& file : listing.files) {
    folders += file.is_folder ? 1 : 0;
    if (file.size) sizes = true, bytes += *file.size;
    if (file.is_folder) continue;
    if (const std::string_view ext = file.extension(); !ext.empty()) {
      const std::string lower = to_lower(ext);
      extensions.add(lower);
      if (lower != ext) spellings.add(ext);
    }
    if (file.folder != ".") ++inside[file.folder];
  }
  for (const auto& [folder, count] : inside) {
    for (std::size_t end = folder.find('/', 1);; end = folder.find('/', end + 1)) {
      below.add(folder.substr(0, end), count);
      if (end == std::string_view::npos) break;
    }
  }
  // Without marks an empty folder looks like a file: the number of files is not known.
  const std::size_t others = listing.files.size() - folders;
  digest.add("entries", listing.files.size());
  listing.marks_folders ? digest.add("folders", folders)
                        : digest.add("folders_with_entries", listing.holders);
  if (listing.marks_folders) digest.add("files", others);
  if (sizes) digest.add("", "file_bytes", std::to_string(bytes));
  const bool marked = listing.marks_folders;
  add_places(listing, digest);
  add_counts(digest, marked ? "files_below" : "leaves_below",
             marked ? "folders_with_files" : "folders_with_leaves", below, kMostFolders);
  add_counts(digest, "extensions", "extension_count", extensions, kMostExtensions);
  if (!spellings.empty()) {
    digest.add("", "extension_spellings", written(spellings.by_count(), kMostExtensions));
  }
  digest.columns = {"folder", marked ? "files_below" : "leaves_below"};
  for (const ListedFile& file : listing.files) {
    if (!file.is_folder) continue;
    const std::string path = file.path();
    digest.add_row({file.line, fmt::format("{},{}", label(path), below.of(path))}, most);
  }
}

void digest_json(json::View document, Digest& digest) {
  digest.columns = {"text"};
  digest.add("", document.is_array() ? "items" : "members", std::to_string(document.size()));
  std::size_t shown = 0;
  for (const json::Member& member : document.members()) {
    if (shown == kMostMembers) break;
    const bool is_short = !member.value.is_container() && member.value.raw().size() <= kShortScalar;
    const std::string key = member.key.string();
    // Of members with the same name only the last counts.
    if (!is_short || document.find(key)->offset() != member.value.offset()) continue;
    digest.add("values_by_key", key, std::string(member.value.raw()));
    ++shown;
  }
  FoundList found;
  find_list(document, "", /*depth=*/4, found);
  if (!found.list) return;
  if (!found.pointer.empty()) digest.add("", "records_at", json::quote(found.pointer));
  digest.tables.push_back({json::Value(*found.list), {}});
}

Digest digest_of(std::string_view text, std::size_t most) {
  FormReading reading = read_form(text, GroupedDigits::numbers);
  Digest digest{.form = reading.form, .bytes = text.size(), .lines = count_lines(text)};
  switch (reading.form) {
    case TextForm::log: digest_log(text, most, digest); break;
    case TextForm::diff:
    case TextForm::commits: digest_diff(text, most, digest); break;
    case TextForm::source: digest_source(text, most, digest); break;
    case TextForm::html: digest_html(text, most, digest); break;
    case TextForm::markdown: digest_markdown(text, most, digest); break;
    case TextForm::tree: digest_tree(text, most, digest); break;
    case TextForm::stack_trace: digest_trace(text, most, digest); break;
    case TextForm::key_value: digest_key_values(text, most, digest); break;
    case TextForm::base64: digest_base64(text, digest); break;
    case TextForm::json: digest_json(reading.document->view(), digest); break;
    case TextForm::csv:
    case TextForm::tsv:
    case TextForm::markdown_table:
    case TextForm::json_lines:
      digest.head = Head::few;
      digest.columns = {"text"};
      break;
    case TextForm::binary: digest.head = Head::prefix; break;
    case TextForm::text: digest_plain(text, most, digest); break;
  }
  for (TextTable& table : reading.tables) {
    add_broken(table, digest);
    digest.tables.push_back(std::move(table));
  }
  return digest;
}

}  // namespace enfold::budget::text
