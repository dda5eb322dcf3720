// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/pattern/pattern.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <re2/re2.h>

namespace enfold::schema::detail {
namespace {

// Long names of general categories (Unicode PropertyValueAliases). RE2 does not know "LC".
constexpr std::string_view kCategories =
    " Cased_Letter=LC Close_Punctuation=Pe Combining_Mark=M Connector_Punctuation=Pc "
    "Control=Cc Currency_Symbol=Sc Dash_Punctuation=Pd Decimal_Number=Nd Enclosing_Mark=Me "
    "Final_Punctuation=Pf Format=Cf Initial_Punctuation=Pi Letter=L Letter_Number=Nl "
    "Line_Separator=Zl Lowercase_Letter=Ll Mark=M Math_Symbol=Sm Modifier_Letter=Lm "
    "Modifier_Symbol=Sk Nonspacing_Mark=Mn Number=N Open_Punctuation=Ps Other_Letter=Lo "
    "Other_Number=No Other_Punctuation=Po Other_Symbol=So Paragraph_Separator=Zp "
    "Private_Use=Co Punctuation=P Separator=Z Space_Separator=Zs Spacing_Mark=Mc Symbol=S "
    "Titlecase_Letter=Lt Uppercase_Letter=Lu cntrl=Cc digit=Nd ";

// Short names of common scripts; RE2 knows the long names.
constexpr std::string_view kScripts =
    " Arab=Arabic Armn=Armenian Beng=Bengali Cyrl=Cyrillic Deva=Devanagari Ethi=Ethiopic "
    "Geor=Georgian Grek=Greek Gujr=Gujarati Guru=Gurmukhi Hang=Hangul Hani=Han Hebr=Hebrew "
    "Hira=Hiragana Kana=Katakana Khmr=Khmer Laoo=Lao Latn=Latin Mong=Mongolian Taml=Tamil "
    "Thai=Thai Zyyy=Common ";

// The value of the name in a table " name=value … "; the name itself if the table does not have it.
std::string_view find(std::string_view table, std::string_view name) {
  const std::string entry = fmt::format(" {}=", name);
  const std::size_t at = table.find(entry);
  if (at == std::string_view::npos) return name;
  const std::size_t begin = at + entry.size();
  return table.substr(begin, table.find(' ', begin) - begin);
}

// The memory limit with which RE2 compiles up to so many instructions: a program may use a quarter
// of two thirds of the limit, at 8 bytes per instruction. The rest is for the states of the
// matcher, of which a small program needs a minimum.
std::int64_t memory_for(std::size_t instructions) {
  constexpr std::int64_t bytes_per_instruction = 48;
  constexpr std::int64_t program_header = 2048;
  return static_cast<std::int64_t>(instructions) * bytes_per_instruction + program_header;
}
// Instructions that a pattern may have for each unit of Translation::weight; `\S` needs 44.
constexpr std::uint64_t kMostPerWeight = 64;
// Instructions that a pattern of any weight may have: about 480 KiB of memory.
constexpr std::size_t kAllowedForAnyWeight = 10'000;

// Whether a name of a category or script has only characters that need no escaping.
bool is_plain_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](char c) { return is_alphanumeric(c) || c == '_'; });
}

}  // namespace

std::string shown_pattern(std::string_view pattern) { return utf8::shortened(pattern, 200); }

Result<Pattern> Pattern::compile(std::string_view ecma, std::size_t most_instructions) {
  ENFOLD_TRY(auto translated, to_re2(ecma));
  const std::size_t allowed =
      std::max<std::size_t>(translated.weight * kMostPerWeight, kAllowedForAnyWeight);
  RE2::Options options;
  options.set_max_mem(memory_for(std::min(allowed, most_instructions)));
  options.set_log_errors(false);
  options.set_never_capture(true);
  Pattern pattern;
  pattern.source_ = std::string(ecma);
  pattern.weight_ = translated.weight;
  auto compiled = std::make_shared<const RE2>(translated.re2, options);
  if (compiled->error_code() == RE2::ErrorPatternTooLarge) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("pattern \"{}\": its compiled form is too large", shown_pattern(ecma)),
                {}, "Use smaller repeats or \"maxLength\".");
  }
  if (!compiled->ok()) {
    return fail(ErrorCode::unsupported, fmt::format("pattern \"{}\": the matcher refuses it: {}",
                                                    shown_pattern(ecma), compiled->error()));
  }
  pattern.instructions_ = static_cast<std::size_t>(std::max(1, compiled->ProgramSize()));
  pattern.compiled_ = std::move(compiled);
  return pattern;
}

bool Pattern::matches(std::string_view text) const {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *compiled_);
}

std::string_view space_class(bool negated) {
  return negated ? "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"
                   "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"
                   "\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"
                 : "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}"
                   "\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
}

std::optional<std::string> property_class(std::string_view name, bool negated) {
  std::string_view value = name;
  std::string_view property = "General_Category";
  const std::size_t equals = name.find('=');
  if (equals != std::string_view::npos) {
    property = name.substr(0, equals);
    value = name.substr(equals + 1);
  }
  if (!is_plain_name(value)) return std::nullopt;
  if (equals == std::string_view::npos) {
    if (value == "Any" && !negated) return "\\x{0}-\\x{10ffff}";
    if (value == "ASCII") return std::string(negated ? "\\x{80}-\\x{10ffff}" : "\\x{0}-\\x{7f}");
    if (value == "punct") value = "P";
  }
  if (property == "General_Category" || property == "gc") {
    value = find(kCategories, value);
  } else if (property == "Script" || property == "sc") {
    value = find(kScripts, value);
  } else {
    return std::nullopt;
  }
  return fmt::format("\\{}{{{}}}", negated ? 'P' : 'p', value);
}

void append_code_point(std::string& out, std::uint32_t code_point) {
  fmt::format_to(std::back_inserter(out), "\\x{{{:x}}}", code_point);
}

}  // namespace enfold::schema::detail
