// SPDX-License-Identifier: Apache-2.0
// Logs: how many lines of each level, when it begins and ends, the patterns of its lines, and the
// lines that are severe or rare.
#include "enfold/budget/text/counts.h"
#include "enfold/budget/text/digest.h"
#include "enfold/budget/text/patterns.h"
#include "enfold/budget/text/stamp.h"
#include "enfold/budget/text/trace.h"

#include <array>
#include <cstring>
#include <map>
#include <unordered_set>

namespace enfold::budget::text {
namespace {

constexpr std::size_t kLongestPattern = 160;  // bytes in the facts
constexpr std::size_t kMostPatternFacts = 40;
constexpr std::size_t kCommonSlot = 20;      // a slot is common if 1 of 20 levels is in it
constexpr std::size_t kTailLines = 3;        // last lines of a text that is no log
constexpr std::size_t kMostComponents = 12;  // of a level
constexpr std::size_t kMostHours = 24;       // of a level
constexpr std::size_t kDateBytes = 11;       // of a stamp, with the blank after the date
constexpr std::size_t kMostClasses = 16;     // of exceptions

/// The first, last, earliest and latest time stamp of a log, if all have one format that is
/// compared as time.
class Times {
 public:
  /// `format_hash`: of the stamp.
  void add(std::string_view stamp, std::uint64_t format_hash) {
    if (format_hash == 0 || (count_ > 0 && format_hash != format_hash_)) comparable_ = false;
    format_hash_ = format_hash;
    if (count_++ == 0) first_ = earliest_ = latest_ = stamp;
    last_ = stamp;
    if (stamp < earliest_) earliest_ = stamp;
    if (stamp > latest_) latest_ = stamp;
  }
  [[nodiscard]] bool comparable() const { return count_ > 0 && comparable_; }
  [[nodiscard]] bool of_one_day() const {
    return earliest_.substr(0, kDateBytes) == latest_.substr(0, kDateBytes);
  }
  void write(Digest& digest) const {
    if (!comparable()) return;
    json::Writer writer;
    writer.begin_object().member("first", first_).member("last", last_);
    if (earliest_ != first_ || latest_ != last_) {
      writer.member("earliest", earliest_).member("latest", latest_);
    }
    writer.end_object();
    digest.add("", "times", std::move(writer).finish().str());
  }

 private:
  std::size_t count_ = 0;
  std::uint64_t format_hash_ = 0;
  bool comparable_ = true;
  std::string_view first_, last_, earliest_, latest_;
};

/// What may be the level of a line, as find_level returns it.
struct LevelWords {
  std::optional<Level> plain;    ///< a word like "warn": a level if other lines have theirs there
  std::optional<Level> certain;  ///< a word that is written like a level
  [[nodiscard]] bool is_severe() const {
    return (plain && text::is_severe(plain->name)) || (certain && text::is_severe(certain->name));
  }
  /// Severe, or a warning.
  [[nodiscard]] bool is_notable() const {
    return is_severe() || (plain && plain->name == "WARN") || (certain && certain->name == "WARN");
  }
  auto operator<=>(const LevelWords&) const = default;
};

/// Counts levels by the place in the line where they are written (Level::slot). At a place where
/// few lines have a level, words are not taken for levels.
class Levels {
 public:
  /// `component`: in brackets; empty: the line has none. `hour`: the beginning of its time stamp;
  /// empty: unknown. `most`: lines that are kept.
  void add(const LevelWords& words, const Line& line, std::string_view component,
           std::string_view hour, std::size_t most) {
    if (words.certain) ++slots_[words.certain->slot];
    // Most lines have the level of the line before.
    if (last_ == nullptr || words != last_words_) last_ = &entries_[words], last_words_ = words;
    Entry& entry = *last_;
    ++entry.count;
    if (!words.is_notable()) return;
    entry.components.add(component);
    if (!words.is_severe()) return;
    if (entry.lines.size() < most) entry.lines.push_back(line);
    entry.hours.add(hour);
  }
  void write(Digest& digest, const Times& times) const {
    std::map<std::string_view, Entry> levels;
    for (const auto& [words, entry] : entries_) {
      const auto level = level_of(words);
      if (!level) continue;
      Entry& sum = levels[level->name];
      sum.count += entry.count;
      for (const auto& [name, count] : entry.components.by_name()) sum.components.add(name, count);
      for (const auto& [name, count] : entry.hours.by_name()) sum.hours.add(name, count);
    }
    if (levels.empty()) return;
    std::vector<Counts::Pair> order;
    for (const auto& [name, entry] : levels) order.emplace_back(name, entry.count);
    std::ranges::stable_sort(order, [](const auto& a, const auto& b) {
      const bool a_severe = is_severe(a.first);
      return a_severe != is_severe(b.first) ? a_severe : a.second > b.second;
    });
    digest.add("", "levels", written(order, order.size()));
    for (const auto& [name, count] : order) {
      write_components(digest, name, levels[name]);
    }
    for (const auto& [name, count] : order) {
      if (!times.comparable() || !is_severe(name)) continue;
      write_hours(digest, name, levels[name].hours, times.of_one_day());
    }
  }
  /// The severe lines that were kept, in the order of the text.
  [[nodiscard]] std::vector<Line> severe() const {
    std::vector<Line> lines;
    for (const auto& [words, entry] : entries_) {
      const auto level = level_of(words);
      if (level && is_severe(level->name)) {
        lines.insert(lines.end(), entry.lines.begin(), entry.lines.end());
      }
    }
    std::ranges::sort(lines, {}, &Line::number);
    return lines;
  }

