// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/redact/find/chars.h"
#include "enfold/redact/redact.h"

namespace enfold::redact {
namespace {

using detail::is;
using detail::kAlnum;
using detail::kBlank;
using detail::kDigit;
using detail::run_end;

constexpr std::string_view kOmitted = "[source omitted]";
constexpr std::string_view kCut = " [cut]";  // ends a text that was shortened

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string_view trim(std::string_view line) {
  while (!line.empty() && is(line.front(), kBlank)) line.remove_prefix(1);
  while (!line.empty() && is(line.back(), kBlank)) line.remove_suffix(1);
  return line;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A line of a stack trace, in the formats of several languages: `at f (file.js:3:7)`,
// `at com.example.A.b(A.java:12)`, `at async f`, `File "x.py", line 3, in f`,
// `#3 0x55d in f () at a.c:3`, `3: core::panicking`, `goroutine 1 [running]:`, `... 12 more`
bool is_frame(std::string_view line) {
  if (line.starts_with("at ")) {
    const std::string_view rest = line.substr(3);
    return line.ends_with(")") || line.ends_with(">") || rest.starts_with("async ") ||
           rest.starts_with("file:") || rest.starts_with("/") || rest.starts_with("new ") ||
           contains(rest, ".js:") || contains(rest, ".ts:") || contains(rest, ".rs:") ||
           contains(rest, "node:");
  }
  if (line.starts_with("File \"") && contains(line, ", line ")) return true;
  if (line.starts_with("goroutine ") && line.ends_with("]:")) return true;
  if (line.starts_with("... ") && line.ends_with(" more")) return true;
  if (line.starts_with('#') && run_end(line, 1, kDigit) > 1) {
    return contains(line, " in ") || contains(line, "(") || contains(line, "0x");
  }
  const std::size_t number = run_end(line, 0, kDigit);
  return number > 0 && line.substr(number, 2) == ": " && contains(line, "::");
}

// `12 | code`, `> 12 | code`, `   | ^`. Not `12: code`, because messages look like that too.
bool is_numbered_code(std::string_view line) {
  if (line.starts_with('>')) line = trim(line.substr(1));
  const std::size_t number = run_end(line, 0, kDigit);
  const std::string_view rest = trim(line.substr(number));
  if (rest.starts_with("\xE2\x94\x82")) return true;  // a box-drawing bar
  return rest.starts_with('|') && (number > 0 || line.front() == '|');
}

// `    ^~~~`, `~~~^^^`, `-----^`: marks a position in the code line above.
bool is_caret(std::string_view line) {
  if (!contains(line, "^") && !line.starts_with("~~")) return false;
  return line.find_first_not_of("^~-+| .") == std::string_view::npos;
}

bool is_fence(std::string_view line) { return line.starts_with("```") || line.starts_with("~~~"); }

bool is_stack_heading(std::string_view line) {
  return line.starts_with("Traceback (most recent call last)") || line == "Stack trace:" ||
         line == "stack backtrace:" || line == "Backtrace:" || line == "Call stack:" ||
         line.starts_with("The above exception was the direct cause") ||
         line.starts_with("During handling of the above exception");
}

enum class Line { message, blank, code };

// Classifies the lines of a text, which must be passed from first to last: blocks depend on the
// lines above.
class LineClassifier {
 public:
  [[nodiscard]] Line classify(std::string_view raw) {
    const std::string_view line = trim(raw);
    if (is_fence(line) && !is_caret(line)) {
      fenced_ = !fenced_;
      return Line::code;
    }
    if (fenced_) return Line::code;
    if (line.empty()) return Line::blank;
    const bool indented = raw.front() == ' ' || raw.front() == '\t';
    if (is_stack_heading(line)) {
      in_frames_ = true;
      return Line::code;
    }
    if (is_frame(line)) {
      in_frames_ = in_frames_ || line.starts_with("File \"");
      return Line::code;
    }
    if (is_numbered_code(line) || is_caret(line)) return Line::code;
    // Python prints an indented line of code below each frame; other traces print indented lines
    // below their heading.
    if (in_frames_ && indented) return Line::code;
    in_frames_ = false;
    return Line::message;
  }

 private:
  bool fenced_ = false;     // after an opening fence, before the closing one
  bool in_frames_ = false;  // in a stack trace: indented lines belong to it
};

std::string bounded(std::string text) {
  if (text.size() <= kLongestErrorText) return text;
  text = utf8::prefix(text, kLongestErrorText - kCut.size());
  text += kCut;
  return text;
}

}  // namespace

std::string scrub_error_text(std::string_view text) {
  const auto lines = split_lines(text);
  std::vector<Line> kinds;
  kinds.reserve(lines.size());
  LineClassifier classifier;
  for (const std::string_view line : lines) kinds.push_back(classifier.classify(line));
  // The line above a caret line is code (gcc, Node, Python); the first line is always the message.
  for (std::size_t i = 2; i < lines.size(); ++i) {
    const bool points = kinds[i] == Line::code && is_caret(trim(lines[i]));
    if (points && kinds[i - 1] == Line::message) kinds[i - 1] = Line::code;
  }
  std::string kept;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool has_room = kept.size() <= kLongestErrorText;  // `bounded` removes what is too much
    if (kinds[i] != Line::message || !has_room) continue;
    if (!kept.empty()) kept += '\n';
    kept += lines[i];
  }
  if (!kept.empty()) return bounded(std::move(kept));
  // Every line looks like code.
  const bool has_content = text.find_first_not_of(" \t\r\n") != std::string_view::npos;
  return has_content ? std::string(kOmitted) : std::string();
}

}  // namespace enfold::redact
