// SPDX-License-Identifier: Apache-2.0
// HTML as text under its headings, with its tables as records.
#include "enfold/budget/text/counts.h"
#include "enfold/budget/text/digest.h"
#include "enfold/budget/text/records.h"

#include <array>
#include <charconv>
#include <set>

namespace enfold::budget::text {
namespace {

constexpr std::size_t kMostNames = 16;         // in one fact
constexpr std::size_t kMostTables = 16;        // that are read as records
constexpr std::size_t kShortestAttribute = 7;  // bytes of <a id=x; shorter tags have no attribute

// Elements that interrupt a line of text.
constexpr auto kBlocks = std::to_array<std::string_view>(
    {"p",       "div",    "li",     "ul",         "ol",   "tr",         "table",   "section",
     "article", "header", "footer", "nav",        "main", "aside",      "title",   "pre",
     "br",      "hr",     "dt",     "dd",         "dl",   "option",     "form",    "figure",
     "caption", "thead",  "tbody",  "blockquote", "body", "head",       "html",    "h1",
     "h2",      "h3",     "h4",     "h5",         "h6",   "figcaption", "summary", "details"});
// Elements that show, as the first of a text, that it is HTML.
constexpr auto kHtmlOnly = std::to_array<std::string_view>(
    {"html",  "head",    "body",    "div",    "p",      "span",   "ul",    "ol",
     "table", "section", "article", "a",      "h1",     "h2",     "h3",    "meta",
     "nav",   "main",    "form",    "header", "footer", "script", "style", "link"});

bool is_one_of(std::string_view word, auto&& words) {
  return std::ranges::find(words, word) != std::end(words);
}

// 1 to 6 for h1 to h6; 0: another element.
int heading_level(std::string_view tag) {
  return tag.size() == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6' ? tag[1] - '0' : 0;
}

// Appends the character of the entity at `at`, and returns the bytes of the entity; 0: there is
// none, and nothing is appended.
std::size_t append_entity(std::string& out, std::string_view text, std::size_t at) {
  constexpr std::size_t longest = 10;
  const std::size_t end = text.substr(at, longest).find(';');
  if (end == std::string_view::npos) return 0;
  const std::string_view name = text.substr(at + 1, end - 1);
  static constexpr auto kNamed = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"amp", "&"},    {"lt", "<"},     {"gt", ">"},     {"quot", "\""},  {"apos", "'"},
       {"nbsp", " "},   {"mdash", "—"},  {"ndash", "–"},  {"hellip", "…"}, {"copy", "©"},
       {"rsquo", "’"},  {"lsquo", "‘"},  {"ldquo", "“"},  {"rdquo", "”"},  {"laquo", "«"},
       {"raquo", "»"},  {"middot", "·"}, {"bull", "•"},   {"para", "¶"},   {"sect", "§"},
       {"times", "×"},  {"deg", "°"},    {"plusmn", "±"}, {"micro", "µ"},  {"euro", "€"},
       {"pound", "£"},  {"reg", "®"},    {"trade", "™"},  {"larr", "←"},   {"rarr", "→"},
       {"le", "≤"},     {"ge", "≥"},     {"ne", "≠"},     {"auml", "ä"},   {"ouml", "ö"},
       {"uuml", "ü"},   {"szlig", "ß"},  {"eacute", "é"}, {"egrave", "è"}, {"agrave", "à"},
       {"ccedil", "ç"}, {"ntilde", "ñ"}, {"aring", "å"},  {"oslash", "ø"}, {"shy", ""}});
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

// The value, without its quotes, of an attribute of a tag; nullopt: the tag has no such attribute
// with a quoted value.
std::optional<std::string_view> attribute(std::string_view tag, std::string_view name) {
  for (std::size_t at = tag.find(name, 1); at != std::string_view::npos;
       at = tag.find(name, at + 1)) {
    const std::string_view rest = tag.substr(at + name.size());
    const bool begins = is_blank(tag[at - 1]) || tag[at - 1] == '\n';
    if (!begins || rest.size() < 3 || rest[0] != '=' || (rest[1] != '"' && rest[1] != '\''))
      continue;
    const std::size_t end = rest.find(rest[1], 2);
    if (end != std::string_view::npos) return rest.substr(2, end - 2);
  }
  return std::nullopt;
}

struct Block {
  std::size_t line = 0;
  int level = 0;  ///< of a heading; 0: text
  std::string text;
  std::size_t rank = 0;  ///< number of blocks before it in its section; SIZE_MAX: of a menu
};

/// Reads HTML into blocks of text.
class HtmlReader {
 public:
  /// Keeps at most `most` headings, and as many blocks.
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