  /// How many severe lines `severe` leaves out.
  [[nodiscard]] std::size_t not_kept() const {
    std::size_t count = 0;
    for (const auto& [words, entry] : entries_) {
      const auto level = level_of(words);
      if (level && is_severe(level->name)) count += entry.count - entry.lines.size();
    }
    return count;
  }

 private:
  /// Of lines with the same words. Components only of notable lines; `lines` and hours only of
  /// severe ones.
  struct Entry {
    std::size_t count = 0;
    std::vector<Line> lines{};
    Counts components, hours;
  };

  /// Whether many lines have a certain level at this place.
  [[nodiscard]] bool is_common(std::size_t slot) const {
    std::size_t all = 0;
    for (const std::size_t count : slots_) all += count;
    return slots_[slot] > 0 && slots_[slot] * kCommonSlot >= all;
  }
  // The level of a line with these words; nullopt: none. A word like "warn" is a level only at the
  // place where most lines have theirs.
  [[nodiscard]] std::optional<Level> level_of(const LevelWords& words) const {
    const bool is_usual = words.plain && std::ranges::max(slots_) == slots_[words.plain->slot];
    if (is_usual && is_common(words.plain->slot)) return words.plain;
    return words.certain && is_common(words.certain->slot) ? words.certain : std::nullopt;
  }

  static void write_components(Digest& digest, std::string_view level, const Entry& entry) {
    if (entry.components.of("") * 2 > entry.count || entry.components.size() < 2) return;
    std::vector<Counts::Pair> order = entry.components.by_count();
    for (Counts::Pair& one : order) {
      if (one.first.empty()) one.first = "(none)";
    }
    digest.add("components", std::string(level), written(order, kMostComponents));
  }

  // Writes the hours in the order of time; if there are too many, those with most lines.
  static void write_hours(Digest& digest, std::string_view level, const Counts& hours,
                          bool of_one_day) {
    std::vector<Counts::Pair> order =
        hours.size() > kMostHours ? hours.by_count() : hours.by_name();
    if (order.size() < 2 || hours.of("") > 0) return;
    if (of_one_day) {  // then the hours are enough
      for (Counts::Pair& one : order) one.first.remove_prefix(kDateBytes);
    }
    digest.add("hours", std::string(level), written(order, kMostHours));
  }

