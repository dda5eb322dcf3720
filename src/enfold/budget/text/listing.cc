// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/listing.h"

#include "enfold/json/write.h"

#include <array>
#include <charconv>
#include <unordered_set>

namespace enfold::budget::text {
namespace {

constexpr std::size_t kFewestEntries = 3;

// A line of `tree`: where its branch is drawn, and the name after it.
struct Branch {
  std::size_t column = 0;  ///< characters before the branch
  std::string_view name;
};

std::optional<Branch> branch_of(std::string_view line) {
  static constexpr std::array<std::string_view, 4> kMarks{"├──", "└──", "|--", "`--"};
  std::size_t column = 0;
  for (std::size_t at = 0; at < line.size(); ++column) {
    const std::string_view rest = line.substr(at);
    for (const std::string_view mark : kMarks) {
      if (!rest.starts_with(mark)) continue;
      std::string_view name = rest.substr(mark.size());
      if (name.starts_with("\u00A0")) name.remove_prefix(2);  // `tree` may write no-break spaces
      if (!name.starts_with(' ') && name.size() == rest.size() - mark.size()) return std::nullopt;
      return Branch{column, trimmed(name, " \r")};
    }
    // Before the branch there may only be the lines that are drawn for the folders around it.
    const std::uint32_t c = utf8::next(line, at);
    if (c != ' ' && c != 0xA0 && c != '|' && c != U'│') return std::nullopt;
  }
  return std::nullopt;
}

// Sets name, target and is_folder from a name as it is listed: with the target of a symbolic link,
// and with the mark of a folder or program that `tree -F` and `ls -F` append. Names of files may
// end like their other marks (@, = and |), so those stay.
void set_name(ListedFile& file, std::string_view name) {
  constexpr std::string_view arrow = " -> ";
  if (const std::size_t link = name.find(arrow); link != std::string_view::npos) {
    file.target = std::string(name.substr(link + arrow.size()));
    name = name.substr(0, link);
  }
  file.is_folder = file.is_folder || name.ends_with('/');
  if (name.ends_with('/') || name.ends_with('*')) name.remove_suffix(1);
  file.name = std::string(name);
}

// Listing::marks_folders is set if all folders with entries end in a slash, because then the empty
// ones do, too.
Listing read_tree(std::string_view text) {
  Listing listing;
  bool has_folders = false;          // with entries
  bool marks_all = true;             // of these
  std::vector<std::size_t> open;     // indexes of the entries that may hold the next one
  std::vector<std::size_t> columns;  // of these entries
  each_line(text, [&](const Line& line) {
    const auto branch = branch_of(line.text);
    if (!branch || branch->name.empty()) return;
    while (!columns.empty() && columns.back() >= branch->column) {
      columns.pop_back();
      open.pop_back();
    }
    ListedFile file{.line = line.number, .folder = ".", .name = {}};
    if (!open.empty()) {
      ListedFile& holder = listing.files[open.back()];
      has_folders = true;
      marks_all = marks_all && (holder.is_folder || !holder.target.empty());
      holder.is_folder = true;
      file.folder = holder.path();
    }
    file.depth = open.size() + 1;
    set_name(file, branch->name);
    if (file.name.empty()) return;
    open.push_back(listing.files.size());
    columns.push_back(branch->column);
    listing.files.push_back(std::move(file));
  });
  listing.marks_folders = has_folders && marks_all;
  return listing;
}

// Whether the word is "drwxr-xr-x" or the like, perhaps with a mark of further attributes.
bool is_mode(std::string_view word) {
  return (word.size() == 10 || word.size() == 11) &&
         std::string_view("-dlbcps").find(word[0]) != std::string_view::npos &&
         word.substr(1, 9).find_first_not_of("-rwxsStT") == std::string_view::npos;
}

// A line of `ls -l`; the caller sets the folder. nullopt: another line, or one without a date or
// name.
std::optional<ListedFile> long_entry(const Line& line) {
  std::string_view rest = line.text;
  const std::string_view mode = take_word(rest);
  if (!is_mode(mode)) return std::nullopt;
  static_cast<void>(take_word(rest));  // links
  static_cast<void>(take_word(rest));  // owner
  static_cast<void>(take_word(rest));  // group
  const std::string_view size = take_word(rest);
  const std::string_view date = take_word(rest);
  if (date.empty()) return std::nullopt;
  static_cast<void>(take_word(rest));  // day, or time of a date in one word
  if (!is_digit(date[0])) static_cast<void>(take_word(rest));
  ListedFile file{.line = line.number, .folder = ".", .name = {}};
  file.is_folder = mode[0] == 'd';
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), bytes);
  if (mode[0] == '-' && error == std::errc() && end == size.data() + size.size()) file.size = bytes;
  set_name(file, without_blanks(rest));
  if (file.name.empty()) return std::nullopt;
  return file;
}

std::size_t depth_of(std::string_view folder) {
  if (folder == ".") return 1;
  return 2 + static_cast<std::size_t>(std::count(folder.begin(), folder.end(), '/'));
}

// The path without "./" at its beginning and '/' at its end; "." for the outermost folder.
std::string_view without_dot(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path.empty() ? "." : path;
}

