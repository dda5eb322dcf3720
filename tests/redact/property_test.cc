// SPDX-License-Identifier: Apache-2.0
// Over generated values: no planted secret survives, and everything else does.
#include "enfold/json/write.h"
#include "enfold/redact/redact.h"
#include "tests/redact/fake_secrets.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::redact {
namespace {

const std::vector<std::string> kPlain = {"\"hello\"",
                                         "\"\"",
                                         "\"caf\\u00e9 \\/ x\"",
                                         "\"a\\nb\\t\\\"c\\\"\"",
                                         "\"\\ud83d\\ude00\"",
                                         "\"author: Joe\"",
                                         "\"max_tokens: 4096\"",
                                         "\"https://example.com/a?b=c\"",
                                         "\"\xC3\xA4\""};

// Builds one JSON text with secrets planted in it, and remembers them.
class Plant {
 public:
  explicit Plant(int size) : size_(size) {}

  std::string root() { return "[" + object(0) + "," + object(0) + "," + value(0) + "]"; }

  std::string value(int depth) {
    const int kind = depth >= 4 ? pick(0, 6) : pick(0, 9);
    switch (kind) {
      case 0: return "null";
      case 1: return pick(0, 1) == 0 ? "true" : "-12.50e3";
      case 2:
      case 3: return plain();
      case 4: return text_with_secret();
      case 5: return nested_text();
      case 6: return escape(json::quote(secret()));
      case 7: {
        std::string items;
        for (int n = pick(0, size_); n > 0; --n) {
          items += (items.empty() ? "" : ", ") + value(depth + 1);
        }
        return "[" + items + "]";
      }
      default: return object(depth);
    }
  }

  std::vector<std::string> secrets;

 private:
  static int pick(int from, int to) { return *rc::gen::inRange(from, to + 1); }

  std::string secret() {
    const auto seed = static_cast<unsigned>(*rc::gen::inRange(100, 1'000'000));
    std::string made;
    switch (pick(0, 5)) {
      case 0: made = std::string("gh") + "p_" + fake::body(36, seed); break;
      case 1: made = std::string("xo") + "xb-" + fake::body(30, seed); break;
      case 2: made = std::string("sk") + "-" + fake::body(48, seed); break;
      case 3:
        made = std::string("ey") + "J" + fake::body(30, seed) + ".ey" + "J" +
               fake::body(30, seed + 1) + "." + fake::body(30, seed + 2);
        break;
      case 4: made = std::string("gl") + "pat-" + fake::body(20, seed); break;
      default: made = std::string("AI") + "za" + fake::body(35, seed); break;
    }
    secrets.push_back(made);
    return made;
  }

  std::string opaque() {
    secrets.push_back("s3" +
                      fake::body(14, static_cast<unsigned>(*rc::gen::inRange(100, 1'000'000))));
    return secrets.back();
  }

  static std::string plain() {
    return kPlain[static_cast<std::size_t>(pick(0, static_cast<int>(kPlain.size()) - 1))];
  }

  // Writes some of the letters as \u00XX, which changes the bytes and not the value.
  std::string escape(const std::string& quoted) {
    if (pick(0, 2) != 0) return quoted;
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string out;
    for (std::size_t i = 0; i < quoted.size(); ++i) {
      const char c = quoted[i];
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      const bool free = letter && (i == 0 || quoted[i - 1] != '\\') && i % 5 == 2;
      const auto byte = static_cast<unsigned char>(c);
      if (free && quoted.find('\\') == std::string::npos) {
        out += std::string("\\u00") + kHex[byte >> 4] + kHex[byte & 15];
      } else {
        out.push_back(c);
      }
    }
    return out;
  }

  std::string text_with_secret() {
    switch (pick(0, 6)) {
      case 0: return escape(json::quote("log: got " + secret() + " from it"));
      case 1: return escape(json::quote("user=joe password=" + opaque() + " ok"));
      case 2: return escape(json::quote("A=1\nAPI_KEY=" + opaque() + "\nB=2"));
      case 3: return escape(json::quote("Authorization: Bearer " + opaque() + "\r\nHost: x"));
      case 4: return escape(json::quote("postgres://joe:" + opaque() + "@db/x"));
      case 5: return escape(json::quote("see {\"token\": \"" + opaque() + "\", \"n\":"));
      default: return escape(json::quote("db:\n  password: " + opaque() + "\n  port: 1\n"));
    }
  }

  std::string nested_text() {
    std::string text = object(4);
    for (int n = pick(0, 2); n > 0; --n) text = json::quote(text);
    return json::quote(text);
  }

  std::string object(int depth) {
    std::string members;
    const int count = pick(0, size_);
    for (int n = 0; n < count; ++n) {
      const std::string number = std::to_string(n);
      std::string key = "\"k" + number + "\"";
      std::string inner;
      switch (pick(0, 4)) {
        case 0:
          key = escape("\"password" + number + "\"");
          inner = escape(json::quote(opaque()));
          break;
        case 1:
          key = escape("\"" + std::string(pick(0, 1) == 0 ? "accessToken" : "X-Api-Key") + number +
                       "\"");
          inner = "[" + json::quote(opaque()) + ", 7]";
          break;
        case 2:
          key = escape(json::quote(secret()));
          inner = plain();
          break;
        default: inner = depth >= 4 ? plain() : value(depth + 1); break;
      }
      members += (members.empty() ? "" : ",") + key + " : " + inner;
    }
    return "{" + members + "}";
  }

