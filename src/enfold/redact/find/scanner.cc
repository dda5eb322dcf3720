// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/find/scanner.h"

#include "enfold/redact/find/matchers.h"
#include "enfold/redact/replace/unescape.h"

#include <tuple>

namespace enfold::redact::detail {
namespace {

// JSON nested in strings up to three levels deep; deeper escapes are not decoded.
constexpr int kEscapeLevels = 3;

// One left-to-right pass over one text.
struct Pass {
  std::string_view text;
  const Policy& policy;
  std::size_t names_done = 0;
  std::size_t numbers_done = 0;

  // Keys first: they say more about a value than its shape.
  [[nodiscard]] Match match(const Candidate& candidate) {
    const auto [at, anchors] = candidate;
    Match match;
    if ((anchors & kKeywordAnchor) != 0) match = match_assignment(text, at, policy, names_done);
    if (!match && (anchors & kPrefixAnchor) != 0) match = match_token(text, at);
    if (!match && (anchors & kJwtAnchor) != 0) match = match_jwt(text, at);
    if (!match && (anchors & kPemAnchor) != 0) match = match_private_key(text, at);
    if (!match && (anchors & kUrlAnchor) != 0) match = match_url_password(text, at);
    if (!match && (anchors & kBearerAnchor) != 0) match = match_bearer(text, at);
    if (!match && (anchors & kBasicAnchor) != 0) match = match_basic(text, at);
    if (!match && (anchors & kBotAnchor) != 0) match = match_bot_token(text, at);
    if (!match && (anchors & kHookAnchor) != 0) match = match_webhook(text, at);
    if (!match && (anchors & kEmailAnchor) != 0) match = match_email(text, at);
    if (!match && (anchors & kDigitAnchor) != 0) match = match_number(text, at, numbers_done);
    return match;
  }
};

}  // namespace

std::vector<Secret> Scanner::find(std::string_view text) const { return find(text, kEscapeLevels); }

std::vector<Secret> Scanner::find(std::string_view text, int escape_levels) const {
  std::vector<Secret> found;
  Pass pass{text, policy_};
  std::size_t at = 0;
  std::size_t taken = 0;
  while (at < text.size()) {
    const Candidate candidate = prefilter_.next(text, at);
    if (candidate.at >= text.size()) break;
    if ((candidate.anchors & kNestedEscape) != 0 && escape_levels > 0 &&
        is_nested_escape(text, candidate.at)) {
      const Unescaped plain = Unescaped::nested(text);
      found = find(plain.text(), escape_levels - 1);
      for (Secret& secret : found) {
        std::tie(secret.begin, secret.end) = plain.in_source(secret.begin, secret.end);
      }
      return found;
    }
    at = candidate.at + 1;
    const Match match = pass.match(candidate);
    if (!match || match->begin < taken) continue;
    found.push_back(*match);
    at = taken = match->end;
  }
  return found;
}

}  // namespace enfold::redact::detail
