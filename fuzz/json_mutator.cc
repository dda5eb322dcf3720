// SPDX-License-Identifier: Apache-2.0
// Changes JSON texts by their structure, so that most inputs still get past the first byte: values
// are replaced, repeated, wrapped and joined; every fourth change is one of the engine's own.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace enfold::fuzz {
namespace {

class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}
  std::size_t below(std::size_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::size_t>((state_ >> 11) % limit);
  }
  template <std::size_t Size>
  std::string_view pick(const std::array<std::string_view, Size>& list) {
    return list[below(Size)];
  }

 private:
  std::uint64_t state_;
};

struct Span {
  std::size_t begin;
  std::size_t end;
  bool in_object;
};

// Values of a text that is more or less JSON; keys count as values, which breaks the grammar often
// enough to be useful.
std::vector<Span> find_values(std::string_view text) {
  std::vector<Span> spans;
  std::vector<std::size_t> open;
  const auto in_object = [&] { return !open.empty() && text[spans[open.back()].begin] == '{'; };
  for (std::size_t at = 0; at < text.size() && spans.size() < 256;) {
    const char c = text[at];
    if (c == '{' || c == '[') {
      spans.push_back({at, text.size(), in_object()});
      open.push_back(spans.size() - 1);
      ++at;
    } else if (c == '}' || c == ']') {
      ++at;
      if (open.empty()) continue;
      spans[open.back()].end = at;
      open.pop_back();
    } else if (c == '"') {
      const std::size_t begin = at++;
      while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
      at = std::min(at + 1, text.size());
      spans.push_back({begin, at, in_object()});
    } else if (std::strchr(" \t\r\n,:", c) != nullptr) {
      ++at;
    } else {
      const std::size_t begin = at;
      while (at < text.size() && std::strchr(" \t\r\n,:]}[{\"", text[at]) == nullptr) ++at;
      at = std::max(at, begin + 1);
      spans.push_back({begin, at, in_object()});
    }
  }
  return spans;
}

constexpr std::array<std::string_view, 27> kPieces = {"a",
                                                      "plain text beyond a block of 32.",
                                                      "\\n",
                                                      "\\\"",
                                                      "\\\\",
                                                      "\\/",
                                                      "\\b",
                                                      "\\u0041",
                                                      "\\u0000",
                                                      "\\u00e9",
                                                      "\\uD83D\\uDE00",
                                                      "\\ud800",
                                                      "\\uDC00",
                                                      "\\uD800\\uDC00",
                                                      "\\udbff\\udfff",
                                                      "\\ud7ff\\ue000",
                                                      "\\ud800\\u0041",
                                                      "\\uFFFF",
                                                      "\xC3\xA9",
                                                      "\xE2\x82\xAC",
                                                      "\xF0\x9F\x98\x80",
                                                      "\x7F",
                                                      "\xED\x9F\xBF",
                                                      "\xEF\xBF\xBF",
                                                      "\xF4\x8F\xBF\xBF",
                                                      "\xED\xA0\x80",
                                                      "\xC0\x80"};
constexpr std::array<std::string_view, 25> kIntegers = {"0",
                                                        "1",
                                                        "9",
                                                        "10",
                                                        "00",
                                                        "",
                                                        "255",
                                                        "9007199254740993",
                                                        "9223372036854775807",
                                                        "9223372036854775808",
                                                        "18446744073709551615",
                                                        "18446744073709551616",
                                                        "99999999999999999999",
                                                        "123456789012345678901234567890",
                                                        "4503599627370496",
                                                        "17976931348623157",
                                                        "22250738585072011",
                                                        "24703282292062327",
                                                        "12345678901234567890123456789",
                                                        "1234567890123456789012345678901",
                                                        "12345678901234567890123456789012",
                                                        "5",
                                                        "49406564584124654",
                                                        "179769313486231580793728971405301",
                                                        "7450580596923828125"};
constexpr std::array<std::string_view, 10> kFractions = {
    "",
    "",
    "",
    ".0",
    ".5",
    ".",
    ".000000000000000000001",
    ".4999999999999999999999999",
    ".625",
    ".10000000000000000555111512312578270211815834045410156250"};
constexpr std::array<std::string_view, 18> kExponents = {"",
                                                         "",
                                                         "",
                                                         "",
                                                         "e0",
                                                         "E1",
                                                         "e+22",
                                                         "e-22",
                                                         "e23",
                                                         "e308",
                                                         "e309",
                                                         "e-308",
                                                         "e-324",
                                                         "e-400",
                                                         "e400",
                                                         "e99999999999999999999",
                                                         "e-99999999999999999999",
                                                         "e"};
constexpr std::array<std::string_view, 8> kLiterals = {"true", "false", "null", "[]",
                                                       "{}",   "\"\"",  "nul",  "truee"};
constexpr std::array<std::string_view, 7> kSpaces = {" ", "\n", "\t", "\r", "  ", "\v", "\f"};

std::string random_string(Random& random) {
  std::string text = "\"";
  for (std::size_t left = random.below(5); left > 0; --left) text += random.pick(kPieces);
  return text + '"';
}

std::string random_number(Random& random) {
  std::string text = random.below(3) == 0 ? "-" : "";
  text += random.pick(kIntegers);
  text += random.pick(kFractions);
  text += random.pick(kExponents);
  return text;
}

std::string random_scalar(Random& random) {
  switch (random.below(4)) {
    case 0: return std::string(random.pick(kLiterals));
    case 1: return random_string(random);
    default: return random_number(random);
  }
}

std::string changed(std::string_view text, Random& random) {
  const std::vector<Span> spans = find_values(text);
  if (spans.empty()) return random_scalar(random);
  const Span at = spans[random.below(spans.size())];
  const std::string before(text.substr(0, at.begin));
  const std::string value(text.substr(at.begin, at.end - at.begin));
  const std::string after(text.substr(at.end));
  const Span other = spans[random.below(spans.size())];
  const std::string another(text.substr(other.begin, other.end - other.begin));
  const auto sibling = [&](const std::string& one) {
    return at.in_object ? random_string(random) + ":" + one : one;
  };
  switch (random.below(9)) {
    case 0: return before + random_scalar(random) + after;
    case 1: return before + another + after;
    case 2: return before + "[" + value + "]" + after;
    case 3: return before + "{" + random_string(random) + ":" + value + "}" + after;
    case 4: return before + value + "," + sibling(another) + after;
    case 5: return before + value + "," + sibling(random_scalar(random)) + after;
    case 6: return before + std::string(random.pick(kSpaces)) + value + after;
    case 7: return value;
    default: {
      if (value.front() != '"') return before + random_string(random) + after;
      const std::size_t cut = 1 + random.below(value.size());
      return before + value.substr(0, cut) + std::string(random.pick(kPieces)) +
             (cut < value.size() ? value.substr(cut) : "") + after;
    }
  }
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  enfold::fuzz::Random random(seed);
  if (random.below(4) == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string text(reinterpret_cast<const char*>(data), size);
  for (std::size_t left = 1 + random.below(3); left > 0; --left) {
    std::string next = enfold::fuzz::changed(text, random);
    if (next.size() <= max_size) text = std::move(next);
  }
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
