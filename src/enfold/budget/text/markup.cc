// SPDX-License-Identifier: Apache-2.0
// HTML as text under its headings, and the headings of Markdown.
#include "enfold/budget/text/digest.h"
#include "enfold/json/write.h"

#include <array>
#include <charconv>

namespace enfold::budget::text {
namespace {

// Elements that interrupt a line of text.
constexpr auto kBlocks = std::to_array<std::string_view>(
    {"p",       "div",    "li",     "ul",         "ol",   "tr",         "table",   "section",
     "article", "header", "footer", "nav",        "main", "aside",      "title",   "pre",
     "br",      "hr",     "dt",     "dd",         "dl",   "option",     "form",    "figure",
     "caption", "thead",  "tbody",  "blockquote", "body", "head",       "html",    "h1",
     "h2",      "h3",     "h4",     "h5",         "h6",   "figcaption", "summary", "details"});
constexpr auto kHtmlOnly = std::to_array<std::string_view>(
    {"html",  "head",    "body",    "div",    "p",      "span",   "ul",    "ol",
     "table", "section", "article", "a",      "h1",     "h2",     "h3",    "meta",
     "nav",   "main",    "form",    "header", "footer", "script", "style", "link"});

bool is_one_of(std::string_view word, auto&& words) {
  return std::ranges::find(words, word) != std::end(words);
}

// 1 to 6, or 0.
int heading_level(std::string_view tag) {
  return tag.size() == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6' ? tag[1] - '0' : 0;
}

// Appends the character of an entity at `at`, and returns the bytes it takes; 0: it is none.
std::size_t append_entity(std::string& out, std::string_view text, std::size_t at) {
  constexpr std::size_t longest = 10;
  const std::size_t end = text.substr(at, longest).find(';');
  if (end == std::string_view::npos) return 0;
  const std::string_view name = text.substr(at + 1, end - 1);
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kNamed{
      {{"amp", "&"},
       {"lt", "<"},
       {"gt", ">"},
       {"quot", "\""},
       {"apos", "'"},
       {"nbsp", " "},
       {"mdash", "—"},
       {"ndash", "–"},
       {"hellip", "…"},
       {"copy", "©"},
       {"rsquo", "’"},
       {"lsquo", "‘"}}};
  for (const auto& [known, character] : kNamed) {
    if (name == known) {
      out += character;
      return end + 1;
    }
  }
  if (!name.starts_with('#') || name.size() < 2) return 0;
  const bool hex = name[1] == 'x' || name[1] == 'X';
  const std::string_view digits = name.substr(hex ? 2 : 1);
  std::uint32_t code = 0;
  const auto [stop, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
  const bool good = error == std::errc() && stop == digits.data() + digits.size() && code > 0 &&
                    code < 0x110000 && (code < 0xD800 || code > 0xDFFF);
  if (!good) return 0;
  utf8::append(out, code);
  return end + 1;
}

struct Block {
  std::size_t line = 0;
  int level = 0;  ///< of a heading; 0: text
  std::string text;
};

/// Reads HTML into blocks of text.
class HtmlReader {
 public:
  HtmlReader(std::string_view text, std::size_t most) : text_(text), most_(most) {}

  void read() {
    while (at_ < text_.size()) {
      if (text_[at_] == '<' && at_ + 1 < text_.size() && begins_tag(text_[at_ + 1])) {
        read_tag();
      } else {
        read_character();
      }
    }
    flush();
  }

  std::vector<Block> headings, blocks;
  std::string title;
  std::size_t heading_count = 0, links = 0, images = 0, block_count = 0;

 private:
  static bool begins_tag(char c) { return is_letter(c) || c == '/' || c == '!' || c == '?'; }

  void skip_to(std::size_t end) {
    end = std::min(end, text_.size());
    line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(end),
                                                 '\n'));
    at_ = end;
  }