  int size_;
};

// Everything a reader can get to see: the bytes, and the text of every string at every depth.
void collect_texts(json::View value, std::string& all) {
  if (value.is_string()) {
    const std::string text = value.string();
    all += text + '\n';
    if (const auto nested = json::parse(text)) collect_texts(nested->root(), all);
  }
  for (const json::Member& member : value.is_object() ? value.members() : json::Members({})) {
    collect_texts(member.key, all);
    collect_texts(member.value, all);
  }
  if (value.is_array()) {
    for (const json::View item : value.items()) collect_texts(item, all);
  }
}

RC_GTEST_PROP(NoSecretOut, holds_for_any_value_with_planted_secrets, ()) {
  Plant plant(4);
  const std::string text = plant.root();
  const json::Value value = json::parse_own(text);
  const auto result = redact(value.view(), {});
  RC_ASSERT(result.has_value());
  RC_ASSERT(result->changed == !plant.secrets.empty());
  RC_ASSERT(result->count >= (plant.secrets.empty() ? 0U : 1U));
  const std::string raw(result->value->raw());
  RC_ASSERT(json::parse(raw).has_value());
  std::string seen = raw + '\n';
  collect_texts(result->value.view(), seen);
  for (const Finding& finding : result->findings) seen += finding.pointer + '\n';
  for (const std::string& secret : plant.secrets) {
    if (seen.find(secret) != std::string::npos) RC_LOG() << text << "\n→ " << raw << "\n";
    RC_ASSERT(seen.find(secret) == std::string::npos);
  }
  RC_ASSERT(redact(result->value.view(), {})->value->raw() == raw);
}

// The shape stays: the same members in the same order, and each plain leaf byte for byte.
void expect_same_but_strings(json::View before, json::View after) {
  RC_ASSERT(before.kind() == after.kind());
  RC_ASSERT(before.size() == after.size());
  if (before.is_object()) {
    auto it = after.members().begin();
    for (const json::Member& member : before.members()) {
      expect_same_but_strings(member.value, (*it).value);
      ++it;
    }
  } else if (before.is_array()) {
    auto it = after.items().begin();
    for (const json::View item : before.items()) {
      expect_same_but_strings(item, *it);
      ++it;
    }
  } else if (!before.is_string() ||
             std::find(kPlain.begin(), kPlain.end(), before.raw()) != kPlain.end()) {
    RC_ASSERT(before.raw() == after.raw());
  }
}

RC_GTEST_PROP(Redact, leaves_shape_and_plain_leaves_alone, ()) {
  Plant plant(4);
  const json::Value value = json::parse_own(plant.root());
  const auto result = redact(value.view(), {});
  expect_same_but_strings(value.view(), result->value.view());
}

std::string soup(bool with_bytes) {
  static const std::vector<std::string> kPieces = {"password",
                                                   "=",
                                                   ":",
                                                   " ",
                                                   "\"",
                                                   "\\\"",
                                                   "\\",
                                                   "\n",
                                                   "\\n",
                                                   "token",
                                                   "api_key",
                                                   "://",
                                                   "@",
                                                   "user",
                                                   "sk-",
                                                   "ghp_",
                                                   "AKIA",
                                                   "eyJ",
                                                   ".",
                                                   "-----BEGIN",
                                                   " PRIVATE KEY-----",
                                                   "-----END",
                                                   "Bearer ",
                                                   "Authorization",
                                                   "abc123def456ghi789",
                                                   "\\u0070",
                                                   "\\u0022",
                                                   "\\/",
                                                   "{",
                                                   "}",
                                                   "[",
                                                   "]",
                                                   "<",
                                                   ">",
                                                   "</",
                                                   "--",
                                                   "cookie",
                                                   "[REDACTED:",
                                                   "PASSWORD]",
                                                   "'",
                                                   ";",
                                                   "&",
                                                   "?",
                                                   ",",
                                                   "%3D",
                                                   "$",
                                                   "(",
                                                   ")",
                                                   "0",
                                                   "4111111111111111",
                                                   "+49",
                                                   "hooks.slack.com/services/",
                                                   "pin",
                                                   "é",
                                                   "*"};
  std::string text;
  for (int n = *rc::gen::inRange(0, 40); n > 0; --n) {
    if (with_bytes && *rc::gen::inRange(0, 4) == 0) {
      text.push_back(static_cast<char>(*rc::gen::inRange(0, 256)));
    } else {
      text += *rc::gen::elementOf(kPieces);
    }
  }
  return text;
}

RC_GTEST_PROP(Patterns, any_bytes_give_ordered_spans_within_the_text, ()) {
  Policy policy;
  policy.personal_data = true;
  policy.extra_keys = {"x", "user"};
  const std::string text = soup(true);
  std::size_t last = 0;
  for (const Secret& secret : find_secrets(text, policy)) {
    RC_ASSERT(secret.begin >= last);
    RC_ASSERT(secret.begin < secret.end);
    RC_ASSERT(secret.end <= text.size());
    last = secret.end;
  }
  (void)scrub_error_text(text);
}

RC_GTEST_PROP(Patterns, redacting_text_twice_equals_once, ()) {
  const std::string once = redact_text(soup(true), {});
  RC_ASSERT(redact_text(once, {}) == once);
}

RC_GTEST_PROP(Redact, redacting_twice_equals_once, ()) {
  const json::Value value =
      json::parse_own("{" + json::quote(soup(false)) + ":" + json::quote(soup(false)) +
                      ",\"password\":[" + json::quote(soup(false)) + "],\"text\":" +
                      json::quote("{\"a\":" + json::quote(soup(false)) + "}") + "}");
  const auto once = redact(value.view(), {});
  RC_ASSERT(once.has_value());
  RC_ASSERT(redact(once->value.view(), {})->value->raw() == once->value->raw());
}

}  // namespace
}  // namespace enfold::redact
