// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/key_names.h"

#include "enfold/redact/find/chars.h"
#include "enfold/redact/replace/unescape.h"

#include <algorithm>

namespace enfold::redact {
namespace {

using detail::is;
using detail::kDigit;
using detail::kLower;
using detail::kUpper;

// Of names with more bytes only the end is checked.
constexpr std::size_t kLongestName = 128;

template <std::size_t N>
bool any_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr bool is_separator(char c) {
  return c == '_' || c == '-' || c == '.' || c == ' ' || c == '/' || c == ':' || c == '$';
}

// The words of a name in lower case. They are kept in fixed buffers: most names are harmless, and
// checking them must not allocate memory.
class Words {
 public:
  /// Splits at separators and camel case; drops trailing digits: `APIKey2` gives `api`, `key`. The
  /// name has at most kLongestName bytes.
  explicit Words(std::string_view name);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    const std::size_t end = index + 1 < size_ ? begins_[index + 1] : bytes_;
    return joined().substr(begins_[index], end - begins_[index]);
  }
  [[nodiscard]] std::string_view last() const { return (*this)[size_ - 1]; }
  /// Empty: there is only one word.
  [[nodiscard]] std::string_view before_last() const {
    return size_ > 1 ? (*this)[size_ - 2] : std::string_view();
  }
  [[nodiscard]] bool has(std::string_view word) const {
    for (std::size_t i = 0; i < size_; ++i) {
      if ((*this)[i] == word) return true;
    }
    return false;
  }
  /// All words without separators.
  [[nodiscard]] std::string_view joined() const { return {text_.data(), bytes_}; }

 private:
  std::array<char, kLongestName> text_;            // NOLINT: filled up to bytes_
  std::array<std::uint8_t, kLongestName> begins_;  // NOLINT: filled up to size_
  std::size_t bytes_ = 0;                          ///< of all words
  std::size_t size_ = 0;                           ///< number of words
};

Words::Words(std::string_view name) {
  bool in_word = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (is_separator(c)) {
      in_word = false;
      continue;
    }
    const char next = detail::byte(name, i + 1);
    const bool hump =
        i > 0 && is(c, kUpper) &&
        (is(name[i - 1], kLower | kDigit) || (is(name[i - 1], kUpper) && is(next, kLower)));
    if (!in_word || hump) begins_[size_++] = static_cast<std::uint8_t>(bytes_);
    in_word = true;
    text_[bytes_++] = detail::lower(c);
  }
  while (bytes_ > 0 && is(text_[bytes_ - 1], kDigit)) --bytes_;
  while (size_ > 0 && begins_[size_ - 1] >= bytes_) --size_;
}

// Words before `token` that make it harmless. Tokens of pagination, progress and language models
// are not credentials.
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
// Endings of a last word that is several words without separators: `dbpassword`, `authtoken`.
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

// The last two letters of all words that can end a sensitive name: those in kEndings and those that
// by_last_word knows.
constexpr auto kLastLetters = [] {
  std::array<std::uint32_t, 256> second_last{};  // by the last letter, a bit per letter before it
  const auto add = [&](std::string_view word) {
    const auto last = static_cast<unsigned char>(word.back());
    second_last[last] |= 1U << (word[word.size() - 2] - 'a');
  };
  for (const KeyEnding& ending : kEndings) add(ending.text);
  for (const std::string_view word :
       {"pwd",    "pass",          "password", "passwords", "psk",        "pat",          "sig",
        "base",   "signature",     "hash",     "digest",    "confirm",    "confirmation", "secret",
        "token",  "jwt",           "key",      "keys",      "credential", "credentials",  "auth",
        "cookie", "authorization", "pin",      "otp"}) {
    add(word);
  }
  return second_last;
}();

// Whether the last word may be sensitive. Only its last two letters are checked (kLastLetters).
bool may_be_sensitive(std::string_view name) {
  while (!name.empty() && (is(name.back(), kDigit) || is_separator(name.back()))) {
    name.remove_suffix(1);
  }
  if (name.size() < 2) return false;
  const auto last = static_cast<unsigned char>(detail::lower(name.back()));
  const unsigned before = static_cast<unsigned char>(detail::lower(name[name.size() - 2])) - 'a';
  return before < 26 && (kLastLetters[last] >> before & 1U) != 0;
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

// Classifies a name that ends with the word `key` or `keys`.
std::optional<SensitiveKey> by_key_word(const Words& words) {
  const std::string_view owner = words.before_last();
  if (!any_of(owner, kSecretKeyWords)) return std::nullopt;
  if (words.has("secret") && (words.has("aws") || words.has("access"))) {
    return SensitiveKey{KeyKind::secret, label::kAwsSecret};
  }
  if (owner == "api" || owner == "apis") return SensitiveKey{KeyKind::secret, label::kApiKey};
  if (owner == "private" || owner == "ssh") {
    return SensitiveKey{KeyKind::secret, label::kPrivateKey};
  }
  return SensitiveKey{KeyKind::secret, label::kSecretKey};
}

// Classifies a name by its last word and the words before.
std::optional<SensitiveKey> by_last_word(const Words& words) {
  const std::string_view last = words.last();
  const std::string_view owner = words.before_last();
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
  if (last == "base" && owner == "key" && words.has("secret")) {
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

// Classifies a name by the ending of its last word.
std::optional<SensitiveKey> by_ending(std::string_view last) {
  for (const KeyEnding& ending : kEndings) {
    if (last.ends_with(ending.text)) return ending.key;
  }
  return std::nullopt;
}

// `joined`: all words of the name, without separators.
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
  return detail::may_hide(name)
             ? classify_visible_key(detail::visible_text(std::string(name)), policy)
             : classify_visible_key(name, policy);
}

std::optional<SensitiveKey> classify_visible_key(std::string_view name, const Policy& policy) {
  for (const std::string& extra : policy.extra_keys) {
    if (!extra.empty() && normal_key(extra) == normal_key(name)) {
      return SensitiveKey{KeyKind::any, label::kSecretKey};
    }
  }
  if (name.size() > kLongestName) name.remove_prefix(name.size() - kLongestName);
  const bool credentials = policy.credentials && may_be_sensitive(name);
  if (!credentials && !policy.personal_data) return std::nullopt;
  const Words words(name);
  if (words.size() == 0) return std::nullopt;
  if (credentials) {
    if (auto key = by_last_word(words)) return key;
    if (auto key = by_ending(words.last())) return key;
  }
  if (policy.personal_data) return classify_personal_data(words.joined());
  return std::nullopt;
}

}  // namespace enfold::redact
