// SPDX-License-Identifier: Apache-2.0
// Diffs and series of commits: files with their added and removed lines, commits with their
// subjects. The lengths in the header of a hunk say which lines belong to it, so that a removed
// line "-- x" is no header of a file.
#include "enfold/budget/text/digest.h"
#include "enfold/json/write.h"

#include <charconv>
#include <fmt/core.h>
#include <map>
#include <set>

namespace enfold::budget::text {
namespace {

constexpr std::size_t kShownSha = 12;
constexpr std::size_t kMostAuthors = 16;

struct Changes {
  std::size_t line = 0;
  std::string what;  ///< path, or commit and subject
  std::size_t added = 0;
  std::size_t removed = 0;
  bool counted = true;  ///< false: binary, or a merge, whose lines are not counted
};

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// The id of a commit that the line begins: "commit 4f2a…" or "From 4f2a… Mon Sep 17"; else empty.
std::string_view commit_id(std::string_view line) {
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  if (word != "commit" && word != "From") return {};
  const std::string_view id = take_word(rest);
  const bool good = is_hex(id) && (word == "From" ? id.size() == 40 : id.size() >= 7);
  return good && line.starts_with(word) ? id : std::string_view();
}

bool is_hunk(std::string_view line) {
  return line.starts_with("@@ -") || line.starts_with("@@@ -");
}

// The number of lines in "-12,3" or "+12"; 1 if it is not written.
std::size_t hunk_length(std::string_view range) {
  const std::size_t comma = range.find(',');
  if (comma == std::string_view::npos) return 1;
  std::size_t length = 0;
  std::from_chars(range.data() + comma + 1, range.data() + range.size(), length);
  return length;
}

// The path of "a/src/x.cc" or "src/x.cc<tab>2024-01-01 …".
std::string_view path_of(std::string_view name) {
  name = trimmed(name.substr(0, name.find('\t')), kBlank);
  if (name.starts_with("a/") || name.starts_with("b/")) name.remove_prefix(2);
  return name;
}

// The path of "diff --git a/x b/x".
std::string_view path_of_header(std::string_view line) {
  const std::size_t b = line.rfind(" b/");
  if (b != std::string_view::npos) return line.substr(b + 3);
  return path_of(line.substr(std::min(line.rfind(' ') + 1, line.size())));
}

class DiffReader {
 public:
  void read(const Line& line) {
    if (old_left_ + new_left_ > 0) {
      if (read_in_hunk(line.text)) return;
    }
    if (line.text.starts_with('\\')) return;  // "\ No newline at end of file"
    if (const std::string_view id = commit_id(line.text); !id.empty()) {
      begin_commit(line, id);
    } else if (line.text.starts_with("diff ")) {
      begin_file(line, path_of_header(line.text));
      from_header_ = true;
    } else if (is_hunk(line.text)) {
      begin_hunk(line);
    } else if (line.text.starts_with("--- ")) {
      before_ = line;
    } else if (line.text.starts_with("+++ ") && before_.number + 1 == line.number) {
      name_file(line);
    } else if (line.text.starts_with("rename to ") && !files.empty()) {
      files.back().what = std::string(line.text.substr(10));
    } else if (line.text.starts_with("Binary files ") || line.text == "GIT binary patch") {
      if (!files.empty()) files.back().counted = false;
    } else if (!commits.empty() && in_header_) {
      read_commit_header(line.text);
    }
  }

  std::vector<Changes> files;
  std::vector<Changes> commits;
  std::map<std::string, std::size_t, std::less<>> authors;
  std::string first_date, last_date;
  std::size_t hunks = 0;

 private:
  void begin_commit(const Line& line, std::string_view id) {
    commits.push_back({line.number, fmt::format("commit {}", id.substr(0, kShownSha))});
    in_header_ = true;
    has_subject_ = false;
    from_header_ = false;
  }

  void begin_file(const Line& line, std::string_view path) {
    files.push_back({line.number, std::string(path)});
    in_header_ = false;
  }

  // "+++ b/x" behind "--- a/x"; without a "diff" line before them they begin the file.
  void name_file(const Line& line) {
    if (!from_header_) begin_file(before_, {});
    from_header_ = false;
    std::string_view path = path_of(line.text.substr(4));
    if (path == "/dev/null") path = path_of(before_.text.substr(4));
    files.back().what = std::string(path);
  }

  void begin_hunk(const Line& line) {
    if (files.empty()) return;
    ++hunks;
    std::string_view rest = line.text;
    if (take_word(rest) != "@@") return do_not_count();  // a merge: columns for each parent
    old_left_ = hunk_length(take_word(rest));
    new_left_ = hunk_length(take_word(rest));
  }

  void do_not_count() {
    files.back().counted = false;
    if (!commits.empty()) commits.back().counted = false;
  }

