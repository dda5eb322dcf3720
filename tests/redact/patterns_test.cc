// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/hidden_text.h"
#include "enfold/base/text.h"
#include "enfold/redact/redact.h"
#include "tests/redact/fake_secrets.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>
#include <vector>

namespace enfold::redact {
namespace {

struct Positive {
  std::string name;
  std::string before;
  std::string secret;
  std::string after;
  std::string_view label;
};

void expect_found(const std::vector<Positive>& table, const Policy& policy) {
  for (const Positive& row : table) {
    const std::string text = row.before + row.secret + row.after;
    const auto found = find_secrets(text, policy);
    ASSERT_EQ(found.size(), 1U) << row.name << ": " << text;
    EXPECT_EQ(text.substr(found[0].begin, found[0].end - found[0].begin), row.secret) << row.name;
    EXPECT_EQ(found[0].label, row.label) << row.name;
  }
}

std::string p(std::string_view a, const std::string& b) { return std::string(a) + b; }

TEST(Patterns, find_tokens_by_their_public_prefix) {
  using fake::body;
  const std::vector<Positive> table = {
      {"github classic", "", fake::github(), "", label::kGithubToken},
      {"github oauth", "x ", p("gh", "o_" + body(36)), " y", label::kGithubToken},
      {"github user", "(", p("gh", "u_" + body(36)), ")", label::kGithubToken},
      {"github server", "[", p("gh", "s_" + body(36)), "]", label::kGithubToken},
      {"github refresh", ">", p("gh", "r_" + body(36)), "<", label::kGithubToken},
      {"github fine grained", "", p("github", "_pat_" + body(22) + "_" + body(59)), "",
       label::kGithubToken},
      {"gitlab personal", "use ", p("gl", "pat-" + body(20)), ".", label::kGitlabToken},
      {"gitlab runner", "", p("gl", "rt-" + body(20)), "", label::kGitlabToken},
      {"gitlab deploy", "", p("gl", "dt-" + body(20)), "", label::kGitlabToken},
      {"aws access key id", "id ", fake::aws_id(), "", label::kAwsAccessKey},
      {"aws temporary id", "id ", p("AS", "IA" + fake::upper(16)), ",", label::kAwsAccessKey},
      {"slack bot", "", p("xo", "xb-" + body(12) + "-" + body(24)), "", label::kSlackToken},
      {"slack user", "", p("xo", "xp-" + body(40)), "", label::kSlackToken},
      {"slack app", "", p("xa", "pp-1-" + body(40)), "", label::kSlackToken},
      {"slack webhook", "https://hooks.slack.com/services/",
       "T0" + body(8) + "/B0" + body(8) + "/" + body(24), "", label::kSlackToken},
      {"google api key", "?k=", p("AI", "za" + body(35)), "&x=1", label::kGoogleApiKey},
      {"google oauth secret", "", p("GOC", "SPX-" + body(28)), "", label::kSecretKey},
      {"google access token", "", p("ya", "29." + body(60)), "", label::kAccessToken},
      {"stripe live", "", p("sk", "_live_" + body(24)), "", label::kStripeKey},
      {"stripe test", "", p("sk", "_test_" + body(24)), "", label::kStripeKey},
      {"stripe restricted", "", p("rk", "_live_" + body(24)), "", label::kStripeKey},
      {"stripe webhook", "", p("wh", "sec_" + body(32)), "", label::kStripeKey},
      {"npm", "//registry/:x ", p("np", "m_" + body(36)), "", label::kNpmToken},
      {"openai", "", p("sk", "-" + body(48)), "", label::kApiKey},
      {"openai project", "", p("sk", "-proj-" + body(48)), "", label::kApiKey},
      {"anthropic", "", p("sk", "-ant-api03-" + body(93) + "-" + body(8)), "", label::kApiKey},
      {"router", "", p("sk", "-or-v1-" + fake::hex(64)), "", label::kApiKey},
      {"hugging face", "", p("h", "f_" + body(34)), "", label::kApiKey},
      {"groq", "", p("gs", "k_" + body(52)), "", label::kApiKey},
      {"sendgrid", "", p("S", "G." + body(22) + "." + body(43)), "", label::kApiKey},
      {"pypi", "", p("py", "pi-" + body(80)), "", label::kAccessToken},
      {"digitalocean", "", p("dop", "_v1_" + fake::hex(64)), "", label::kAccessToken},
      {"docker", "", p("dckr", "_pat_" + body(27)), "", label::kAccessToken},
      {"shopify", "", p("shp", "at_" + fake::hex(32)), "", label::kAccessToken},
      {"vault", "", p("hv", "s." + body(90)), "", label::kAccessToken},
      {"age", "", p("AGE-SECRET", "-KEY-1" + fake::upper(58)), "", label::kPrivateKey},
      {"linear", "", p("lin", "_api_" + body(40)), "", label::kApiKey},
      {"telegram bot", "bot ", "123456789" + p(":A", "A" + body(33)), "/send", label::kAccessToken},
      {"discord webhook", "https://discord.com/api/webhooks/123456789012345678/", body(68), "",
       label::kAccessToken},
      {"jwt", "got ", fake::jwt(), " back", label::kJwt},
      {"jwt after an escaped line end", "line\\n", fake::jwt(), "\\nline", label::kJwt},
      {"token after a percent escape", "q%3D", fake::github(), "%26", label::kGithubToken},
  };
  expect_found(table, {});
}

std::vector<std::uint32_t> hidden_characters() {
  std::vector<std::uint32_t> all;
  for (std::uint32_t c = 0; c <= 0x10FFFF; ++c) {
    if (is_hidden(c)) all.push_back(c);
  }
  return all;
}

// The JSON escapes of a character, with `backslashes` in front.
std::string escaped(std::uint32_t c, const std::string& backslashes) {
  if (c < 0x10000) return fmt::format("{}u{:04x}", backslashes, c);
  const std::uint32_t high = 0xD800 + ((c - 0x10000) >> 10);
  return escaped(high, backslashes) + escaped(0xDC00 + (c & 0x3FF), backslashes);
}

TEST(Patterns, find_tokens_that_any_hidden_character_splits) {
  const std::vector<std::uint32_t> all = hidden_characters();
  EXPECT_GT(all.size(), 4'000U);
  for (const std::uint32_t hidden : all) {
    std::string text;
    utf8::append(text, hidden);
    for (const std::string& between :
         {text, text + text, escaped(hidden, "\\"), escaped(hidden, "\\\\")}) {
      const std::string token = fake::github().insert(12, between);
      expect_found({{fmt::format("U+{:04X}", hidden), "x ", token, " y", label::kGithubToken}}, {});
    }
  }
}

RC_GTEST_PROP(Patterns, find_tokens_that_runs_of_hidden_characters_split, ()) {
  static const std::vector<std::uint32_t> kAll = hidden_characters();
  std::string token = fake::github();
  for (std::size_t at = token.size() - 1; at > 0; --at) {
    if (*rc::gen::inRange(0, 4) != 0) continue;
    std::string run;
    for (int n = *rc::gen::inRange(1, 50); n > 0; --n) utf8::append(run, *rc::gen::elementOf(kAll));
    token.insert(at, run);
  }
  expect_found({{"runs", "x ", token, " y", label::kGithubToken}}, {});
}

TEST(Patterns, read_long_runs_of_hidden_characters_once) {
  std::string run;
  for (int n = 0; n < 1'000'000; ++n) run += "\u200B";
  expect_found({{"long run", "x ", fake::github().insert(12, run), " y", label::kGithubToken},
                {"after a run that splits no text", "a" + run + "\n", fake::github(), "",
                 label::kGithubToken}},
               {});
}

TEST(Patterns, find_private_keys_whole) {
  expect_found(
      {
          {"rsa", "key:\n", fake::pem(), "\nrest", label::kPrivateKey},
          {"pkcs8", "", fake::pem("\n", ""), "", label::kPrivateKey},
          {"ec", "", fake::pem("\n", "EC "), "", label::kPrivateKey},
          {"openssh", "", fake::pem("\r\n", "OPENSSH "), "\r\n", label::kPrivateKey},
          {"escaped line ends", "\"k\": \"", fake::pem("\\n"), "\\n\"", label::kPrivateKey},
          {"twice escaped line ends", "", fake::pem("\\\\n"), "", label::kPrivateKey},
          {"on one line", "", fake::pem(" "), "", label::kPrivateKey},
          {"cut off", "", fake::pem().substr(0, 150), "", label::kPrivateKey},
          {"cut off, in JSON", "{\"k\":\"", fake::pem("\\n").substr(0, 150), "\",\"n\":1}",
           label::kPrivateKey},
      },
      {});
}

TEST(Patterns, find_the_value_after_a_sensitive_name) {
  using fake::body;
  const std::string aws = body(20) + "/" + body(19);
  const std::string base64 = body(30) + "+/" + body(10) + "==";
  const std::vector<Positive> table = {
      {"env", "PATH=/bin\nDB_PASSWORD=", "hunter2", "\nHOME=/root", label::kPassword},
      {"env letters only", "PASSWORD=", "correcthorse", "", label::kPassword},
      {"env with symbols", "ADMIN_PASSWORD=", "p@$$(w0rd)!", "\n", label::kPassword},
      {"env pass", "SMTP_PASS=", "blue-sky", "\n", label::kPassword},
      {"export", "export API_KEY=", "abcdef123456", "\n", label::kApiKey},
      {"env quoted", "SECRET_KEY='", "django-x1-" + body(10), "'", label::kSecretKey},
      {"env secret", "CLIENT_SECRET=", "verysecretvalue", "\n", label::kSecretKey},
      {"env in escaped text", "A=1\\nPASSWORD=", "hunter2", "\\nB=2", label::kPassword},
      {"log", "login user=joe password=", "s3cret", " ok", label::kPassword},
      {"log with comma", "user=joe, passwd=", "s3cret", ", ip=1", label::kPassword},
      {"json", "{\"password\":\"", "x", "\"}", label::kPassword},
      {"json spaced", "{\"password\" : \"", "correct horse battery staple", "\", \"a\":1}",
       label::kPassword},
      {"json camel", "{\"accessToken\":\"", "abc123def456", "\"}", label::kAccessToken},
      {"json escaped once", "{\\\"password\\\":\\\"", "hunter2", "\\\"}", label::kPassword},
      {"json escaped twice", "{\\\\\\\"password\\\\\\\":\\\\\\\"", "hunter2", "\\\\\\\"}",
       label::kPassword},
      {"json with an escaped quote", "{\"password\":\"", "hun\\\"ter2", "\"}", label::kPassword},
      {"json escaped, with a quote", "{\\\"password\\\":\\\"", "hun\\\\\\\"ter2", "\\\"}",
       label::kPassword},
      {"json with an ending backslash", "{\"password\":\"", "hunter2\\\\", "\",\"b\":\"c\"}",
       label::kPassword},
      {"json in a cut text", "{\"a\":1,\"api_key\":\"", "abc1def2", "\",\"b\":", label::kApiKey},
      {"json with an escaped name", "{\"\\u0070assword\":\"", "hunter2", "\"}", label::kPassword},
      {"json with escaped quotes", "\\u0022password\\u0022:\\u0022", "hunter2", "\\u0022",
       label::kPassword},
      {"list in json", "x {\"passwords\": [\"", "a\", \"b", "\"], \"n\": [\"c\"]}",
       label::kPassword},
      {"python dict", "{'password': '", "hunter2", "', 'a': 1}", label::kPassword},
      {"python bytes", "password=b'", "hunter2", "'", label::kPassword},
      {"php", "$config['password'] = '", "hunter2", "';", label::kPassword},
      {"ruby", ":password => \"", "hunter2", "\"", label::kPassword},
      {"yaml", "db:\n  user: joe\n  password: ", "hunter", "\n  port: 1", label::kPassword},
      {"yaml quoted", "  api-key: \"", "abc123def456", "\"\n", label::kApiKey},
      {"yaml list", "- password: ", "opensesame", "\n", label::kPassword},
      {"toml", "token = \"", "abc123def456", "\"", label::kAccessToken},
      {"ini dotted", "spring.datasource.password=", "hunter", "\n", label::kPassword},
      {"xml", "<user>joe</user><password>", "hunter2", "</password>", label::kPassword},
      {"flag with =", "run --password=", "hunter2", " --x", label::kPassword},
      {"flag", "run --api-key ", "abc123def456", " --x", label::kApiKey},
      {"query", "https://h/x?access_token=", "abc123def456", "&page=2", label::kAccessToken},
      {"form", "user=joe&password=", "hunter2", "&x=1", label::kPassword},
      {"odbc", "Server=x;Uid=joe;Pwd=", "hunter2", ";Database=y", label::kPassword},
      {"prose with a token", "Your token: ", "abc123def456", " is valid", label::kAccessToken},
      {"two words", "API key: ", "abc123def456", "", label::kApiKey},
      {"secret access key", "aws_secret_access_key = ", aws, "\n", label::kAwsSecret},
      {"secret access key, camel", "\"SecretAccessKey\": \"", aws, "\"", label::kAwsSecret},
      {"base64", "shared_key: ", base64, "\n", label::kBase64Secret},
      {"base64 in json", "{\"secret\": \"", base64, "\"}", label::kBase64Secret},
      {"telling value", "token=", fake::github(), "", label::kGithubToken},
      {"jwt as token", "id_token=", fake::jwt(), "", label::kJwt},
      {"refresh token", "refresh_token: '", "1//0e-" + body(20), "'", label::kAccessToken},
      {"client secret", "clientSecret: \"", "Zx8Qabcdefgh", "\"", label::kSecretKey},
      {"credential", "credentials=", "abc123def456", "", label::kSecretKey},
      {"private key name", "private_key = \"", "abc123def456", "\"", label::kPrivateKey},
      {"npmrc", "//registry.npmjs.org/:_authToken=", "abc123-def456", "\n", label::kAccessToken},
      {"passphrase", "passphrase: ", "Tr0ub4dor&3", "\n", label::kPassword},
      {"numbered", "password2=", "hunter2", "", label::kPassword},
      {"pin", "{\"pin\":\"", "4711", "\"}", label::kPassword},
      {"uuid as token", "token: ", "550e8400-e29b-41d4-a716-446655440000", "", label::kAccessToken},
  };
  expect_found(table, {});
}

TEST(Patterns, find_credentials_in_headers) {
  using fake::body;
  expect_found(
      {
          {"bearer", "Authorization: Bearer ", body(40), "\r\nHost: x", label::kBearerToken},
          {"bearer lower", "authorization: bearer ", body(40), "", label::kBearerToken},
          {"bearer alone", "sent Bearer ", body(32), " to it", label::kBearerToken},
          {"bearer in curl", "curl -H \"Authorization: Bearer ", body(30), "\" https://x",
           label::kBearerToken},
          {"bearer in json", "{\"Authorization\":\"Bearer ", "abc", "\"}", label::kBearerToken},
          {"basic", "Authorization: Basic ", "dXNlcjpwYXNzd29yZA==", "\r\n", label::kAccessToken},
          {"proxy", "Proxy-Authorization: Basic ", "dXNlcjpwYXNzd29yZA==", "\n",
           label::kAccessToken},
          {"api key", "X-Api-Key: ", "abc123def456", "\r\n", label::kApiKey},
          {"auth token", "X-Auth-Token: ", body(20), "\r\n", label::kAccessToken},
          {"cookie", "Cookie: ", "sid=" + body(20) + "; lang=en", "\r\nA: b", label::kCookie},
          {"set cookie", "Set-Cookie: ", "sid=" + body(20) + "; HttpOnly", "\n", label::kCookie},
      },
      {});
}

TEST(Patterns, find_the_password_of_a_url) {
  expect_found(
      {
          {"postgres", "postgres://joe:", "hunter2", "@db:5432/x", label::kConnectionString},
          {"mysql", "DSN=mysql://root:", "a%40b", "@h/x", label::kConnectionString},
          {"mongodb", "mongodb+srv://u:", "pw", "@c.example.net/?w=1", label::kConnectionString},
          {"redis without user", "redis://:", "hunter2", "@h:6379/0", label::kConnectionString},
          {"amqp", "'amqp://guest:", "guest", "@h'", label::kConnectionString},
          {"https", "git clone https://joe:", "hunter2", "@git.example.com/x.git",
           label::kConnectionString},
          {"with an at sign", "ftp://joe:", "p@ss", "@h/x", label::kConnectionString},
          {"with a slash", "postgres://joe:", "p/w#x", "@h/x", label::kConnectionString},
          {"escaped slashes", "{\"u\":\"postgres:\\/\\/joe:", "hunter2", "@h\\/x\"}",
           label::kConnectionString},
      },
      {});
}

TEST(Patterns, find_the_whole_password_of_an_option_however_long) {
  const std::string token = fake::body(5'000);
  expect_found({{"word", "curl -u joe:", token, " https://h/x", label::kPassword},
                {"quoted", "sshpass -p '", token, "' ssh h", label::kPassword},
                {"after =", "curl --user=joe:", token, "", label::kPassword}},
               {});
}

TEST(Patterns, find_personal_data_only_on_request) {
  Policy personal;
  personal.personal_data = true;
  const std::vector<Positive> table = {
      {"e-mail", "write to ", "joe.doe+x@mail.example.org", ".", label::kEmail},
      {"e-mail in brackets", "<", "a@b.io", ">", label::kEmail},
      {"ssn", "ssn ", "123-45-6789", ",", label::kSsn},
      {"card", "card ", "4111 1111 1111 1111", "", label::kCreditCard},
      {"card with dashes", "", "5500-0000-0000-0004", "", label::kCreditCard},
      {"card plain", "(", "378282246310005", ")", label::kCreditCard},
      {"phone international", "call ", "+49 30 1234567", "", label::kPhone},
      {"phone with brackets", "call ", "(212) 555-0123", " now", label::kPhone},
      {"phone with dashes", "call ", "212-555-0123", "", label::kPhone},
      {"ssn by name", "{\"ssn\":\"", "unknown to all", "\"}", label::kSsn},
  };
  expect_found(table, personal);
  for (const Positive& row : table) {
    EXPECT_TRUE(find_secrets(row.before + row.secret + row.after, {}).empty()) << row.name;
  }
}

TEST(Patterns, leave_numbers_that_are_no_personal_data) {
  Policy personal;
  personal.personal_data = true;
  for (const std::string_view text :
       {"1234567890123456", "id 4111111111111112", "2024-01-15", "192.168.100.200", "1.2.3.4",
        "550e8400-e29b-41d4-a716-446655440000", "000-12-3456", "order 20240115123456789",
        "3.14159265358979", "a@b", "@decorator", "user@host", "1700000000000", "10:20:30",
        "git@github", "v1.2.3-4567"}) {
    EXPECT_TRUE(find_secrets(text, personal).empty()) << text;
  }
}

TEST(Patterns, leave_what_is_no_secret) {
  const std::string image = fake::body(400, 3, "ABCDEFGHabcdefgh0123456789+/");
  const std::vector<std::string> table = {
      "\"token_count\": 5",
      "max_tokens: 4096",
      "tokens=12345678",
      "{\"prompt_tokens\":12,\"completion_tokens\":34}",
      "token_type: Bearer",
      "tokenizer=cl100k_base_2024",
      "\"nextPageToken\": \"CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA\"",
      "next_token=abc123def456",
      "progressToken: abc123def456",
      "author: Joe99Doe",
      "authority=example9876",
      "\"authors\": [\"joe123456\"]",
      "authenticated=true1234",
      "passwordless: enabled2024",
      "passwordless=abc123def",
      "password_policy: min-8-chars1",
      "password_reset_url=abc123def456",
      "550e8400-e29b-41d4-a716-446655440000",
      "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
      "sha256:" + fake::hex(64),
      "data:image/png;base64," + image,
      "\"data\": \"" + image + "==\"",
      "reset your password: visit the settings page",
      "Enter your password: ",
      "password: ****",
      "password=********",
      "\"password\":\"\"",
      "\"password\": null",
      "\"password\": true",
      "password=None",
      "token: <token>",
      "token=<your token>",
      "token: ${TOKEN}",
      "TOKEN=$TOKEN",
      "token: {{ token }}",
      "api_key: {{api_key}}",
      "API_KEY=your-api-key-here",
      "api_key = \"YOUR_API_KEY\"",
      "api_key=%API_KEY%",
      "password=%s",
      "secret: [hidden]",
      "password: [FILTERED]",
      "password=[REDACTED:PASSWORD]",
      "Authorization: Bearer <token>",
      "Authorization: Bearer [REDACTED:BEARER_TOKEN]",
      "Authorization: Bearer token",
      "supports bearer authentication-mechanisms",
      "postgres://user:${PASSWORD}@host/db",
      "postgres://user:[REDACTED:CONNECTION_STRING]@host/db",
      "postgres://user@host/db",
      "https://example.com:8080/path@x",
      "http://[::1]:80/x",
      "sk-learn-contrib-some-long-package-name",
      "<div class=\"sk-estimator-id-3 sk-toggleable\">",
      "sk-xxxxxxxxxxxxxxxxxxxxxxxx",
      "task-" + fake::body(30),
      "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "AKIA is a prefix",
      "npm_config_registry=https://registry.npmjs.org",
      "-----BEGIN CERTIFICATE-----\n" + fake::body(64) + "\n-----END CERTIFICATE-----",
      "-----BEGIN PUBLIC KEY-----\n" + fake::body(64) + "\n-----END PUBLIC KEY-----",
      std::string("between -----BEGIN PRIVATE") + " KEY----- and -----END PRIVATE KEY-----",
      "cursor eyJ" + fake::body(40),
      "eyJ" + fake::body(20) + ".json",
      "password = get_password()",
      "password: string;",
      "password=args.password",
      "token = next(tokens)",
      "const token = await getToken(user1, 2)",
      "token: Option<String>",
      "token::Kind2::Identifier9",
      "if (password == other_password1)",
      "def open(self, name, password=None):",
      "getpass(prompt='Password: ', stream=stream1)",
      "private_key: \"_EllipticCurvePrivateKey\"",
      "$pw_passwd = $pwob->passwd1",
      "noAuthorization = !req.headers.authorization",
      "const auth = `${encode(user1)}:${encode(pass)}`",
      "if state == 'AUTH':\n    test_seq1()",
      "Token: \"#f8f8f2\"",
      "user_pass = '%s:%s'",
      "PWD=/home/joe2/work",
      "OLDPWD=/home/joe/x1",
      "unexpected token: '}'",
      "primary_key: id_12345678",
      "public_key=abc123def456",
      "\"key\": \"abc123def456\"",
      "keyboard: qwertz105keys",
      "monkey=banana12345",
      "secret_name: prod-db-2024",
      "the secret: patience",
      "cookie: chocolate",
      "private_key: ./keys/id_rsa1.pem",
      "token: https://example.com/oauth2/token",
      "auth: 2024-01-15T10:00:00Z",
      "compass: north12345",
      "the passage=door12345",
      "Accept: application/json",
  };
  ASSERT_GE(table.size(), 60U);
  for (const std::string& text : table) {
    for (const Secret& secret : find_secrets(text, {})) {
      ADD_FAILURE() << text << " → " << text.substr(secret.begin, secret.end - secret.begin) << " "
                    << secret.label;
    }
  }
}

TEST(Patterns, find_every_secret_of_a_text_in_order) {
  const std::string text = "a " + fake::github() + " password=hunter2 " + fake::jwt() +
                           "\nredis://:pw1@h " + fake::pem() + " end";
  std::vector<std::string_view> labels;
  std::size_t last = 0;
  for (const Secret& secret : find_secrets(text, {})) {
    EXPECT_GE(secret.begin, last);
    EXPECT_LT(secret.begin, secret.end);
    last = secret.end;
    labels.push_back(secret.label);
  }
  EXPECT_THAT(labels, testing::ElementsAre(label::kGithubToken, label::kPassword, label::kJwt,
                                           label::kConnectionString, label::kPrivateKey));
}

TEST(Patterns, extra_keys_count_in_every_spelling) {
  Policy policy;
  policy.extra_keys = {"internal-code"};
  for (const std::string_view name :
       {"internal_code", "Internal-Code", "internalCode", "INTERNAL_CODE"}) {
    const std::string text = "x " + std::string(name) + "=abcd1234 y";
    EXPECT_EQ(redact_text(text, policy), "x " + std::string(name) + "=[REDACTED:SECRET_KEY] y");
    EXPECT_EQ(redact_text(text, {}), text);
  }
}

TEST(Patterns, nothing_is_looked_for_when_nothing_is_asked_for) {
  Policy policy;
  policy.credentials = false;
  EXPECT_TRUE(find_secrets("password=hunter2 " + fake::github(), policy).empty());
}

TEST(Patterns, redacted_text_reads_on) {
  EXPECT_EQ(redact_text("user=joe password=hunter2 ok", {}),
            "user=joe password=[REDACTED:PASSWORD] ok");
  EXPECT_EQ(redact_text("postgres://joe:pw@db/x", {}),
            "postgres://joe:[REDACTED:CONNECTION_STRING]@db/x");
}

}  // namespace
}  // namespace enfold::redact
