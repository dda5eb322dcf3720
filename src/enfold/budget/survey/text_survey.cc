// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/budget/survey/survey.h"

#include <algorithm>
#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace enfold::budget::detail {
namespace {

constexpr std::size_t kLastLines = 3;
constexpr std::size_t kLooksLikeTable = 4;  // fewer lines are no table

// Length of the escape at the start if it is a line end, \n or \u000a; else 0.
std::size_t line_end(std::string_view escape) {
  if (escape[1] == 'n') return 2;
  const bool feed = escape.starts_with("\\u000a") || escape.starts_with("\\u000A");
  return feed ? 6 : 0;
}

// Calls `visit` with every line; a line end at the end of the text begins no further line.
template <class Visit>
void each_line(std::string_view source, Visit&& visit) {
  std::size_t begin = 0;
  std::size_t number = 1;
  for (std::size_t at = source.find('\\'); at != std::string_view::npos;
       at = source.find('\\', at)) {
    const std::size_t end = line_end(source.substr(at));
    if (end > 0) {
      visit(Line{number++, source.substr(begin, at - begin)});
      begin = at + end;
    }
    at += std::max<std::size_t>(end, 2);
  }
  if (begin < source.size()) visit(Line{number, source.substr(begin)});
}

bool is_heading(std::string_view line) {
  const std::size_t marks = std::min(line.find_first_not_of('#'), line.size());
  return marks >= 1 && marks <= 6 && marks < line.size() && line[marks] == ' ';
}

std::size_t separators(std::string_view line, char separator) {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), separator));
}

// Whether all first lines without quotes have as many separators as the header, the first of them.
bool is_table(const std::vector<std::string_view>& first) {
  if (first.size() < kLooksLikeTable) return false;
  for (const char separator : {',', ';', '|'}) {
    const std::size_t wanted = separators(first[0], separator);
    if (wanted >= 1 && std::all_of(first.begin(), first.end(), [&](std::string_view line) {
          return line.find("\\\"") != std::string_view::npos ||
                 separators(line, separator) == wanted;
        })) {
      return true;
    }
  }
  return false;
}

bool begins_with_failure_word(std::string_view text) {
  static constexpr std::string_view words[] = {"error",    "fail",      "fatal", "panic",
                                               "critical", "exception", "denied"};
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) {
    return text.size() >= word.size() &&
           std::equal(word.begin(), word.end(), text.begin(),
                      [](char a, char b) { return a == static_cast<char>(b | 0x20); });
  });
}

}  // namespace

std::string_view name(TextForm form) {
  switch (form) {
    case TextForm::plain: return "text";
    case TextForm::log: return "log";
    case TextForm::markdown: return "markdown";
    case TextForm::csv: return "csv";
  }
  return "text";
}

TextSurvey survey_text(std::string_view source, std::size_t most) {
  TextSurvey survey;
  std::vector<std::string_view> first;
  std::vector<Line> headings;
  std::vector<Line> failing;
  std::size_t heading_count = 0;
  bool fenced = false;  // inside a code block
  each_line(source, [&](const Line& line) {
    ++survey.lines;
    if (line.source.empty()) return;
    if (first.size() < 12) first.push_back(line.source);
    if (line.source.starts_with("```")) fenced = !fenced;
    if (!fenced && is_heading(line.source)) {
      ++heading_count;
      if (headings.size() < most) headings.push_back(line);
    }
    if (has_failure_word(line.source)) {
      ++survey.failing;
      if (failing.size() < most) failing.push_back(line);
    }
    if (survey.last.size() == kLastLines) survey.last.erase(survey.last.begin());
    survey.last.push_back(line);
  });
  if (survey.lines < 2) {
    survey.last.clear();
    return survey;
  }
  if (is_table(first)) {
    survey.form = TextForm::csv;
    survey.header = first[0];
  } else if (heading_count >= 2) {
    survey.form = TextForm::markdown;
    survey.notable = std::move(headings);
    return survey;
  } else if (survey.failing > 0) {
    survey.form = TextForm::log;
  }
  // If more than a quarter of the lines contain failure words, they are not notable.
  if (survey.failing * 4 <= survey.lines) survey.notable = std::move(failing);
  return survey;
}

bool has_failure_word(std::string_view text) {
  std::size_t at = 0;
#if defined(__SSE2__)
  // Checks sixteen positions at a time for the first two letters of the words.
  const auto lower = [&](std::size_t place) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + place));
    return _mm_or_si128(bytes, _mm_set1_epi8(0x20));
  };
  const auto are = [](__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
  for (bool last = text.size() < 17; !last;) {
    if (at + 17 >= text.size()) at = text.size() - 17, last = true;
    const __m128i first = lower(at);
    const __m128i second = lower(at + 1);
    const __m128i r = are(second, 'r');
    const __m128i er_ex = _mm_and_si128(are(first, 'e'), _mm_or_si128(r, are(second, 'x')));
    const __m128i fa_pa =
        _mm_and_si128(_mm_or_si128(are(first, 'f'), are(first, 'p')), are(second, 'a'));
    const __m128i cr = _mm_and_si128(are(first, 'c'), r);
    const __m128i de = _mm_and_si128(are(first, 'd'), are(second, 'e'));
    const __m128i any = _mm_or_si128(_mm_or_si128(er_ex, fa_pa), _mm_or_si128(cr, de));
    for (auto places = static_cast<unsigned>(_mm_movemask_epi8(any)); places != 0;
         places &= places - 1) {
      if (begins_with_failure_word(
              text.substr(at + static_cast<std::size_t>(std::countr_zero(places))))) {
        return true;
      }
    }
    at += 16;
  }
#endif
  for (; at + 4 <= text.size(); ++at) {
    if (begins_with_failure_word(text.substr(at))) return true;
  }
  return false;
}

bool is_opaque(std::string_view source) {
  if (source.starts_with("http://") || source.starts_with("https://")) return true;
  if (source.size() < 16 || source.size() > 512) return false;
  std::size_t digits = 0;
  for (const char c : source) {
    if (!is_alphanumeric(c) && c != '_' && c != '-') return false;
    digits += is_digit(c) ? 1 : 0;
  }
  return digits * 10 >= source.size() * 3;
}

}  // namespace enfold::budget::detail
