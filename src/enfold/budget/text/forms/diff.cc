// SPDX-License-Identifier: Apache-2.0
// Diffs and series of commits: files with their added and removed lines, commits with their
// subjects. The lengths in the header of a hunk say which lines belong to it, so that a removed
// line "-- x" is no header of a file.
#include "enfold/budget/text/counts.h"
#include "enfold/budget/text/digest.h"

#include <charconv>
#include <fmt/core.h>
#include <map>

namespace enfold::budget::text {
namespace {

constexpr std::size_t kShownSha = 12;   // digits of the id of a commit
constexpr std::size_t kMostNames = 16;  // in one fact
constexpr std::size_t kMostPaths = 24;  // in the facts
constexpr std::size_t kNoCommit = SIZE_MAX;

struct Changes {
  std::size_t line = 0;  ///< number of the first line of the file or commit
  std::string what;      ///< path, or subject of a commit
  std::size_t added = 0;
  std::size_t removed = 0;
  bool counted = true;  ///< false: binary, or a merge, whose lines are not counted
};

struct FileChanges : Changes {
  std::size_t commit = kNoCommit;  ///< index in DiffReader::commits
  std::string renamed_from{};      ///< empty: it was not renamed
  bool created = false;
  bool deleted = false;
};

struct Commit : Changes {
  std::string id, author{}, date{};
};

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// The id in a line that begins a commit: "commit 4f2a…" or "From 4f2a… Mon Sep 17". Empty: another
// line.
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
      in_file_header_ = true;
    } else if (is_hunk(line.text)) {
      begin_hunk(line);
    } else if (line.text.starts_with("--- ")) {
      before_ = line;
    } else if (line.text.starts_with("+++ ") && before_.number + 1 == line.number) {
      name_file(line);
    } else if (in_file_header_ && read_file_header(line.text)) {
      return;
    } else if (line.text.starts_with("Binary files ") || line.text == "GIT binary patch") {
      if (!files.empty()) files.back().counted = false;
    } else if (!commits.empty() && in_commit_header_) {
      read_commit_header(line.text);
    }
  }

  std::vector<FileChanges> files;
  std::vector<Commit> commits;
  Counts trailers;  ///< "Reviewed-by: A. Name", by line

 private:
  void begin_commit(const Line& line, std::string_view id) {
    commits.push_back({{line.number, {}}, std::string(id.substr(0, kShownSha))});
    in_commit_header_ = true;
    in_file_header_ = false;
  }

  void begin_file(const Line& line, std::string_view path) {
    const std::size_t commit = commits.empty() ? kNoCommit : commits.size() - 1;
    files.push_back({{line.number, std::string(path)}, commit});
    in_commit_header_ = false;
  }

  // Reads a line between "diff" and the first hunk that says what became of the file; false: the
  // line says something else.
  bool read_file_header(std::string_view line) {
    FileChanges& file = files.back();
    if (line.starts_with("new file mode ")) {
      file.created = true;
    } else if (line.starts_with("deleted file mode ")) {
      file.deleted = true;
    } else if (line.starts_with("rename from ")) {
      file.renamed_from = std::string(line.substr(12));
    } else if (line.starts_with("rename to ")) {
      file.what = std::string(line.substr(10));
    } else {
      return false;
    }
    return true;
  }

  // Reads "+++ b/x" after "--- a/x". Without a "diff" line before them these two begin the file.
  void name_file(const Line& line) {
    if (!in_file_header_) begin_file(before_, /*path=*/{});
    in_file_header_ = false;
    const std::string_view before = path_of(before_.text.substr(4));
    const std::string_view after = path_of(line.text.substr(4));
    files.back().created = files.back().created || before == "/dev/null";
    files.back().deleted = files.back().deleted || after == "/dev/null";
    files.back().what = std::string(files.back().deleted ? before : after);
  }

  void begin_hunk(const Line& line) {
    if (files.empty()) return;
    std::string_view rest = line.text;
    if (take_word(rest) != "@@") return do_not_count();  // a merge: columns for each parent
    old_left_ = hunk_length(take_word(rest));
    new_left_ = hunk_length(take_word(rest));
  }

  void do_not_count() {
    files.back().counted = false;
    if (!commits.empty()) commits.back().counted = false;
  }

  // Reads a line of a hunk, which must follow. False: it is another line, so the hunk is damaged.
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
    Commit& commit = commits.back();
    for (const std::string_view key : {"Author:", "From:"}) {
      if (line.starts_with(key)) commit.author = std::string(trimmed(line.substr(key.size())));
    }
    if (line.starts_with("Date:")) commit.date = std::string(trimmed(line.substr(5)));
    std::string_view subject;
    if (line.starts_with("Subject:")) {
      subject = trimmed(line.substr(8));
    } else if (line.starts_with("    ")) {
      subject = trimmed(line);
    }
    if (const auto text = trimmed(line); is_trailer(text)) trailers.add(text);
    if (!commit.what.empty() || subject.empty()) return;
    commit.what = std::string(subject);
  }

  // Whether the line is "Reviewed-by: A. Name" in the message of a commit.
  [[nodiscard]] bool is_trailer(std::string_view line) const {
    const std::size_t colon = line.find("-by: ");
    return !commits.back().what.empty() && colon != std::string_view::npos &&
           std::ranges::all_of(line.substr(0, colon),
                               [](char c) { return is_letter(c) || c == '-'; });
  }

  std::size_t old_left_ = 0, new_left_ = 0;  ///< old and new lines of the hunk that follow
  Line before_;                              ///< the last "--- " line
  bool in_file_header_ = false;              ///< after a "diff" line, before the "+++" line
  bool in_commit_header_ = false;            ///< after the first line of a commit, before its files
};

