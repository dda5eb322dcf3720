// SPDX-License-Identifier: Apache-2.0
// Stack traces with their end first, and texts of keys and values.
#include "enfold/budget/text/trace.h"

#include "enfold/budget/text/digest.h"

#include <unordered_set>

namespace enfold::budget::text {
namespace {

constexpr std::size_t kMostExceptions = 8;  // that are rows
constexpr std::size_t kMostClasses = 16;    // of exceptions, in the facts
constexpr std::size_t kInnermost = 8;       // frames of each exception that are rows
constexpr std::size_t kLongestKey = 48;     // bytes

// Whether the text has a line number after a colon: "app.js:12".
bool has_position(std::string_view text) {
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    if (colon + 1 < text.size() && is_digit(text[colon + 1])) return true;
  }
  return false;
}

// Whether the line is a frame: of Python; else of Java, JavaScript, C#, Ruby, Go or a debugger.
FrameKind frame_kind(std::string_view line) {
  const bool indented = line.starts_with(' ') || line.starts_with('\t');
  const std::string_view text = without_blanks(line);
  if (indented && text.starts_with("File \"") && text.find(", line ") != std::string_view::npos) {
    return FrameKind::python;
  }
  if (indented && text.starts_with("at ") &&
      (text.ends_with(')') || has_position(text) ||
       text.find(":line ") != std::string_view::npos)) {
    return FrameKind::other;
  }
  if (indented && text.starts_with("from ") && has_position(text)) return FrameKind::other;
  if (line.starts_with('\t') && text.find(".go:") != std::string_view::npos)
    return FrameKind::other;
  if (text.starts_with('#') && text.size() > 2 && is_digit(text[1]) &&
      (text.find(" in ") != std::string_view::npos ||
       text.find(" at ") != std::string_view::npos)) {
    return FrameKind::other;
  }
  return FrameKind::none;
}

// The class in "Caused by: java.io.IOException: gone" or "ValueError: bad"; empty: there is none.
std::string_view class_of(std::string_view line) {
  line = without_blanks(line);
  for (const std::string_view word : {"Caused by: ", "Suppressed: ", "Unhandled exception. "}) {
    if (line.starts_with(word)) line.remove_prefix(word.size());
  }
  if (line.starts_with("Exception in thread \"")) {
    line.remove_prefix(std::min(line.find("\" ") + 2, line.size()));
  }
  std::size_t end = 0;
  while (end < line.size() &&
         (is_name_character(line[end]) || line[end] == '.' || line[end] == '$'))
    ++end;
  if (end < line.size() && line[end] != ':') return {};
  const std::string_view name = line.substr(0, end);
  const std::string_view last = name.substr(name.rfind('.') + 1);
  return !last.empty() && last[0] >= 'A' && last[0] <= 'Z' ? name : std::string_view();
}

struct Pair {
  std::string_view key, value;
};

// "key: value", "key = value"; nullopt: the line is neither, or the key is a sentence.
std::optional<Pair> pair_of(std::string_view line) {
  line = without_blanks(line);
  if (line.starts_with("- ")) line = without_blanks(line.substr(2));
  if (line.starts_with("export ")) line.remove_prefix(7);
  const std::size_t at = line.find_first_of(":=");
  if (at == std::string_view::npos || at == 0 || at > kLongestKey) return std::nullopt;
  const std::string_view key = trimmed(line.substr(0, at), " \t\"'");
  const std::string_view rest = line.substr(at + 1);
  if (line[at] == ':' && !rest.empty() && rest[0] != ' ' && rest[0] != '\t') return std::nullopt;
  const auto is_key = [](char c) {
    return is_name_character(c) || c == '.' || c == '-' || c == ' ' || c == '/' || c == '(' ||
           c == ')';
  };
  if (key.empty() || !std::ranges::all_of(key, is_key)) return std::nullopt;
  if (std::count(key.begin(), key.end(), ' ') > 3) return std::nullopt;
  return Pair{key, without_blanks(rest)};
}

// Whether the line is a comment, a section, or an item of a list: lines between keys and values.
bool is_comment_or_section(std::string_view line) {
  line = without_blanks(line);
  return line.starts_with('#') || line.starts_with(';') ||
         (line.starts_with('[') && line.ends_with(']')) || line == "---" || line.starts_with("- ");
}

}  // namespace

// In Python the exception comes after its frames, elsewhere before them.
void TraceReader::add_frame(const Line& line, FrameKind kind) {
  const std::size_t at = frames.size();
  frames.push_back(line);
  if (kind == FrameKind::python) {
    if (last_ != kind) first_of_traceback_ = at;
  } else if (last_ == FrameKind::none && !before_.text.empty()) {
    exceptions.push_back(
        {.line = before_, .first_frame = at, .end_frame = at + 1, .python = false});
  } else if (!exceptions.empty() && !exceptions.back().python) {
    exceptions.back().end_frame = at + 1;
  }
  last_ = kind;
}

