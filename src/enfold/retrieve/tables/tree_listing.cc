// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/tables/tree_listing.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"

#include <array>
#include <string>
#include <vector>

namespace enfold::retrieve {
namespace {

struct Entry {
  std::size_t column = 0;  ///< characters before the branch
  std::string name;
  std::string target{};           ///< of a symbolic link
  bool is_marked_folder = false;  ///< written with a '/' at its end
};

constexpr std::array<std::string_view, 4> kBranches{"├── ", "└── ", "|-- ", "`-- "};

// `tree` may pad with no-break spaces.
std::string plain_spaces(std::string_view line) {
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    constexpr std::uint32_t no_break_space = 0xA0;
    const std::uint32_t c = utf8::next(line, at);
    utf8::append(out, c == no_break_space ? ' ' : c);
  }
  return out;
}

// nullopt: the line has no branch and no name.
std::optional<Entry> entry_of(std::string_view raw) {
  const std::string line = plain_spaces(raw);
  std::size_t branch = std::string::npos;
  for (const std::string_view mark : kBranches) branch = std::min(branch, line.find(mark));
  if (branch == std::string::npos) return std::nullopt;
  Entry entry{utf8::length(std::string_view(line).substr(0, branch))};
  std::string_view name = trimmed(std::string_view(line).substr(line.find(' ', branch) + 1), " \r");
  constexpr std::string_view arrow = " -> ";  // a symbolic link
  const std::size_t link = name.find(arrow);
  if (link != std::string_view::npos) {
    entry.target = std::string(name.substr(link + arrow.size()));
    name = name.substr(0, link);
  }
  entry.is_marked_folder = name.ends_with('/');
  if (name.ends_with('/') || name.ends_with('*')) name.remove_suffix(1);  // as `tree -F` marks
  entry.name = std::string(name);
  if (entry.name.empty()) return std::nullopt;
  return entry;
}

void write_file(json::Writer& writer, const Entry& entry, const std::vector<std::string>& folders,
                bool is_folder) {
  std::string folder;
  for (const std::string& name : folders) folder += (folder.empty() ? "" : "/") + name;
  const std::size_t dot = entry.name.rfind('.');
  const bool has_extension = !is_folder && dot != std::string::npos && dot != 0;
  writer.begin_object().member("path", folder.empty() ? entry.name : folder + "/" + entry.name);
  writer.member("name", entry.name).member("folder", folder.empty() ? "." : folder);
  writer.member("ext", has_extension ? entry.name.substr(dot + 1) : std::string());
  writer.member("depth", folders.size() + 1).member("is_folder", is_folder);
  writer.key("target");
  entry.target.empty() ? writer.null() : writer.string(entry.target);
  writer.end_object();
}

}  // namespace

std::optional<json::Value> files_in_tree(std::string_view text) {
  constexpr std::size_t fewest_entries = 3;
  std::vector<Entry> entries;
  std::size_t lines = 0;
  for (std::size_t at = 0; at < text.size(); ++lines) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (auto entry = entry_of(text.substr(at, end - at))) entries.push_back(std::move(*entry));
    at = end + 1;
  }
  if (entries.size() < fewest_entries || entries.size() * 2 < lines) return std::nullopt;
  json::Writer writer;
  writer.begin_array();
  std::vector<std::string> folders;  // that hold the entry, outermost first
  std::vector<std::size_t> columns;  // of these folders
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    while (!columns.empty() && columns.back() >= entry.column) {
      columns.pop_back();
      folders.pop_back();
    }
    const bool has_files = i + 1 < entries.size() && entries[i + 1].column > entry.column;
    write_file(writer, entry, folders, has_files || entry.is_marked_folder);
    if (!has_files) continue;
    columns.push_back(entry.column);
    folders.push_back(entry.name);
  }
  return std::move(writer.end_array()).finish_value();
}

}  // namespace enfold::retrieve