  void read_tag() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) {
      const std::size_t end = rest.find("-->");
      return skip_to(end == std::string_view::npos ? text_.size() : at_ + end + 3);
    }
    const bool closes = rest[1] == '/';
    std::size_t name_end = closes ? 2 : 1;
    while (name_end < rest.size() && is_alphanumeric(rest[name_end])) ++name_end;
    const std::string tag = to_lower(rest.substr(closes ? 2 : 1, name_end - (closes ? 2 : 1)));
    const std::size_t end = rest.find('>');
    const std::string_view whole = rest.substr(0, end);
    links += tag == "a" && !closes && whole.find("href") != std::string_view::npos ? 1 : 0;
    images += tag == "img" ? 1 : 0;
    skip_to(end == std::string_view::npos ? text_.size() : at_ + end + 1);
    if (!closes && (tag == "script" || tag == "style" || tag == "noscript" || tag == "svg")) {
      return skip_element(tag);
    }
    if (tag == "td" || tag == "th") {
      if (!current_.empty() && !closes) current_ += " |";
      pending_space_ = true;
    }
    if (!is_one_of(tag, kBlocks)) return;
    const bool was_title = tag == "title" && closes;
    if (was_title) title = std::string(trimmed(current_));
    if (was_title) current_.clear();
    flush();
    if (const int level = heading_level(tag); level > 0) level_ = closes ? 0 : level;
  }

  // Behind the end tag of an element whose content is no text.
  void skip_element(const std::string& tag) {
    for (std::size_t end = text_.find("</", at_); end != std::string_view::npos;
         end = text_.find("</", end + 2)) {
      if (!equals_ignoring_case(text_.substr(end + 2, tag.size()), tag)) continue;
      const std::size_t close = text_.find('>', end);
      return skip_to(close == std::string_view::npos ? text_.size() : close + 1);
    }
    skip_to(text_.size());
  }

  void read_character() {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      line_ += c == '\n' ? 1 : 0;
      pending_space_ = true;
      ++at_;
      return;
    }
    if (current_.empty()) begin_ = line_;
    if (pending_space_ && !current_.empty()) current_ += ' ';
    pending_space_ = false;
    const std::size_t entity = c == '&' ? append_entity(current_, text_, at_) : 0;
    if (entity == 0) current_ += c;
    at_ += std::max<std::size_t>(entity, 1);
  }

  void flush() {
    if (!current_.empty()) {
      std::vector<Block>& into = level_ > 0 ? headings : blocks;
      ++(level_ > 0 ? heading_count : block_count);
      if (into.size() < most_) into.push_back({begin_, level_, std::move(current_)});
    }
    current_.clear();
    pending_space_ = false;
  }

  std::string_view text_;
  std::size_t most_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t begin_ = 1;  ///< line of the first character of `current_`
  int level_ = 0;
  bool pending_space_ = false;
  std::string current_;
};

int markdown_level(std::string_view line) {
  const std::size_t marks = std::min(line.find_first_not_of('#'), line.size());
  const bool good = marks >= 1 && marks <= 6 && marks < line.size() && line[marks] == ' ';
  return good ? static_cast<int>(marks) : 0;
}

// Calls `visit` with each heading outside of code blocks, and whether a blank line comes before it.
template <class Visit>
void each_heading(std::string_view text, Visit&& visit) {
  bool fenced = false;
  bool blank_before = true;
  each_line(text, [&](const Line& line) {
    if (line.text.starts_with("```") || line.text.starts_with("~~~")) fenced = !fenced;
    if (!fenced && markdown_level(line.text) > 0) visit(line, blank_before);
    blank_before = is_blank(line.text) || (!fenced && line.text.starts_with("---"));
  });
}

}  // namespace

bool is_html(const Sample& sample) {
  std::string_view first = trimmed(sample.first(), kBlank);
  while (first.starts_with("<!--") && first.find("-->") != std::string_view::npos) {
    first = trimmed(first.substr(first.find("-->") + 3), kBlank);
  }
  if (!first.starts_with('<')) return false;
  const std::string begin = to_lower(first.substr(0, 16));
  if (begin.starts_with("<!doctype html")) return true;
  if (begin.starts_with("<?xml") || begin.starts_with("<!doctype")) return false;
  std::size_t end = 1;
  while (end < begin.size() && is_alphanumeric(begin[end])) ++end;
  return is_one_of(std::string_view(begin).substr(1, end - 1), kHtmlOnly);
}

void digest_html(std::string_view text, std::size_t most, Digest& digest) {
  HtmlReader reader(text, most);
  reader.read();
  digest.head = Head::few;
  digest.columns = {"text"};
  if (!reader.title.empty()) digest.add("", "title", label(reader.title));
  digest.add("headings", reader.heading_count);
  digest.add("text_blocks", reader.block_count);
  digest.add("links", reader.links);
  digest.add("images", reader.images);
  for (const Block& heading : reader.headings) {
    const std::string marks(static_cast<std::size_t>(heading.level), '#');
    digest.rows.push_back({heading.line, label(marks + " " + heading.text)});
  }
  for (const Block& block : reader.blocks) {
    if (digest.rows.size() == most) break;
    digest.rows.push_back({block.line, label(block.text)});
  }
}

bool is_markdown(std::string_view text) {
  std::size_t headings = 0;
  std::size_t apart = 0;
  bool deeper = false;
  each_heading(text, [&](const Line& line, bool blank_before) {
    ++headings;
    apart += blank_before ? 1 : 0;
    deeper = deeper || markdown_level(line.text) > 1;
  });
  // Comments of scripts and configuration look like headings of level 1.
  const bool other_marks =
      text.find("](") != std::string_view::npos || text.find("\n```") != std::string_view::npos ||
      text.find("\n- ") != std::string_view::npos || text.find("\n* ") != std::string_view::npos;
  return headings >= 2 && apart * 3 >= headings * 2 && (deeper || other_marks);
}

void digest_markdown(std::string_view text, std::size_t most, Digest& digest) {
  digest.columns = {"text"};
  std::size_t headings = 0;
  each_heading(text, [&](const Line& line, bool) {
    ++headings;
    if (digest.rows.size() < most) digest.rows.push_back(row_of(line));
  });
  digest.add("headings", headings);
}

}  // namespace enfold::budget::text