void TraceReader::read(const Line& line) {
  if (const FrameKind kind = frame_kind(line.text); kind != FrameKind::none) {
    add_frame(line, kind);
    return;
  }
  const bool indented = line.text.starts_with(' ') || line.text.starts_with('\t');
  const bool continues = indented || line.text.starts_with("...");
  if (last_ == FrameKind::none && without_blanks(line.text).starts_with("... ") &&
      line.text.ends_with(" more") && before_.text.starts_with("Caused by: ")) {
    // "... 12 more" alone: the cause has no frames but those of the exception around it.
    exceptions.push_back({.line = before_,
                          .first_frame = frames.size(),
                          .end_frame = frames.size(),
                          .python = false});
    last_ = FrameKind::other;
  }
  if (is_blank(line.text)) {
    // After a blank line no exception of these frames can follow.
    if (last_ == FrameKind::python) last_ = FrameKind::none;
    return;
  }
  if (last_ == FrameKind::python && !continues) {
    exceptions.push_back({.line = line,
                          .first_frame = first_of_traceback_,
                          .end_frame = frames.size(),
                          .python = true});
  }
  if (continues && last_ != FrameKind::none) return;  // the source of a frame, or "... 12 more"
  last_ = FrameKind::none;
  before_ = line;
}

Counts classes_of(const std::vector<TraceReader::Exception>& exceptions) {
  Counts classes;
  for (const TraceReader::Exception& exception : exceptions) {
    const std::string_view name = class_of(exception.line.text);
    classes.add(name.empty() ? "other" : name);
  }
  return classes;
}

bool is_trace(const Sample& sample) {
  std::size_t frames = 0;
  std::size_t python = 0;
  for (const std::string_view line : sample.lines) {
    const FrameKind kind = frame_kind(line);
    frames += kind != FrameKind::none ? 1 : 0;
    python += kind == FrameKind::python ? 1 : 0;
  }
  // Each frame of Python shows its source in a second line, and perhaps marks in a third.
  return frames >= 2 && (frames + 2 * python) * 2 >= sample.lines.size();
}

void digest_trace(std::string_view text, std::size_t most, Digest& digest) {
  TraceReader reader;
  each_line(text, [&](const Line& line) { reader.read(line); });
  digest.head = Head::few;
  digest.columns = {"text"};
  digest.add("frames", reader.frames.size());
  const auto& exceptions = reader.exceptions;
  if (!exceptions.empty()) {
    digest.add("", "exceptions", written(classes_of(exceptions).by_count(), kMostClasses));
    digest.add("exception_count", exceptions.size());
    digest.add("", "last_exception", label(exceptions.back().line.text));
  }
  const auto add = [&](const Line& line) { digest.add_row(row_of(line), most); };
  for (std::size_t i = 0; i < std::min(exceptions.size(), kMostExceptions); ++i) {
    add(exceptions[exceptions.size() - 1 - i].line);
  }
  // The innermost frames of each exception, the last exception first. Python prints the innermost
  // frame last.
  digest.in_order = false;
  for (std::size_t i = 0; i < std::min(exceptions.size(), kMostExceptions); ++i) {
    const TraceReader::Exception& one = exceptions[exceptions.size() - 1 - i];
    for (std::size_t at = 0; at < std::min(kInnermost, one.end_frame - one.first_frame); ++at) {
      add(reader.frames[one.python ? one.end_frame - 1 - at : one.first_frame + at]);
    }
  }
}

bool is_key_values(const Sample& sample) {
  std::size_t pairs = 0;
  std::size_t others = 0;
  for (const std::string_view line : sample.lines) {
    if (pair_of(line)) {
      ++pairs;
    } else if (!is_comment_or_section(line)) {
      ++others;
    }
  }
  return pairs >= 4 && pairs >= others * 5;
}

void digest_key_values(std::string_view text, std::size_t most, Digest& digest) {
  struct Key {
    std::size_t line;
    std::string_view name;
    bool outer;  // not indented
  };
  std::unordered_set<std::string_view> names;
  std::vector<Key> keys;
  std::size_t pairs = 0;
  each_line(text, [&](const Line& line) {
    const auto pair = is_comment_or_section(line.text) ? std::nullopt : pair_of(line.text);
    if (!pair) return;
    ++pairs;
    names.insert(pair->key);
    const bool outer = !line.text.starts_with(' ') && !line.text.starts_with('\t');
    keys.push_back({line.number, pair->key, outer});
  });
  digest.columns = {"key"};
  digest.add("pairs", pairs);
  digest.add("keys", names.size());
  // The last keys first: the first ones are in the beginning of the text, which is shown.
  for (const bool outer : {true, false}) {
    for (std::size_t i = keys.size(); i > 0; --i) {
      if (keys[i - 1].outer != outer) continue;
      digest.add_row({keys[i - 1].line, label(keys[i - 1].name)}, most);
    }
  }
}

}  // namespace enfold::budget::text