// Reads `ls -lR`: the entries of each folder follow a line with its path and a colon.
Listing read_long(std::string_view text) {
  Listing listing{.files = {}, .marks_folders = true};
  std::string folder = ".";
  each_line(text, [&](const Line& line) {
    if (auto file = long_entry(line)) {
      if (file->name == "." || file->name == "..") return;
      file->folder = folder;
      file->depth = depth_of(folder);
      listing.files.push_back(std::move(*file));
    } else if (line.text.ends_with(':')) {
      folder = std::string(without_dot(line.text.substr(0, line.text.size() - 1)));
    }
  });
  return listing;
}

// The mark in "[DIR] name" or "[FILE] name", with its blank; empty: there is none.
std::string_view mark_of(std::string_view line) {
  for (const std::string_view mark : {"[DIR] ", "[FILE] "}) {
    if (line.starts_with(mark)) return mark;
  }
  return {};
}

Listing read_marked(std::string_view text) {
  Listing listing{.files = {}, .marks_folders = true};
  each_line(text, [&](const Line& line) {
    const std::string_view mark = mark_of(without_blanks(line.text));
    if (mark.empty()) return;
    ListedFile file{.line = line.number, .folder = ".", .name = {}};
    file.is_folder = mark == "[DIR] ";
    file.name = std::string(without_blanks(line.text).substr(mark.size()));
    listing.files.push_back(std::move(file));
  });
  return listing;
}

bool is_path(std::string_view line) {
  return line.find('/') != std::string_view::npos &&
         line.find_first_of(" \t,;=(){}<>\"'|:#") == std::string_view::npos;
}

Listing read_paths(std::string_view text) {
  Listing listing;
  each_line(text, [&](const Line& line) {
    const std::string_view path = without_blanks(line.text);
    const std::string_view clean = without_dot(path);
    if (path.empty() || clean == ".") return;
    const std::size_t slash = clean.rfind('/');
    ListedFile file{.line = line.number, .folder = ".", .name = std::string(clean)};
    if (slash != std::string_view::npos && slash > 0) {
      file.folder = std::string(clean.substr(0, slash));
      file.name = std::string(clean.substr(slash + 1));
    }
    file.depth = depth_of(file.folder);
    file.is_folder = path.ends_with('/');
    listing.files.push_back(std::move(file));
  });
  return listing;
}

// Sets ListedFile::is_folder of entries that hold others, and Listing::holders. A folder may be
// listed before or after its entries, or not at all.
void find_holders(Listing& listing) {
  std::unordered_set<std::string> holders;
  for (const ListedFile& file : listing.files) {
    if (file.folder == "." || !holders.insert(file.folder).second) continue;
    for (std::size_t end = file.folder.rfind('/'); end != std::string::npos && end > 0;
         end = file.folder.rfind('/', end - 1)) {
      if (!holders.insert(file.folder.substr(0, end)).second) break;
    }
  }
  for (ListedFile& file : listing.files) {
    file.is_folder = file.is_folder || holders.contains(file.path());
  }
  listing.holders = holders.size();
}

enum class ListingKind : std::uint8_t { none, tree, long_format, marked, paths };

ListingKind kind_of(const Sample& sample) {
  if (sample.lines.size() < kFewestEntries) return ListingKind::none;
  const auto mode = [](std::string_view line) { return is_mode(line.substr(0, line.find(' '))); };
  const auto mark = [](std::string_view line) { return !mark_of(without_blanks(line)).empty(); };
  const auto branch = [](std::string_view line) { return branch_of(line).has_value(); };
  if (sample.most(1, 2, branch)) return ListingKind::tree;
  if (sample.most(1, 2, mode)) return ListingKind::long_format;
  if (sample.most(9, 10, mark)) return ListingKind::marked;
  // A file in the outermost folder has no slash, so a few such lines are allowed; but no blanks.
  const bool paths =
      sample.most(8, 10, is_path) && std::ranges::all_of(sample.lines, [](std::string_view line) {
        return is_path(line) || line.find_first_of(" \t") == std::string_view::npos;
      });
  return paths ? ListingKind::paths : ListingKind::none;
}

}  // namespace

std::string_view ListedFile::extension() const {
  const std::size_t dot = name.rfind('.');
  const bool has = !is_folder && dot != std::string::npos && dot != 0;
  return has ? std::string_view(name).substr(dot + 1) : std::string_view();
}

bool is_listing(const Sample& sample) { return kind_of(sample) != ListingKind::none; }

Listing read_listing(std::string_view text) {
  Listing listing;
  switch (kind_of(sample_of(text))) {
    case ListingKind::tree: listing = read_tree(text); break;
    case ListingKind::long_format: listing = read_long(text); break;
    case ListingKind::marked: listing = read_marked(text); break;
    case ListingKind::paths: listing = read_paths(text); break;
    case ListingKind::none: break;
  }
  if (!listing.marks_folders) find_holders(listing);
  return listing;
}

json::Value records_of(const Listing& listing) {
  const bool sizes = std::ranges::any_of(
      listing.files, [](const ListedFile& file) { return file.size.has_value(); });
  json::Writer writer;
  writer.begin_array();
  for (const ListedFile& file : listing.files) {
    writer.begin_object().member("path", file.path()).member("name", file.name);
    writer.member("folder", file.folder).member("ext", file.extension());
    writer.member("depth", file.depth).member("is_folder", file.is_folder).key("target");
    file.target.empty() ? writer.null() : writer.string(file.target);
    if (sizes) {
      writer.key("size");
      file.size ? writer.integer(static_cast<std::int64_t>(*file.size)) : writer.null();
    }
    writer.end_object();
  }
  return std::move(writer.end_array()).finish_value();
}

}  // namespace enfold::budget::text
