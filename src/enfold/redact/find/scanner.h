// SPDX-License-Identifier: Apache-2.0
// Finds secrets in texts by a policy.
#pragma once

#include "enfold/redact/find/anchors.h"
#include "enfold/redact/key_names.h"
#include "enfold/redact/redact.h"

namespace enfold::redact::detail {

class UnescapedText;

class Scanner {
 public:
  /// `policy` must outlive this object.
  explicit Scanner(const Policy& policy) : policy_(policy), prefilter_(policy) {}

  /// The secrets of a text, in order, without overlaps.
  [[nodiscard]] std::vector<Secret> find(std::string_view text) const;
  [[nodiscard]] const Prefilter& prefilter() const { return prefilter_; }
  [[nodiscard]] const Policy& policy() const { return policy_; }

 private:
  /// What may still be removed from a text before it is searched; it bounds the depth of calls.
  struct Removals {
    int escape_levels;  ///< how often escapes may be decoded
    bool hidden;        ///< false: the text has neither hidden characters nor terminal codes
    bool markers;       ///< whether markers in the middle of tokens may be removed
  };
  [[nodiscard]] std::vector<Secret> find(std::string_view text, const Removals& left) const;
  /// Searches the decoded text; the secrets have their places in the source.
  [[nodiscard]] std::vector<Secret> find_in(const UnescapedText& plain, const Removals& left) const;
  [[nodiscard]] std::vector<Secret> find_around_markers(std::string_view text, Removals left) const;

  const Policy& policy_;
  Prefilter prefilter_;
};

// One function per family of secrets. Each checks one candidate, whose anchor (anchors.h) is at
// `at`, and returns the secret there, if any. The secret may begin before or after its anchor.
// Lookbehind is limited, and text read ahead without a match is limited or not read again, so a
// scan takes linear time.

using Match = std::optional<Secret>;

[[nodiscard]] Match match_token(std::string_view text, std::size_t at);
/// The secret if the whole value is one token with a known prefix.
[[nodiscard]] Match match_whole_token(std::string_view value);
[[nodiscard]] Match match_jwt(std::string_view text, std::size_t at);
[[nodiscard]] Match match_private_key(std::string_view text, std::size_t at);
[[nodiscard]] Match match_bearer(std::string_view text, std::size_t at);
[[nodiscard]] Match match_basic(std::string_view text, std::size_t at);
[[nodiscard]] Match match_bot_token(std::string_view text, std::size_t at);
[[nodiscard]] Match match_webhook(std::string_view text, std::size_t at);
/// The password of scheme://user:password@host.
[[nodiscard]] Match match_url_password(std::string_view text, std::size_t at);

/// The password of user:password@tcp(host).
[[nodiscard]] Match match_dsn(std::string_view text, std::size_t at);
/// Tokens with a fixed mark in their middle.
[[nodiscard]] Match match_marked(std::string_view text, std::size_t at);
[[nodiscard]] Match match_discord(std::string_view text, std::size_t at);
[[nodiscard]] Match match_password_hash(std::string_view text, std::size_t at);
/// The Base64 of a whole PEM private key.
[[nodiscard]] Match match_encoded_key(std::string_view text, std::size_t at);
/// The password of `curl -u user:password`, `mysql -ppassword` and other commands.
[[nodiscard]] Match match_option(std::string_view text, std::size_t at);
/// The password in a line host:port:database:user:password.
[[nodiscard]] Match match_pgpass(std::string_view text, std::size_t at);

/// A sensitive name in a text, without its quotes.
struct NameInText {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t after = 0;  ///< after the closing quote; `end` if the name is not quoted
  SensitiveKey key;
  bool flag = false;  ///< `--name`
  bool quoted = false;
  char before = '\0';  ///< the byte in front of the name; NUL at the start of the text
};
/// The sensitive name at the candidate `at`; nullopt: there is none, or the name was checked
/// before. `names_done`: the end of the last name checked; the function moves it, so that no name
/// is checked twice.
[[nodiscard]] std::optional<NameInText> find_name(std::string_view text, std::size_t at,
                                                  const Policy& policy, std::size_t& names_done);

struct ValueInText {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool quoted = false;
};
/// The value at `at`, without its quotes.
[[nodiscard]] ValueInText read_value(std::string_view text, std::size_t at);

/// The value of `key=value`, `key: value`, `"key":"value"`, `<key>value</key>`, `--key value`.
[[nodiscard]] Match match_assignment(std::string_view text, const NameInText& name);
/// The password of `IDENTIFIED BY '…'`, in SQL.
[[nodiscard]] Match match_identified(std::string_view text, std::size_t at);
/// A value that does not directly follow the name and its `:` or `=`: in a YAML block, after
/// `value:`, as the next argument, after a blank.
[[nodiscard]] Match match_distant_value(std::string_view text, const NameInText& name);
/// Adds to `found` the secrets below a heading with this name, in CSV, Markdown or the output of a
/// database. Moves `lines_done` past the lines that it read, so that no line is read twice.
void find_cells(std::string_view text, const NameInText& name, const Policy& policy,
                std::size_t& lines_done, std::vector<Secret>& found);

[[nodiscard]] Match match_email(std::string_view text, std::size_t at);
/// Card, social security and phone numbers. `numbers_done`: the end of the last number checked.
[[nodiscard]] Match match_number(std::string_view text, std::size_t at, std::size_t& numbers_done);

}  // namespace enfold::redact::detail
