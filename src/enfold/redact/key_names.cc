// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/key_names.h"

#include "enfold/redact/find/chars.h"

#include <algorithm>

namespace enfold::redact {
namespace {

using detail::is;
using detail::kDigit;
using detail::kLower;
using detail::kUpper;

using Words = std::vector<std::string>;

// Of longer names only the end is checked.
constexpr std::size_t kLongestName = 128;

template <std::size_t N>
bool any_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_separator(char c) {
  return c == '_' || c == '-' || c == '.' || c == ' ' || c == '/' || c == ':' || c == '$';
}

// Splits at separators and camel case; drops trailing digits: `APIKey2` gives `api`, `key`.
Words split(std::string_view name) {
  Words words;
  bool open = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (is_separator(c)) {
      open = false;
      continue;
    }
    const char next = detail::byte(name, i + 1);
    const bool hump =
        i > 0 && is(c, kUpper) &&
        (is(name[i - 1], kLower | kDigit) || (is(name[i - 1], kUpper) && is(next, kLower)));
    if (!open || hump) words.emplace_back();
    open = true;
    words.back().push_back(detail::lower(c));
  }
  while (!words.empty()) {
    std::string& last = words.back();
    while (!last.empty() && is(last.back(), kDigit)) last.pop_back();
    if (!last.empty()) break;
    words.pop_back();
  }
  return words;
}

// Words before `token`. Tokens of pagination, progress and language models are not credentials.
constexpr std::array<std::string_view, 40> kHarmlessTokens = {
    "next",    "page",   "paging",     "pagination",   "progress", "continuation", "continue",
    "sync",    "resume", "cancel",     "cancellation", "stop",     "eos",          "bos",
    "pad",     "unk",    "mask",       "sep",          "cls",      "special",      "last",
    "first",   "max",    "min",        "prev",         "previous", "start",        "end",
    "per",     "prompt", "completion", "input",        "output",   "unexpected",   "expected",
    "current", "skip",   "design",     "marker",       "invalid"};

// Words before `key` that make it a secret.
constexpr std::array<std::string_view, 34> kSecretKeyWords = {
    "api",      "apis",      "secret",     "access",      "private",   "signing", "encryption",
    "master",   "account",   "shared",     "decryption",  "service",   "admin",   "ssh",
    "auth",     "hmac",      "webhook",    "preshared",   "license",   "licence", "application",
    "app",      "session",   "deploy",     "consumer",    "developer", "server",  "subscription",
    "security", "functions", "management", "integration", "jwt",       "cipher"};

// Words before `pass` that make it a password.
constexpr std::array<std::string_view, 30> kPassWords = {
    "db",    "database", "user", "smtp",    "mail",       "email", "ftp",  "sql",
    "mysql", "pg",       "root", "redis",   "ssh",        "admin", "sudo", "become",
    "vpn",   "keystore", "ldap", "imap",    "my",         "wifi",  "bind", "login",
    "auth",  "key",      "http", "service", "truststore", "proxy"};

// Words before `password` in labels and actions: `forgot_password`, `reset_password`.
constexpr std::array<std::string_view, 30> kLabelWords = {
    "forgot", "forgotten", "forget",  "reset",    "change",  "changed", "update",    "show",
    "hide",   "toggle",    "enter",   "wrong",    "invalid", "weak",    "incorrect", "missing",
    "strong", "requires",  "require", "required", "has",     "is",      "no",        "without",
    "lost",   "use",       "allow",   "remember", "verify",  "empty"};

struct KeyEnding {
  std::string_view text;
  SensitiveKey key;
};
// Words without separators, as in `dbpassword` or `authtoken`.
constexpr std::array<KeyEnding, 21> kEndings = {{
    {"requirepass", {KeyKind::password, label::kPassword}},
    {"masterauth", {KeyKind::password, label::kPassword}},
    {"dbpass", {KeyKind::password, label::kPassword}},
    {"presharedkey", {KeyKind::secret, label::kSecretKey}},
    {"password", {KeyKind::password, label::kPassword}},
    {"passwords", {KeyKind::password, label::kPassword}},
    {"passwd", {KeyKind::password, label::kPassword}},
    {"passphrase", {KeyKind::password, label::kPassword}},
    {"passcode", {KeyKind::password, label::kPassword}},
    {"apikey", {KeyKind::secret, label::kApiKey}},
    {"apikeys", {KeyKind::secret, label::kApiKey}},
    {"secretkey", {KeyKind::secret, label::kSecretKey}},
    {"secretaccesskey", {KeyKind::secret, label::kAwsSecret}},
    {"accesskey", {KeyKind::secret, label::kSecretKey}},
    {"privatekey", {KeyKind::secret, label::kPrivateKey}},
    {"clientsecret", {KeyKind::secret, label::kSecretKey}},
    {"accesstoken", {KeyKind::token, label::kAccessToken}},
    {"refreshtoken", {KeyKind::token, label::kAccessToken}},
    {"authtoken", {KeyKind::token, label::kAccessToken}},
    {"sessiontoken", {KeyKind::token, label::kAccessToken}},
    {"bearertoken", {KeyKind::token, label::kBearerToken}},
}};

std::string_view before_last(const Words& words) {
  return words.size() > 1 ? std::string_view(words[words.size() - 2]) : std::string_view();
}

bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// `owner`: the word before `token`.
std::string_view token_label(std::string_view owner) {
  if (owner == "github" || owner == "gh") return label::kGithubToken;
  if (owner == "gitlab") return label::kGitlabToken;
  if (owner == "npm") return label::kNpmToken;
  if (owner == "slack") return label::kSlackToken;
  if (owner == "bearer") return label::kBearerToken;
  return label::kAccessToken;
}

// For names that end in `key`.
std::optional<SensitiveKey> by_key_word(const Words& words) {
  const std::string_view owner = before_last(words);
  if (!any_of(owner, kSecretKeyWords)) return std::nullopt;
  if (has(words, "secret") && (has(words, "aws") || has(words, "access"))) {
    return SensitiveKey{KeyKind::secret, label::kAwsSecret};
  }
  if (owner == "api" || owner == "apis") return SensitiveKey{KeyKind::secret, label::kApiKey};
  if (owner == "private" || owner == "ssh") {
    return SensitiveKey{KeyKind::secret, label::kPrivateKey};
  }
  return SensitiveKey{KeyKind::secret, label::kSecretKey};
}

std::optional<SensitiveKey> by_last_word(const Words& words) {
  const std::string& last = words.back();
  const std::string_view owner = before_last(words);
  if (last == "pwd") {
    return SensitiveKey{words.size() == 1 ? KeyKind::working_folder : KeyKind::password,
                        label::kPassword};
  }
  if (last == "pass" && (words.size() == 1 || any_of(owner, kPassWords))) {
    return SensitiveKey{words.size() == 1 ? KeyKind::weak : KeyKind::password, label::kPassword};
  }
  if ((last == "password" || last == "passwords") && any_of(owner, kLabelWords)) {
    return SensitiveKey{KeyKind::weak, label::kPassword};
  }
  if (last == "psk") return SensitiveKey{KeyKind::password, label::kPassword};
  if (last == "pat" && words.size() > 1) return SensitiveKey{KeyKind::token, label::kAccessToken};
  if (last == "sig" || last == "signature") {
    return SensitiveKey{KeyKind::signature, label::kSecretKey};
  }
  if (last == "base" && owner == "key" && has(words, "secret")) {
    return SensitiveKey{KeyKind::secret, label::kSecretKey};
  }
  if ((last == "hash" || last == "digest" || last == "confirmation" || last == "confirm") &&
      (owner == "password" || owner == "passwd")) {
    return SensitiveKey{KeyKind::password, label::kPassword};
  }
  if (last == "secret") return SensitiveKey{KeyKind::secret, label::kSecretKey};
  if (last == "token" && !any_of(owner, kHarmlessTokens)) {
    return SensitiveKey{KeyKind::token, token_label(owner)};
  }
  if (last == "jwt") return SensitiveKey{KeyKind::token, label::kJwt};
  if (last == "key" || last == "keys") return by_key_word(words);
  if (last == "credential" || last == "credentials") {
    return SensitiveKey{KeyKind::secret, label::kSecretKey};
  }
  if (last == "authorization") return SensitiveKey{KeyKind::authorization, label::kAccessToken};
  if (last == "auth" && (words.size() == 1 || owner == "basic" || owner == "http" ||
                         owner == "proxy" || owner == "x" || owner == "npm")) {
    return SensitiveKey{KeyKind::authorization, label::kAccessToken};
  }
  if (last == "cookie" && (words.size() == 1 || owner == "set")) {
    return SensitiveKey{KeyKind::cookie, label::kCookie};
  }
  if ((last == "pin" || last == "otp") && words.size() == 1) {
    return SensitiveKey{KeyKind::pin, label::kPassword};
  }
  return std::nullopt;
}

std::optional<SensitiveKey> by_ending(std::string_view last) {
  for (const KeyEnding& ending : kEndings) {
    if (last.ends_with(ending.text)) return ending.key;
  }
  return std::nullopt;
}

std::string join(const Words& words) {
  std::string joined;
  for (const std::string& word : words) joined += word;
  return joined;
}

std::optional<SensitiveKey> classify_personal_data(std::string_view joined) {
  if (joined == "ssn" || joined == "socialsecuritynumber") {
    return SensitiveKey{KeyKind::any, label::kSsn};
  }
  if (joined == "creditcard" || joined == "creditcardnumber" || joined == "cardnumber") {
    return SensitiveKey{KeyKind::any, label::kCreditCard};
  }
  return std::nullopt;
}

}  // namespace

std::string normal_key(std::string_view name) {
  std::string normal;
  for (const char c : name) {
    if (!is_separator(c)) normal.push_back(detail::lower(c));
  }
  return normal;
}

std::optional<SensitiveKey> classify_key(std::string_view name, const Policy& policy) {
  for (const std::string& extra : policy.extra_keys) {
    if (!extra.empty() && normal_key(extra) == normal_key(name)) {
      return SensitiveKey{KeyKind::any, label::kSecretKey};
    }
  }
  if (name.size() > kLongestName) name.remove_prefix(name.size() - kLongestName);
  const Words words = split(name);
  if (words.empty()) return std::nullopt;
  if (policy.credentials) {
    if (auto key = by_last_word(words)) return key;
    if (auto key = by_ending(words.back())) return key;
  }
  if (policy.personal_data) return classify_personal_data(join(words));
  return std::nullopt;
}

}  // namespace enfold::redact
