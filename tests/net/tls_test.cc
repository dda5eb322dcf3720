// SPDX-License-Identifier: Apache-2.0
// Server and client over TLS, with certificates made on the spot.
#include "enfold/net/tls.h"

#include "enfold/net/http/client.h"
#include "enfold/net/http/server.h"
#include "tests/net/running_loop.h"

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace enfold::net {
namespace {

/// A self-signed certificate for 127.0.0.1 and a key, in files that last as long as this.
class Certificate {
 public:
  explicit Certificate(EVP_PKEY* key = EVP_EC_gen("P-256")) {
    static int count = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("enfold-tls-" + std::to_string(::getpid()) + "-" + std::to_string(++count));
    std::filesystem::create_directory(folder_);
    X509* certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -60);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    X509_NAME* name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("Enfold test"), -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    X509_EXTENSION* names =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
    X509_add_ext(certificate, names, -1);
    X509_EXTENSION_free(names);
    X509_sign(certificate, key, EVP_sha256());
    std::FILE* file = std::fopen(certificate_file().c_str(), "w");
    PEM_write_X509(file, certificate);
    (void)std::fclose(file);
    file = std::fopen(key_file().c_str(), "w");
    PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
    (void)std::fclose(file);
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;
  ~Certificate() { std::filesystem::remove_all(folder_); }
  std::string certificate_file() const { return folder_ / "certificate.pem"; }
  std::string key_file() const { return folder_ / "key.pem"; }

 private:
  std::filesystem::path folder_;
};

struct Secure {
  explicit Secure(bool trusting = true, EVP_PKEY* key = EVP_EC_gen("P-256")) : certificate(key) {
    HttpServerOptions options;
    options.tls =
        TlsContext::server({certificate.certificate_file(), certificate.key_file()}).value();
    options.limits.message.max_body_bytes = std::size_t{32} << 20;
    server = HttpServer::listen(*loop, std::move(options),
                                [this](HttpRequest& request, Responder responder) {
                                  if (request.head.path() == "/stream")
                                    streams.push_back(responder.stream({200, {}, "first "}));
                                  else
                                    responder.respond({200, {}, std::move(request.body)});
                                })
                 .value();
    HttpClientOptions client_options;
    TlsClientOptions tls;
    if (trusting) tls.ca_file = certificate.certificate_file();
    client_options.tls = TlsContext::client(tls).value();
    client = std::make_unique<HttpClient>(*loop, std::move(client_options));
  }
  ClientRequest request(std::string body, const std::string& target = "/") const {
    ClientRequest one;
    one.method = "POST";
    one.url = parse_url("https://127.0.0.1:" + std::to_string(server->port()) + target).value();
    one.body = std::move(body);
    return one;
  }
  Result<ClientResponse> fetch(ClientRequest one) {
    std::optional<Result<ClientResponse>> outcome;
    const HttpCall call = client->fetch(
        std::move(one), [&](Result<ClientResponse> got) { outcome = std::move(got); });
    if (!loop.until([&] { return outcome.has_value(); }))
      return fail(ErrorCode::internal, "the test waited in vain");
    return *std::move(outcome);
  }

  Certificate certificate;
  RunningLoop loop;
  std::vector<BodyWriter> streams;
  std::unique_ptr<HttpServer> server;
  std::unique_ptr<HttpClient> client;
};

TEST(Tls, carries_small_and_large_bodies_over_one_connection) {
  Secure s;
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{20} << 20}) {
    const std::string body(size, 't');
    const auto got = s.fetch(s.request(body));
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_TRUE(got->body == body);
  }
  EXPECT_EQ(s.server->stats().accepted, 1U);
}

// Whether a client that offers only this version, and up to TLS 1.2 only this cipher, can connect.
bool accepts_cipher(Secure& s, const char* cipher, int version = TLS1_2_VERSION) {
  std::atomic<bool> done = false;
  bool connected = false;
  std::thread client([&] {
    SSL_CTX* context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(context, version);
    SSL_CTX_set_max_proto_version(context, version);
    SSL_CTX_set_cipher_list(context, cipher);
    BIO* connection = BIO_new_ssl_connect(context);
    BIO_set_conn_hostname(connection, ("127.0.0.1:" + std::to_string(s.server->port())).c_str());
    connected = BIO_do_connect(connection) == 1;
    BIO_free_all(connection);
    SSL_CTX_free(context);
    done = true;
  });
  EXPECT_TRUE(s.loop.until([&] { return done.load(); }));
  client.join();
  return connected;
}

TEST(Tls, of_version_1_2_has_only_ciphers_with_forward_secrecy_and_authentication) {
  Secure s;
  EXPECT_TRUE(accepts_cipher(s, "ECDHE-ECDSA-AES128-GCM-SHA256"));
  EXPECT_TRUE(accepts_cipher(s, "ECDHE-ECDSA-CHACHA20-POLY1305"));
  EXPECT_FALSE(accepts_cipher(s, "ECDHE-ECDSA-AES128-SHA256")) << "CBC";
  EXPECT_FALSE(accepts_cipher(s, "ECDHE-ECDSA-AES256-SHA")) << "CBC";
  // Only an RSA key can be used for an exchange without forward secrecy.
  Secure rsa(true, EVP_RSA_gen(2048));
  EXPECT_TRUE(accepts_cipher(rsa, "ECDHE-RSA-AES128-GCM-SHA256"));
  EXPECT_FALSE(accepts_cipher(rsa, "AES128-GCM-SHA256")) << "no forward secrecy";
  EXPECT_FALSE(accepts_cipher(rsa, "AES256-SHA")) << "no forward secrecy";
}