// Cells of a row: ",3,1"; ",null,null" if the lines are not counted.
std::string added_and_removed(const Changes& changes) {
  return changes.counted ? fmt::format(",{},{}", changes.added, changes.removed) : ",null,null";
}

// "A. Name" of "A. Name <a@b.example>".
std::string_view name_of(std::string_view author) {
  return trimmed(author.substr(0, author.find('<')));
}

// Adds facts about the lines that all files, and each path, add and remove; the path that occurs
// most often comes first.
void add_paths(const DiffReader& reader, Digest& digest) {
  std::map<std::string_view, std::pair<std::size_t, Changes>> paths;
  Changes all;
  std::size_t uncounted = 0;
  for (const FileChanges& file : reader.files) {
    auto& [count, sum] = paths[file.what];
    ++count;
    for (Changes* into : {&sum, &all}) {
      into->added += file.counted ? file.added : 0;
      into->removed += file.counted ? file.removed : 0;
    }
    sum.counted = sum.counted && file.counted;
    uncounted += file.counted ? 0 : 1;
  }
  digest.add("files", paths.size());
  if (paths.size() != reader.files.size()) digest.add("file_changes", reader.files.size());
  digest.add(uncounted == 0 ? "added" : "added_in_text_files", all.added);
  digest.add(uncounted == 0 ? "removed" : "removed_in_text_files", all.removed);
  if (uncounted > 0) digest.add("binary_or_merged_files", uncounted);
  if (paths.size() == reader.files.size()) return;  // each is a row of the index
  std::vector<std::pair<std::string_view, const std::pair<std::size_t, Changes>*>> order;
  for (const auto& [path, changes] : paths) order.emplace_back(path, &changes);
  std::ranges::stable_sort(
      order, [](const auto& a, const auto& b) { return a.second->first > b.second->first; });
  for (std::size_t i = 0; i < std::min(order.size(), kMostPaths); ++i) {
    const auto& [count, sum] = *order[i].second;
    const std::string lines =
        sum.counted ? fmt::format(", +{} -{}", sum.added, sum.removed) : std::string();
    digest.add("paths", std::string(order[i].first),
               json::quote(fmt::format("{} change{}{}", count, count == 1 ? "" : "s", lines)));
  }
}

// Adds facts with the files that were created, deleted or renamed, each with its commit.
void add_fates(const DiffReader& reader, Digest& digest) {
  const auto list = [&](const char* name, auto&& is_meant) {
    std::vector<std::string> files;
    for (const FileChanges& file : reader.files) {
      if (!is_meant(file)) continue;
      std::string what =
          file.renamed_from.empty() ? file.what : file.renamed_from + " → " + file.what;
      if (file.commit != kNoCommit) what += " in " + reader.commits[file.commit].id;
      files.push_back(label(what));
    }
    if (!files.empty()) digest.add("", name, written_list(files, kMostNames));
  };
  list("renamed", [](const FileChanges& file) { return !file.renamed_from.empty(); });
  list("deleted", [](const FileChanges& file) { return file.deleted; });
  list("created", [](const FileChanges& file) { return file.created; });
}

void add_commits(const DiffReader& reader, Digest& digest) {
  digest.add("commits", reader.commits.size());
  Counts authors;
  std::vector<std::string_view> dates;
  for (const Commit& commit : reader.commits) {
    if (!commit.author.empty()) authors.add(commit.author);
    if (!commit.date.empty()) dates.push_back(commit.date);
  }
  if (!dates.empty()) {
    json::Writer writer;
    writer.begin_object().member("first", dates.front()).member("last", dates.back());
    digest.add("", "dates", std::move(writer.end_object()).finish().str());
  }
  if (!authors.empty()) digest.add("author_count", authors.size());
  std::vector<Counts::Pair> order = authors.by_count();
  if (order.size() > kMostNames) order.resize(kMostNames);
  for (const auto& [author, count] : order) {
    digest.add("authors", std::string(author), std::to_string(count));
  }
}

// Adds a row for each commit. The beginning of the text is shown anyway, so the last commit has the
// highest priority; the others follow from the beginning on.
void add_commit_rows(const DiffReader& reader, std::size_t most, Digest& digest) {
  for (std::size_t i = 0; i < reader.commits.size(); ++i) {
    const Commit& commit = i == 0 ? reader.commits.back() : reader.commits[i - 1];
    digest.add_row({commit.line, fmt::format("{},{},{},{}{}", json::quote(commit.id),
                                             label(name_of(commit.author)), label(commit.date),
                                             label(commit.what), added_and_removed(commit))},
                   most);
  }
}

}  // namespace

bool is_commits(const Sample& sample) {
  if (commit_id(sample.first()).empty()) return false;
  // "commit" and a word of hexadecimal digits may also begin prose, but then no author follows.
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
  add_fates(reader, digest);
  if (!reader.files.empty()) add_paths(reader, digest);
  if (!reader.trailers.empty()) {
    digest.add("", "trailers", written(reader.trailers.by_count(), kMostNames));
  }
  digest.columns = {"path", "added", "removed"};
  if (series) {
    digest.columns = {"commit", "author", "date", "subject or path", "added", "removed"};
    add_commit_rows(reader, most, digest);
  }
  for (const FileChanges& file : reader.files) {
    std::string cells;
    if (series) cells = json::quote(reader.commits[file.commit].id) + ",null,null,";
    digest.add_row({file.line, cells + label(file.what) + added_and_removed(file)}, most);
  }
}

}  // namespace enfold::budget::text