  std::array<std::size_t, kLevelSlots> slots_{};  ///< lines with a certain level, by its slot
  std::map<LevelWords, Entry> entries_;
  Entry* last_ = nullptr;  ///< in `entries_`, of `last_words_`
  LevelWords last_words_;
};

// The first word in brackets after the time stamp that is no level: "db.pool" of "[db.pool]".
std::string_view component_of(std::string_view rest) {
  for (int i = 0; i < 4; ++i) {
    std::string_view word = take_word(rest);
    if (word.ends_with(':')) word.remove_suffix(1);
    if (word.size() < 3 || !word.starts_with('[') || !word.ends_with(']')) continue;
    word = word.substr(1, word.size() - 2);
    if (is_letter(word[0]) && !find_level(word, /*from=*/0)) return word;
  }
  return {};
}

void add_patterns(const std::vector<Pattern>& patterns, Digest& digest) {
  if (patterns.empty()) return;
  digest.add("pattern_count", patterns.size());
  std::vector<std::string> shown;
  for (const Pattern& pattern : patterns) {
    if (shown.size() == kMostPatternFacts) break;
    std::string text = utf8::shortened(pattern.text, kLongestPattern);
    if (std::ranges::find(shown, text) != shown.end()) continue;
    digest.add("patterns", text, std::to_string(pattern.count));
    shown.push_back(std::move(text));
  }
}

/// Values of the words "key=value", while a key has few of them: status=200, status=500.
class Fields {
 public:
  void add(std::string_view line) {
    for (std::size_t equals = line.find('='); equals != std::string_view::npos;
         equals = line.find('=', equals + 1)) {
      std::size_t begin = equals;
      while (begin > 0 && (is_name_character(line[begin - 1]) || line[begin - 1] == '.')) --begin;
      const bool starts_word = begin == 0 || line[begin - 1] == ' ' || line[begin - 1] == '\t';
      if (begin == equals || !starts_word) continue;
      const std::string_view key = line.substr(begin, equals - begin);
      const std::size_t quote = equals + 1;
      const bool quoted = line.substr(quote).starts_with('"');
      if (const std::size_t end = quoted ? line.find('"', quote + 1) : std::string_view::npos;
          end != std::string_view::npos) {
        add(key, line.substr(quote + 1, end - quote - 1));
        equals = end;
        continue;
      }
      std::size_t end = equals;
      while (end < line.size() && !is_blank(line[end])) ++end;
      while (line[end - 1] == ',' || line[end - 1] == ';') --end;
      add(key, line.substr(equals + 1, end - equals - 1));
    }
  }
  /// `lines`: number of lines of the log. Leaves out keys that fewer than one in twenty lines have.
  void write(Digest& digest, std::size_t lines) const {
    for (const Field& field : fields_) {
      if (field.values.empty() || field.count * 20 < lines) continue;
      auto order = field.values;
      std::ranges::stable_sort(order,
                               [](const auto& a, const auto& b) { return a.second > b.second; });
      json::Writer writer;
      writer.begin_object();
      for (const auto& [value, count] : order) writer.member(value, count);
      digest.add("fields", std::string(field.key), std::move(writer.end_object()).finish().str());
    }
  }

 private:
  struct Field {
    std::string_view key;
    std::size_t count = 0;  ///< how often it occurs; 0: it has too many values
    std::vector<std::pair<std::string_view, std::size_t>> values;  ///< with their counts
  };
  static constexpr std::size_t kMostFields = 16;
  static constexpr std::size_t kMostValues = 10;
  static constexpr std::size_t kLongestValue = 40;

  void add(std::string_view key, std::string_view value) {
    auto field = std::ranges::find(fields_, key, &Field::key);
    if (field == fields_.end()) {
      if (fields_.size() == kMostFields) return;
      fields_.push_back({key, 0, {}});
      field = fields_.end() - 1;
      if (value.size() <= kLongestValue) field->count = 1, field->values = {{value, 1}};
      return;
    }
    if (field->count == 0) return;
    ++field->count;
    for (auto& [known, count] : field->values) {
      if (known == value) return static_cast<void>(++count);
    }
    if (field->values.size() < kMostValues && value.size() <= kLongestValue) {
      field->values.emplace_back(value, 1);
    } else {
      *field = {field->key, 0, {}};
    }
  }

  std::vector<Field> fields_;
};

/// Adds lines as rows, by priority, each line once.
class Rows {
 public:
  Rows(Digest& digest, std::size_t most) : digest_(digest), most_(most) {}
  void add(const Line& line) {
    if (is_blank(line.text) || !known_.insert(line.number).second) return;
    digest_.add_row(row_of(line), most_);
  }