TEST(Tls, is_of_version_1_2_or_1_3) {
  Secure s;
  EXPECT_TRUE(accepts_cipher(s, "DEFAULT", TLS1_3_VERSION));
  EXPECT_TRUE(accepts_cipher(s, "DEFAULT", TLS1_2_VERSION));
  EXPECT_FALSE(accepts_cipher(s, "ALL:@SECLEVEL=0", TLS1_1_VERSION));
  EXPECT_FALSE(accepts_cipher(s, "ALL:@SECLEVEL=0", TLS1_VERSION));
}

TEST(Tls, carries_streams_and_notices_who_goes_away) {
  Secure s;
  std::string seen;
  CallEvents events;
  events.on_data = [&](std::string_view bytes) { seen += bytes; };
  std::optional<HttpCall> call = s.client->send(s.request("", "/stream"), std::move(events));
  ASSERT_TRUE(s.loop.until([&] { return seen == "first "; }));
  bool closed = false;
  s.streams[0].on_close([&] { closed = true; });
  s.streams[0].write("second");
  ASSERT_TRUE(s.loop.until([&] { return seen == "first second"; }));
  call.reset();
  EXPECT_TRUE(s.loop.until([&] { return closed; }));
}

TEST(Tls, a_new_certificate_is_shown_to_those_who_come_after_it) {
  Secure s;
  ASSERT_TRUE(s.fetch(s.request("before")));
  const Certificate other;
  s.server->renew(TlsContext::server({other.certificate_file(), other.key_file()}).value());
  EXPECT_TRUE(s.fetch(s.request("on the connection that is open")));
  HttpClientOptions options;
  options.tls = TlsContext::client({.ca_file = other.certificate_file()}).value();
  s.client = std::make_unique<HttpClient>(*s.loop, std::move(options));
  EXPECT_TRUE(s.fetch(s.request("by who trusts the new one")));
}

TEST(Tls, contexts_are_alike_when_their_files_are) {
  const Certificate one;
  const Certificate other;
  const auto of = [](const Certificate& certificate, bool verify = true) {
    return TlsContext::client({certificate.certificate_file(), verify}).value();
  };
  EXPECT_TRUE(of(one)->is_like(*of(one)));
  EXPECT_FALSE(of(one)->is_like(*of(other)));
  EXPECT_FALSE(of(one)->is_like(*of(one, false)));
  EXPECT_FALSE(of(one)->is_like(*TlsContext::client({}).value()));
  const auto before = of(one);
  std::filesystem::copy_file(other.certificate_file(), one.certificate_file(),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_FALSE(of(one)->is_like(*before)) << "the same file with other contents";
}

TEST(Tls, a_certificate_nobody_vouches_for_is_refused) {
  Secure s(false);
  const auto got = s.fetch(s.request("secret"));
  ASSERT_FALSE(got);
  EXPECT_NE(got.error().message.find("certificate"), std::string::npos) << got.error().message;
  EXPECT_EQ(s.server->stats().requests, 0U);
}

TEST(Tls, a_certificate_for_another_name_is_refused) {
  Secure s;
  ClientRequest request = s.request("secret");
  request.url.host = "localhost";
  const auto got = s.fetch(std::move(request));
  ASSERT_FALSE(got);
  EXPECT_NE(got.error().message.find("ostname mismatch"), std::string::npos) << got.error().message;
}

TEST(Tls, noise_and_plain_http_on_a_tls_port_hurt_nobody) {
  Secure s;
  for (const std::string_view noise : {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\x16\x03\x01",
                                       "0123456789012345678901234567890123456789"}) {
    RawPeer peer = RawPeer::to_port(s.server->port());
    peer.send(noise);
    peer.stop_sending();
    EXPECT_TRUE(s.loop.until([&] { return peer.has_ended(); }));
  }
  RawPeer silent = RawPeer::to_port(s.server->port());
  s.loop.settle();
  s.loop->advance(std::chrono::seconds(80));
  EXPECT_TRUE(s.loop.until([&] { return silent.has_ended(); }));
  EXPECT_TRUE(s.fetch(s.request("fine")));
}

TEST(Tls, says_which_file_is_wrong) {
  const Certificate one;
  const Certificate two;
  const auto missing = TlsContext::server({"/no/such/file.pem", one.key_file()});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().where, "/no/such/file.pem");
  const auto mismatch = TlsContext::server({one.certificate_file(), two.key_file()});
  ASSERT_FALSE(mismatch);
  EXPECT_EQ(mismatch.error().where, two.key_file());
  EXPECT_EQ(mismatch.error().hint, "give the key that this certificate was made for");
  EXPECT_FALSE(TlsContext::client({"/no/such/file.pem", true}));
}

}  // namespace
}  // namespace enfold::net
