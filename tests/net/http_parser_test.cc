// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/parser.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>
#include <vector>

namespace enfold::net {
namespace {

constexpr HttpLimits kLimits{};

int status_of_request(std::string_view bytes, HttpHead& head) {
  const HeadOutcome outcome = parse_request_head(bytes, kLimits, head);
  if (outcome.fault) return outcome.fault->status;
  if (outcome.head_bytes > 0) return 200;
  HeadScanner scanner;
  const HeadOutcome found = scanner.find_end(bytes, kLimits);
  EXPECT_EQ(found.head_bytes, 0U) << "the parser and the scanner disagree about the end";
  return found.fault ? found.fault->status : 0;
}

std::string with(std::string_view fields) {
  return "POST /mcp HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + "\r\n";
}

TEST(HttpParser, takes_every_token_character_anywhere_in_a_name) {
  for (const std::size_t size : {1U, 15U, 16U, 17U, 40U}) {
    for (std::size_t at = 0; at < size; ++at) {
      for (int c = 0; c < 256; ++c) {
        std::string name(size, 'x');
        name[at] = static_cast<char>(c);
        if (c == ':' || (at == 0 && c == '\r')) continue;  // it ends the name, or the head
        HttpHead head;
        const bool is_taken = status_of_request(with(name + ": a\r\n"), head) == 200;
        ASSERT_EQ(is_taken, is_token_character(static_cast<char>(c))) << c << " at " << at;
        if (!is_taken) continue;
        ASSERT_EQ(head.field(1).name, name);
      }
    }
  }
}

TEST(HttpParser, takes_or_refuses_requests) {
  struct Case {
    const char* name;
    std::string bytes;
    int want;  ///< 200: taken, 0: not complete yet
  };
  const std::vector<Case> cases = {
      {"plain", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200},
      {"no fields in 1.0", "GET / HTTP/1.0\r\n\r\n", 200},
      {"absolute target", "GET http://a/b HTTP/1.1\r\nHost: a\r\n\r\n", 200},
      {"asterisk for OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 200},
      {"bytes above ASCII in a value", with("X: caf\xC3\xA9\r\n"), 200},
      {"tab in a value", with("X: a\tb\r\n"), 200},
      {"empty value", with("X:\r\n"), 200},
      {"incomplete", "GET / HTTP/1.1\r\nHost: a\r\n", 0},
      {"asterisk for GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"authority as target", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"control in the target", "GET /a\x01 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"bytes above ASCII in the target", "GET /\xC3\xA9 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"method is no token", "GE(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"version 0.9", "GET /\r\n\r\n", 400},
      {"version 2", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505},
      {"version 1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505},
      {"small letters", "GET / http/1.1\r\nHost: a\r\n\r\n", 400},
      {"no Host", "GET / HTTP/1.1\r\n\r\n", 400},
      {"two Hosts", with("Host: b\r\n"), 400},
      {"bare line feed", "GET / HTTP/1.1\nHost: a\n\n", 400},
      {"bare line feed in a field", with("X: a\nY: b\r\n"), 400},
      {"bare carriage return", with("X: a\rY: b\r\n"), 400},
      {"NUL in a value", with(std::string("X: a\0b\r\n", 8)), 400},
      {"folded line", with("X: a\r\n b\r\n"), 400},
      {"space before the colon", with("X : a\r\n"), 400},
      {"no colon", with("X\r\n"), 400},
      {"no name", with(": a\r\n"), 400},
      {"length", with("Content-Length: 5\r\n"), 200},
      {"length 0", with("Content-Length: 0\r\n"), 200},
      {"negative length", with("Content-Length: -5\r\n"), 400},
      {"length with a sign", with("Content-Length: +5\r\n"), 400},
      {"hexadecimal length", with("Content-Length: 0x5\r\n"), 400},
      {"list of lengths", with("Content-Length: 5, 5\r\n"), 400},
      {"two equal lengths", with("Content-Length: 5\r\nContent-Length: 5\r\n"), 400},
      {"length beyond 64 bits", with("Content-Length: 18446744073709551617\r\n"), 400},
      {"empty length", with("Content-Length:\r\n"), 400},
      {"chunked", with("Transfer-Encoding: Chunked\r\n"), 200},
      {"chunked and length", with("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"), 400},
      {"gzip, chunked", with("Transfer-Encoding: gzip, chunked\r\n"), 501},
      {"chunked, identity", with("Transfer-Encoding: chunked, identity\r\n"), 501},
      {"xchunked", with("Transfer-Encoding: xchunked\r\n"), 501},
      {"vertical tab before chunked",
       with("Transfer-Encoding: \x0B"
            "chunked\r\n"),
       400},
      {"chunked twice", with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400},
      {"chunked in 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"expectation", with("Expect: 100-Continue\r\n"), 200},
      {"unknown expectation", with("Expect: tea\r\n"), 417},
      {"many fields", with([] {
         std::string fields;
         for (int i = 0; i < 99; ++i) fields += "X: 1\r\n";
         return fields;
       }()),
       200},
      {"too many fields", with([] {
         std::string fields;
         for (int i = 0; i < 100; ++i) fields += "X: 1\r\n";
         return fields;
       }()),
       431},
      {"long head", with("X: " + std::string(32'000, 'x') + "\r\n"), 200},
      {"too long a head", with("X: " + std::string(40'000, 'x') + "\r\n"), 431},
      {"too long a line without an end", "GET /" + std::string(40'000, 'x'), 431},
  };
  for (const Case& c : cases) {
    HttpHead head;
    EXPECT_EQ(status_of_request(c.bytes, head), c.want) << c.name;
  }
}

TEST(HttpParser, gives_the_parts_of_a_request) {
  HttpHead head;
  ASSERT_EQ(status_of_request("POST /mcp/x?a=1&b HTTP/1.1\r\nHost: h:80\r\nX-One:  a b \t\r\n"
                              "x-one: second\r\nContent-Length: 12\r\nConnection: x, Close\r\n\r\n",
                              head),
            200);
  EXPECT_EQ(head.method(), "POST");
  EXPECT_EQ(head.target(), "/mcp/x?a=1&b");
  EXPECT_EQ(head.path(), "/mcp/x");

  EXPECT_EQ(head.authority(), "h:80");
  EXPECT_EQ(head.find("X-ONE"), "a b");
  EXPECT_EQ(head.find("missing"), std::nullopt);
  EXPECT_EQ(head.field_count(), 5U);
  EXPECT_EQ(head.field(2).value, "second");
  EXPECT_EQ(head.body_kind(), BodyKind::length);
  EXPECT_EQ(head.content_length(), 12U);
  EXPECT_FALSE(head.keeps_alive());
}

TEST(HttpParser, an_absolute_target_counts_more_than_the_host_field) {
  HttpHead head;
  ASSERT_EQ(status_of_request("GET HTTP://b:81?q HTTP/1.1\r\nHost: a\r\n\r\n", head), 200);
  EXPECT_EQ(head.authority(), "b:81");
  EXPECT_EQ(head.path(), "/");
}

TEST(HttpParser, a_token_with_the_weight_0_is_not_in_a_list) {
  for (const char* list :
       {"gzip", "br, GZIP", "br;q=1 , gzip ;q=0.001", "gzip;q=0.5", "gzip;x=0", "gzip;q=0, gzip"}) {
    EXPECT_TRUE(has_token(list, "gzip")) << list;
  }
  for (const char* list :
       {"", "br", "gzip;q=0", "br, gzip ; q=0.000", "gzip;x=1;Q=0.", "gzipped"}) {
    EXPECT_FALSE(has_token(list, "gzip")) << list;
  }
}

TEST(HttpParser, heads_are_values_that_can_be_copied_and_moved) {
  HttpHead head;
  ASSERT_EQ(status_of_request(with("X: y\r\n"), head), 200);
  HttpHead copy = head;
  const HttpHead moved = std::move(head);
  ASSERT_EQ(status_of_request("GET /other HTTP/1.1\r\nHost: b\r\n\r\n", copy), 200);
  EXPECT_EQ(moved.find("x"), "y");
  EXPECT_EQ(copy.find("x"), std::nullopt);
}

TEST(HttpParser, takes_or_refuses_responses_and_frames_them) {
  struct Case {
    const char* name;
    std::string bytes;
    bool answers_head;
    bool taken;
    BodyKind kind;
    bool keeps_alive;
  };
  using enum BodyKind;
  const std::vector<Case> cases = {
      {"length", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", false, true, length, true},
      {"no reason", "HTTP/1.1 200\r\nContent-Length: 3\r\n\r\n", false, true, length, true},
      {"empty", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false, true, none, true},
      {"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", false, true, chunked,
       true},
      {"until close", "HTTP/1.1 200 OK\r\n\r\n", false, true, until_close, false},
      {"204", "HTTP/1.1 204 No Content\r\n\r\n", false, true, none, true},
      {"304 with a length", "HTTP/1.1 304 X\r\nContent-Length: 9\r\n\r\n", false, true, none, true},
      {"for HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", true, true, none, true},
      {"close", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n", false, true,
       length, false},
      {"1.0", "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\n", false, true, length, false},
      {"status of two digits", "HTTP/1.1 20 OK\r\n\r\n", false, false, none, false},
      {"status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", false, false, none, false},
      {"status 600", "HTTP/1.1 600 OK\r\n\r\n", false, false, none, false},
      {"not HTTP", "SSH-2.0-OpenSSH_9.2\r\n\r\n", false, false, none, false},
      {"both framings",
       "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", false, false,
       none, false},
      {"gzip coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", false, false, none,
       false},
  };
  for (const Case& c : cases) {
    HttpHead head;
    const HeadOutcome outcome = parse_response_head(c.bytes, kLimits, c.answers_head, head);
    const auto fault = outcome.fault;
    EXPECT_EQ(outcome.head_bytes, fault ? 0 : c.bytes.size()) << c.name;
    EXPECT_EQ(!fault, c.taken) << c.name;
    if (fault) continue;
    EXPECT_EQ(head.body_kind(), c.kind) << c.name;
    EXPECT_EQ(head.keeps_alive(), c.keeps_alive) << c.name;
  }
}

struct Decoded {
  std::string body;
  std::size_t used = 0;
  int fault = 0;
  bool done = false;
  friend bool operator==(const Decoded&, const Decoded&) = default;
};

HttpHead chunked_head() {
  HttpHead head;
  EXPECT_EQ(status_of_request(with("Transfer-Encoding: chunked\r\n"), head), 200);
  return head;
}

Decoded decode(BodyDecoder decoder, std::string_view bytes, std::size_t piece) {
  Decoded result;
  while (result.used < bytes.size() && !decoder.is_done()) {
    const BodyDecoder::Step step = decoder.next(bytes.substr(result.used, piece));
    result.used += step.used;
    result.body += step.data;
    if (step.fault) {
      result.fault = step.fault->status;
      return result;
    }
  }
  result.done = decoder.is_done();
  return result;
}

TEST(BodyDecoder, takes_chunks_apart_or_refuses_them) {
  struct Case {
    const char* name;
    std::string bytes;
    std::string body;
    bool done;
    int fault;
  };
  const std::vector<Case> cases = {
      {"one chunk", "3\r\nabc\r\n0\r\n\r\n", "abc", true, 0},
      {"two chunks", "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n", "abc0123456789", true, 0},
      {"nothing", "0\r\n\r\n", "", true, 0},
      {"leading zeros", "0003\r\nabc\r\n000\r\n\r\n", "abc", true, 0},
      {"extension", "3;a=\"b\"\r\nabc\r\n0;x\r\n\r\n", "abc", true, 0},
      {"trailers", "0\r\nA: b\r\nC: d\r\n\r\n", "", true, 0},
      {"what follows is not touched", "0\r\n\r\nGET /", "", true, 0},
      {"not yet whole", "3\r\nab", "ab", false, 0},
      {"no size", "\r\nabc", "", false, 400},
      {"not hexadecimal", "3g\r\nabc", "", false, 400},
      {"sign", "-3\r\nabc", "", false, 400},
      {"0x", "0x3\r\nabc", "", false, 400},
      {"size without CR", "3\nabc\r\n", "", false, 400},
      {"size without LF", "3\rabc\r\n", "", false, 400},
      {"LF in an extension", "3;a\nabc\r\n0\r\n\r\n", "", false, 400},
      {"data longer than said", "3\r\nabcd\r\n", "abc", false, 400},
      {"data without CR", "3\r\nabc\n0\r\n\r\n", "abc", false, 400},
      {"sixteen digits", "1000000000000000\r\n", "", false, 400},
      {"endless extension", "3;" + std::string(5000, 'x'), "", false, 400},
      {"endless trailers", "0\r\n" + std::string(9000, 'x'), "", false, 431},
      {"trailer without a colon", "0\r\nA\r\n\r\n", "", false, 400},
      {"folded trailer", "0\r\nA: b\r\n c\r\n\r\n", "", false, 400},
      {"LF in the trailers", "0\r\nA: b\n\r\n", "", false, 400},
      {"last line without LF", "0\r\n\rX", "", false, 400},
  };
  for (const Case& c : cases)
    for (const std::size_t piece :
         {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{100'000}}) {
      const Decoded got = decode(BodyDecoder(chunked_head()), c.bytes, piece);
      EXPECT_EQ(got.body, c.body) << c.name;
      EXPECT_EQ(got.done, c.done) << c.name;
      EXPECT_EQ(got.fault, c.fault) << c.name;
      if (c.name == std::string_view("what follows is not touched")) {
        EXPECT_EQ(got.used, 5U);
      }
    }
}

TEST(BodyDecoder, counts_a_body_of_known_length) {
  HttpHead head;
  ASSERT_EQ(status_of_request(with("Content-Length: 4\r\n"), head), 200);
  const Decoded got = decode(BodyDecoder(head), "abcdNEXT", 3);
  EXPECT_EQ(got.body, "abcd");
  EXPECT_EQ(got.used, 4U);
  EXPECT_TRUE(got.done);
}

RC_GTEST_PROP(BodyDecoder, gives_back_what_was_put_into_chunks_however_it_is_cut,
              (const std::vector<std::string>& pieces, std::uint8_t cut)) {
  std::string wire;
  std::string body;
  for (const std::string& piece : pieces) {
    if (piece.empty()) continue;
    char size[20];
    (void)std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
    wire += size + piece + "\r\n";
    body += piece;
  }
  wire += "0\r\n\r\n";
  const Decoded got = decode(BodyDecoder(chunked_head()), wire + "rest", cut % 9 + std::size_t{1});
  RC_ASSERT(got == (Decoded{body, wire.size(), 0, true}));
}

TEST(HeadScanner, finds_the_same_end_byte_by_byte_as_at_once) {
  const std::string bytes = with("A: b\r\n") + "body\r\n\r\n";
  const std::size_t end = bytes.find("body");
  HeadScanner at_once;
  EXPECT_EQ(at_once.find_end(bytes, kLimits).head_bytes, end);
  HeadScanner slowly;
  for (std::size_t size = 1; size < end; ++size)
    ASSERT_EQ(slowly.find_end(std::string_view(bytes).substr(0, size), kLimits).head_bytes, 0U);
  EXPECT_EQ(slowly.find_end(std::string_view(bytes).substr(0, end), kLimits).head_bytes, end);
}

}  // namespace
}  // namespace enfold::net