 private:
  Digest& digest_;
  std::size_t most_;
  std::unordered_set<std::size_t> known_;
};

// The first line of each pattern that is rare or severe, severe patterns first.
std::vector<Line> rare_lines(const std::vector<Pattern>& patterns, std::size_t lines) {
  const std::size_t few = std::max<std::size_t>(2, lines / 200);
  std::vector<const Pattern*> rare;
  for (const Pattern& pattern : patterns) {
    if (pattern.severe || pattern.count <= few) rare.push_back(&pattern);
  }
  std::ranges::stable_sort(rare, [](const Pattern* a, const Pattern* b) {
    return a->severe != b->severe ? a->severe : a->count < b->count;
  });
  std::vector<Line> first;
  for (const Pattern* pattern : rare) first.push_back(pattern->first);
  return first;
}

// The last lines that are not blank, the last one first. `lines`: number of lines of the text.
std::vector<Line> last_lines(std::string_view text, std::size_t lines, std::size_t most) {
  std::vector<Line> last;
  std::size_t end = text.ends_with('\n') ? text.size() - 1 : text.size();
  for (std::size_t number = lines; number > 0 && last.size() < most; --number) {
    // rfind() would compare byte by byte.
    const void* const feed = memrchr(text.data(), '\n', end);
    const std::size_t begin =
        feed == nullptr
            ? 0
            : static_cast<std::size_t>(static_cast<const char*>(feed) - text.data()) + 1;
    const std::string_view line = text.substr(begin, end - begin);
    if (!is_blank(line)) {
      last.push_back({number, line.ends_with('\r') ? line.substr(0, line.size() - 1) : line});
    }
    if (begin == 0) break;
    end = begin - 1;
  }
  return last;
}

}  // namespace

void digest_log(std::string_view text, std::size_t most, Digest& digest) {
  constexpr std::size_t hour_bytes = kDateBytes + 2;
  Times times;
  Levels levels;
  Patterns patterns;
  Fields fields;
  StampFinder stamps;
  TraceReader traces;
  std::size_t lines = 0;
  each_line(text, [&](const Line& line) {
    if (is_blank(line.text)) return;
    ++lines;
    fields.add(line.text);
    const auto stamp = stamps.find(line.text);
    stamp ? traces.skip(line) : traces.read(line);
    const std::string_view time =
        stamp ? line.text.substr(stamp->begin, stamp->end - stamp->begin) : std::string_view();
    if (stamp) times.add(time, stamp->format_hash);
    LevelWords words;
    words.certain = find_level(line.text, stamp ? stamp->end : 0, &words.plain);
    const std::string_view before = stamp ? line.text.substr(0, stamp->begin) : std::string_view();
    const std::string_view after = stamp ? line.text.substr(stamp->end) : line.text;
    if (words.certain || words.plain) {
      const std::string_view component =
          words.is_notable() ? component_of(after) : std::string_view();
      levels.add(words, line, component, time.substr(0, hour_bytes), most);
    }
    patterns.add(line, trimmed(before, " [(\"<|"),
                 after.substr(std::min(after.find_first_not_of("])\">|,"), after.size())),
                 words.is_severe());
  });
  digest.head = Head::few;
  digest.columns = {"text"};
  levels.write(digest, times);
  times.write(digest);
  if (!traces.exceptions.empty()) {
    digest.add("", "exceptions", written(classes_of(traces.exceptions).by_count(), kMostClasses));
  }
  fields.write(digest, lines);
  const std::vector<Pattern> found = patterns.take();
  add_patterns(found, digest);
  Rows rows(digest, most);
  for (const Line& line : last_lines(text, digest.lines, /*most=*/1)) rows.add(line);
  for (const Line& line : outliers(found)) rows.add(line);
  for (const Line& line : rare_lines(found, lines)) rows.add(line);
  for (const Line& line : levels.severe()) rows.add(line);
  digest.left_out += levels.not_kept();
}

void add_tail(std::string_view text, std::size_t most, Digest& digest) {
  std::vector<std::size_t> known;
  for (const Row& row : digest.rows) known.push_back(row.line);
  std::ranges::sort(known);
  for (const Line& line : last_lines(text, digest.lines, most)) {
    if (std::ranges::binary_search(known, line.number)) continue;
    digest.rows.push_back(row_of(line));
    for (std::size_t i = 1; i < digest.columns.size(); ++i) digest.rows.back().cells += ",null";
    ++digest.tail_rows;
  }
}

void digest_plain(std::string_view text, std::size_t most, Digest& digest) {
  digest.head = Head::few;
  digest.columns = {"text"};
  if (digest.lines < 2) return;
  Patterns patterns;
  std::size_t lines = 0;
  each_line(text, [&](const Line& line) {
    if (is_blank(line.text)) return;
    ++lines;
    patterns.add(line, /*before=*/{}, /*after=*/line.text, /*severe=*/false);
  });
  Rows rows(digest, most);
  for (const Line& line : last_lines(text, digest.lines, kTailLines)) rows.add(line);
  constexpr std::size_t fewest_lines = 20;
  constexpr std::size_t fewest_alike = 4;  // lines of a pattern on average
  std::vector<Pattern> found = patterns.take();
  if (lines < fewest_lines || found.size() * fewest_alike > lines) return;
  add_patterns(found, digest);
  for (const Line& line : rare_lines(found, lines)) rows.add(line);
}

}  // namespace enfold::budget::text