  // False: the line is not one of a hunk, which is damaged.
  bool read_in_hunk(std::string_view line) {
    const char mark = line.empty() ? ' ' : line[0];
    Changes* commit = commits.empty() ? nullptr : &commits.back();
    if (mark == '+' && new_left_ > 0) {
      --new_left_;
      ++files.back().added;
      if (commit != nullptr) ++commit->added;
    } else if (mark == '-' && old_left_ > 0) {
      --old_left_;
      ++files.back().removed;
      if (commit != nullptr) ++commit->removed;
    } else if (mark == ' ' && old_left_ > 0 && new_left_ > 0) {
      --old_left_;
      --new_left_;
    } else if (mark != '\\') {
      old_left_ = new_left_ = 0;
      do_not_count();
      return false;
    }
    return true;
  }

  void read_commit_header(std::string_view line) {
    for (const std::string_view key : {"Author:", "From:"}) {
      if (line.starts_with(key)) ++authors[std::string(trimmed(line.substr(key.size())))];
    }
    if (line.starts_with("Date:")) {
      last_date = std::string(trimmed(line.substr(5)));
      if (first_date.empty()) first_date = last_date;
    }
    std::string_view subject;
    if (line.starts_with("Subject:")) {
      subject = trimmed(line.substr(8));
    } else if (line.starts_with("    ")) {
      subject = trimmed(line);
    }
    if (has_subject_ || subject.empty()) return;
    has_subject_ = true;
    commits.back().what += fmt::format(" {}", subject);
  }

  std::size_t old_left_ = 0, new_left_ = 0;  ///< lines of the hunk that follow
  Line before_;                              ///< the last "--- " line
  bool from_header_ = false;                 ///< the file began with a "diff" line
  bool in_header_ = false;                   ///< of a commit
  bool has_subject_ = false;
};

Row row_of_changes(const Changes& changes) {
  std::string cells = label(changes.what);
  cells += changes.counted ? fmt::format(",{},{}", changes.added, changes.removed) : ",null,null";
  return {changes.line, std::move(cells)};
}

void add_counts(const DiffReader& reader, Digest& digest) {
  std::size_t added = 0;
  std::size_t removed = 0;
  std::size_t uncounted = 0;
  std::set<std::string_view> paths;
  for (const Changes& file : reader.files) {
    paths.insert(file.what);
    uncounted += file.counted ? 0 : 1;
    if (!file.counted) continue;
    added += file.added;
    removed += file.removed;
  }
  digest.add("files", paths.size());
  if (paths.size() != reader.files.size()) digest.add("file_changes", reader.files.size());
  digest.add(uncounted == 0 ? "added" : "added_in_text_files", added);
  digest.add(uncounted == 0 ? "removed" : "removed_in_text_files", removed);
  if (uncounted > 0) digest.add("binary_or_merged_files", uncounted);
}

void add_commits(const DiffReader& reader, Digest& digest) {
  digest.add("commits", reader.commits.size());
  if (!reader.first_date.empty()) {
    json::Writer writer;
    writer.begin_object().member("first", reader.first_date).member("last", reader.last_date);
    digest.add("", "dates", std::move(writer.end_object()).finish().str());
  }
  std::vector<std::pair<std::string_view, std::size_t>> order(reader.authors.begin(),
                                                              reader.authors.end());
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.second > b.second; });
  if (!order.empty()) digest.add("author_count", order.size());
  if (order.size() > kMostAuthors) order.resize(kMostAuthors);
  for (const auto& [author, count] : order) {
    digest.add("authors", std::string(author), std::to_string(count));
  }
}

}  // namespace

bool is_commits(const Sample& sample) {
  if (commit_id(sample.first()).empty()) return false;
  // "commit" and a word of hexadecimal digits may begin prose.
  return sample.lines.size() > 2 && std::ranges::any_of(sample.lines, [](std::string_view line) {
           return line.starts_with("Author:") || line.starts_with("From:");
         });
}

bool is_diff(std::string_view text, const Sample& sample) {
  const std::string_view first = sample.first();
  if (!first.starts_with("diff ") && !first.starts_with("--- ") && !first.starts_with("Index: ")) {
    return false;
  }
  return text.find("\n@@ -") != std::string_view::npos || first.starts_with("diff --git ");
}

void digest_diff(std::string_view text, std::size_t most, Digest& digest) {
  DiffReader reader;
  each_line(text, [&](const Line& line) { reader.read(line); });
  digest.head = Head::few;
  const bool series = digest.form == TextForm::commits;
  if (series) add_commits(reader, digest);
  if (!reader.files.empty()) add_counts(reader, digest);
  digest.columns = {series ? "commit or path" : "path", "added", "removed"};
  for (const auto* changes : {&reader.commits, &reader.files}) {
    for (const Changes& one : *changes) {
      if (digest.rows.size() < most) digest.rows.push_back(row_of_changes(one));
    }
  }
}

}  // namespace enfold::budget::text