  std::vector<Block> headings, blocks;  ///< the first ones
  std::string title;
  std::size_t links = 0, images = 0;
  std::size_t heading_count = 0, block_count = 0;  ///< of all, also those that are not kept
  Counts heading_levels, code_languages;
  std::vector<TextTable> tables;  ///< those that are lists of records
  std::size_t table_count = 0;    ///< of all

  /// Links to "#name" for which no element has the id `name`, as JSON strings.
  [[nodiscard]] std::vector<std::string> dangling() const {
    std::vector<std::string> found;
    for (const std::string_view link : inner_links_) {
      if (!ids_.contains(link)) found.push_back(json::quote("#" + std::string(link)));
    }
    return found;
  }

 private:
  // Whether '<' before this character begins a tag.
  static bool begins_tag(char c) { return is_letter(c) || c == '/' || c == '!' || c == '?'; }

  // Moves on to `end`, and counts the line feeds until there.
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
    if (!closes) read_attributes(tag, whole);
    if (closes && tag == "pre") in_code_ = false;
    const std::size_t line = line_;
    skip_to(end == std::string_view::npos ? text_.size() : at_ + end + 1);
    if (!closes && (tag == "script" || tag == "style" || tag == "noscript" || tag == "svg")) {
      return skip_element(tag);
    }
    if (tag == "td" || tag == "th") {
      if (!current_.empty() && !closes) current_ += " |";
      pending_space_ = true;
    }
    table_.read_tag(tag, closes, whole, line, *this);
    if (tag == "nav" || tag == "aside" || tag == "footer") {
      flush();
      edges_ = closes ? edges_ - std::min<std::size_t>(edges_, 1) : edges_ + 1;
    }
    if (!is_one_of(tag, kBlocks)) return;
    const bool was_title = tag == "title" && closes;
    if (was_title) title = std::string(trimmed(current_));
    if (was_title) current_.clear();
    flush();
    if (const int level = heading_level(tag); level > 0) level_ = closes ? 0 : level;
  }

  // Skips the content of an element that holds no text, and its end tag.
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
    if (table_.in_cell) table_.separate(pending_space_);
    pending_space_ = false;
    const std::size_t begin = current_.size();
    const std::size_t entity = c == '&' ? append_entity(current_, text_, at_) : 0;
    if (entity == 0) current_ += c;
    if (table_.in_cell) table_.cell.append(current_, begin);
    at_ += std::max<std::size_t>(entity, 1);
  }

  // Ends the current block or heading, and keeps it if there is room.
  void flush() {
    if (!current_.empty()) {
      std::vector<Block>& into = level_ > 0 ? headings : blocks;
      if (level_ > 0) {
        heading_levels.add(std::to_string(level_));
        ++heading_count;
        current_ = trimmed(current_, " ¶§#");  // marks of links to the heading
        heading_ = current_;
        section_blocks_ = 0;
      } else {
        ++block_count;
      }
      if (!current_.empty() && into.size() < most_) {
        into.push_back({begin_, level_, std::move(current_), rank()});
      }
    }
    current_.clear();
    pending_space_ = false;
  }

  // Block::rank of the current block. Blocks of menus and the like come after all others.
  [[nodiscard]] std::size_t rank() { return edges_ > 0 ? SIZE_MAX : section_blocks_++; }

  // Ids, links inside the page, and the languages of code blocks.
  void read_attributes(std::string_view tag, std::string_view whole) {
    if (tag == "pre") in_code_ = true;
    if (whole.size() < kShortestAttribute) return;
    if (const auto id = attribute(whole, "id")) ids_.insert(*id);
    if (tag == "a") {
      if (const auto id = attribute(whole, "name")) ids_.insert(*id);
      const auto link = attribute(whole, "href");
      const bool inside = link && link->size() > 1 && link->starts_with('#') && *link != "#top";
      // A link with escapes is not compared with the ids, because they would have to be decoded.
      if (inside && link->find_first_of("%&") == std::string_view::npos) {
        inner_links_.insert(link->substr(1));
      }
    }
    if (tag != "pre" && tag != "code") return;
    const auto names = attribute(whole, "class");
    const std::size_t at = names ? names->find("language-") : std::string_view::npos;
    if (!in_code_ || at == std::string_view::npos) return;
    const std::string_view language = names->substr(at + 9);
    code_languages.add(language.substr(0, language.find(' ')));
    in_code_ = false;  // <pre class="language-x"><code class="language-x"> is one block
  }

  /// The cells of the table that is being read. A table with cells over several rows or columns,
  /// inside of another table, or without a header is no list of records.
  struct Table {
    bool in_cell = false;
    std::string cell;

    // Adds a space to the cell if `space`, unless it begins the cell or follows another.
    void separate(bool space) {
      if (space && !cell.empty() && cell.back() != ' ') cell += ' ';
    }
    void read_tag(std::string_view tag, bool closes, std::string_view whole, std::size_t line,
                  HtmlReader& reader) {
      if (tag == "table") {
        if (closes && depth > 0 && --depth == 0) return finish(reader);
        if (!closes && depth++ == 0) begin(reader);
        regular = regular && depth <= 1;
        return;
      }
      if (depth != 1) return;
      if (tag == "tr") {
        end_row();
        row_line = line;
      } else if (tag == "td" || tag == "th") {
        end_cell();
        in_cell = !closes;
        has_header = has_header || (tag == "th" && !records);
        regular = regular && whole.find("span=") == std::string_view::npos;
      } else if (is_one_of(tag, kBlocks)) {
        separate(/*space=*/true);  // a block inside of a cell
      }
    }

   private:
    void begin(HtmlReader& reader) {
      ++reader.table_count;
      name = reader.heading_;
      regular = true;
      has_header = false;
      records.reset();
    }
    void end_cell() {
      if (in_cell) cells.emplace_back(without_blanks(cell));
      in_cell = false;
      cell.clear();
    }
    void end_row() {
      end_cell();
      if (cells.empty()) return;
      Cells row;
      for (const std::string& text : cells) row.push_back({text});
      if (records) {
        regular = regular && row.size() == records->width() && records->add(row, row_line);
      } else if (has_header && is_header(row)) {
        records.emplace(row, GroupedDigits::numbers, name);
      } else {
        regular = false;
      }
      cells.clear();
    }
    void finish(HtmlReader& reader) {
      end_row();
      if (regular && records && records->count() > 0 && reader.tables.size() < kMostTables) {
        reader.tables.push_back(std::move(*records).finish());
      }
      records.reset();
    }

    std::size_t depth = 0;     ///< tables around the text; 1: in a table that is not inside another
    std::size_t row_line = 1;  ///< line of the current row
    bool regular = true;       ///< it may still be a list of records
    bool has_header = false;   ///< a <th> came before the first record
    std::string name;          ///< the heading above it
    std::vector<std::string> cells;       ///< of the current row
    std::optional<RecordWriter> records;  ///< nullopt: no header was read yet
  };

  std::string_view text_;
  std::size_t most_;
  Table table_;
  std::string heading_;                     ///< the last one
  std::set<std::string_view> ids_;          ///< of elements
  std::set<std::string_view> inner_links_;  ///< targets of links inside the page, without "#"
  std::size_t section_blocks_ = 0;          ///< blocks since the last heading
  std::size_t edges_ = 0;                   ///< open <nav>, <aside> and <footer>
  bool in_code_ = false;                    ///< in <pre>, before its language is known
  std::size_t at_ = 0;                      ///< offset in `text_`
  std::size_t line_ = 1;                    ///< number of the line at `at_`
  std::size_t begin_ = 1;                   ///< line of the first character of `current_`
  int level_ = 0;                           ///< of the heading that `current_` is in; 0: none
  bool pending_space_ = false;              ///< white space before the next character
  std::string current_;                     ///< the text of the current block or heading
};

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
  const auto levels = reader.heading_levels.by_name();
  if (!levels.empty()) digest.add("", "headings_by_level", written(levels, levels.size()));
  if (!reader.code_languages.empty()) {
    digest.add("", "code_blocks", written(reader.code_languages.by_count(), kMostNames));
  }
  if (const auto links = reader.dangling(); !links.empty()) {
    digest.add("", "links_without_target", written_list(links, kMostNames));
  }
  digest.add("text_blocks", reader.block_count);
  digest.add("links", reader.links);
  digest.add("images", reader.images);
  if (reader.table_count > 0) digest.add("table_count", reader.table_count);
  for (TextTable& table : reader.tables) digest.tables.push_back(std::move(table));
  for (const Block& heading : reader.headings) {
    const std::string marks(static_cast<std::size_t>(heading.level), '#');
    digest.rows.push_back({heading.line, label(marks + " " + heading.text)});
  }
  // The first block of each section, then the second of each.
  std::ranges::stable_sort(reader.blocks, {}, &Block::rank);
  for (const Block& block : reader.blocks) {
    digest.html_block_rows.push_back({block.line, label(block.text)});
  }
  const std::size_t kept = reader.headings.size() + reader.blocks.size();
  digest.left_out += reader.heading_count + reader.block_count - kept;
}

}  // namespace enfold::budget::text
