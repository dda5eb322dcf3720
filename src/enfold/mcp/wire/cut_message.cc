// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/cut_message.h"

#include "enfold/json/document.h"

#include <algorithm>

namespace enfold::mcp {
namespace {

using Kind = CutMessage::Kind;
constexpr std::string_view kSpace = " \t\r\n";
constexpr std::size_t kNone = std::string_view::npos;

// `key`: with its quotes. `value`: empty if it is cut off.
void read_member(CutMessage& seen, std::string_view key, std::string_view value) {
  if (key == R"("method")") seen.kind = Kind::request_or_notification;
  if (key == R"("result")" || key == R"("error")") seen.kind = Kind::response;
  if (key != R"("id")") return;
  const auto read = json::parse(value);
  if (read) seen.id = read_id(read->root());
}

/// Reads JSON tokens from the front of a text and removes them from it.
class ForwardReader {
 public:
  explicit ForwardReader(std::string_view text) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  }

  /// Whether this character follows, after white space; removes it.
  bool take(char wanted) {
    text_.remove_prefix(std::min(text_.find_first_not_of(kSpace), text_.size()));
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(1);
    return true;
  }
  /// nullopt: the value is cut off.
  std::optional<std::string_view> take_value() {
    text_.remove_prefix(std::min(text_.find_first_not_of(kSpace), text_.size()));
    const std::size_t end = end_of_value();
    if (end == kNone) return std::nullopt;
    const std::string_view value = text_.substr(0, end);
    text_.remove_prefix(end);
    return value;
  }

 private:
  // One past the end; kNone: the string or value is cut off.
  [[nodiscard]] std::size_t end_of_string(std::size_t quote) const {
    for (std::size_t i = quote + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\')
        ++i;
      else if (text_[i] == '"')
        return i + 1;
    }
    return kNone;
  }
  [[nodiscard]] std::size_t end_of_value() const {
    if (text_.starts_with('"')) return end_of_string(0);
    if (!text_.starts_with('{') && !text_.starts_with('[')) {
      return text_.find_first_of(",}] \t\r\n");
    }
    std::size_t depth = 0;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '"') {
        i = end_of_string(i);
        if (i == kNone) return kNone;
        --i;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if ((c == '}' || c == ']') && --depth == 0) {
        return i + 1;
      }
    }
    return kNone;
  }

  std::string_view text_;
};

/// Reads JSON tokens from the end of a text and removes them from it.
class BackwardReader {
 public:
  explicit BackwardReader(std::string_view text) : text_(text) {}

  /// Whether this character is the last one, before white space; removes it.
  bool take(char wanted) {
    trim();
    if (!text_.ends_with(wanted)) return false;
    text_.remove_suffix(1);
    return true;
  }
  /// A string, a number or a literal; nullopt: another value, or its beginning is cut off.
  std::optional<std::string_view> take_scalar() {
    trim();
    const std::size_t begin = text_.ends_with('"') ? begin_of_string() : begin_of_word();
    if (begin == kNone || begin == text_.size()) return std::nullopt;
    const std::string_view value = text_.substr(begin);
    text_.remove_suffix(value.size());
    return value;
  }

 private:
  void trim() { text_ = text_.substr(0, text_.find_last_not_of(kSpace) + 1); }
  // The offset where the string or word at the end begins; kNone: it is cut off.
  [[nodiscard]] std::size_t begin_of_string() const {
    for (std::size_t i = text_.size() - 1; i-- > 0;) {
      if (text_[i] != '"') continue;
      std::size_t slashes = 0;
      while (slashes < i && text_[i - 1 - slashes] == '\\') ++slashes;
      if (slashes == i) return kNone;  // more backslashes may have been cut off
      if (slashes % 2 == 0) return i;
    }
    return kNone;
  }
  [[nodiscard]] std::size_t begin_of_word() const {
    const std::size_t before = text_.find_last_of(R"(:,{}[]")"
                                                  " \t\r\n");
    return before == kNone ? kNone : before + 1;
  }

  std::string_view text_;
};

}  // namespace

CutMessage read_cut_beginning(std::string_view beginning) {
  CutMessage seen;
  ForwardReader text(beginning);
  if (text.take('[')) return seen;  // a batch
  if (!text.take('{')) return {Kind::not_json_rpc, std::nullopt};
  do {
    const auto key = text.take_value();
    if (!key || !text.take(':')) break;
    const auto value = text.take_value();
    read_member(seen, *key, value.value_or(""));
    if (!value) break;
  } while (text.take(','));
  return seen;
}

CutMessage read_cut_end(std::string_view end) {
  CutMessage seen;
  BackwardReader text(end);
  if (!text.take('}')) return seen;
  do {
    const auto value = text.take_scalar();
    if (!value || !text.take(':')) break;
    const auto key = text.take_scalar();
    if (!key) break;
    read_member(seen, *key, *value);
  } while (text.take(','));
  return seen;
}

}  // namespace enfold::mcp
