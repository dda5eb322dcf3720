// SPDX-License-Identifier: Apache-2.0
// Statistics of a long text, and its notable lines: headings of Markdown, failing lines of a log,
// the last lines.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace enfold::budget::detail {

enum class TextForm { plain, log, markdown, csv };
[[nodiscard]] std::string_view name(TextForm form);

struct Line {
  std::size_t number = 0;   ///< from 1
  std::string_view source;  ///< still escaped, without the line end
};

struct TextSurvey {
  TextForm form = TextForm::plain;
  std::size_t lines = 0;
  std::size_t failing = 0;    ///< lines with failure words
  std::string_view header;    ///< of csv: the first line
  std::vector<Line> notable;  ///< headings, or failing lines if they are few
  std::vector<Line> last;     ///< the last lines that are not empty, in order
};

/// `source` is the escaped text of a JSON string. Remembers at most `most` notable lines.
[[nodiscard]] TextSurvey survey_text(std::string_view source, std::size_t most);

}  // namespace enfold::budget::detail
