// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/tls.h"

#include "enfold/base/hash.h"
#include "enfold/net/endpoint.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

namespace enfold::net {
namespace {

struct FreeContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
struct FreeSession {
  void operator()(SSL* session) const { SSL_free(session); }
};
using ContextPointer = std::unique_ptr<SSL_CTX, FreeContext>;
using SessionPointer = std::unique_ptr<SSL, FreeSession>;

// The only ALPN protocol, preceded by its length.
constexpr unsigned char kHttp[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

bool is_there(const char* path) { return ::access(path, R_OK) == 0; }

// Adds the CA certificates of systems other than Debian. OpenSSL, linked into this program, looks
// only where Debian has them; other systems have them in one of these files. False: the file that
// is there cannot be loaded.
bool add_authorities_elsewhere(SSL_CTX* context) {
  constexpr std::array<const char*, 4> kFiles{"/etc/ssl/certs/ca-certificates.crt",
                                              "/etc/pki/tls/certs/ca-bundle.crt",
                                              "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"};
  const bool is_chosen = std::getenv(X509_get_default_cert_file_env()) != nullptr ||
                         std::getenv(X509_get_default_cert_dir_env()) != nullptr;
  if (is_chosen || is_there(X509_get_default_cert_file()) || is_there(X509_get_default_cert_dir()))
    return true;
  const auto* const file = std::ranges::find_if(kFiles, is_there);
  return file == kFiles.end() || SSL_CTX_load_verify_locations(context, *file, nullptr) == 1;
}

// Why the last OpenSSL call failed; empties OpenSSL's list of errors.
std::string take_tls_reason() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "the peer broke off";
  std::array<char, 160> text{};
  ERR_error_string_n(code, text.data(), text.size());
  return text.data();
}

class Session final : public TlsSession {
 public:
  explicit Session(SessionPointer session) : session_(std::move(session)) {}

  IoResult handshake() override {
    ERR_clear_error();
    const int code = SSL_do_handshake(session_.get());
    if (code == 1) return {.outcome = IoResult::Outcome::done};
    IoResult result = failed(code);
    const long verdict = SSL_get_verify_result(session_.get());
    if (result.outcome == IoResult::Outcome::broken && verdict != X509_V_OK)
      result.reason = X509_verify_cert_error_string(verdict);
    return result;
  }

  IoResult read(std::span<char> into) override {
    ERR_clear_error();
    const auto size = static_cast<int>(std::min<std::size_t>(into.size(), INT_MAX));
    const int result = SSL_read(session_.get(), into.data(), size);
    if (result > 0)
      return {.outcome = IoResult::Outcome::done, .bytes = static_cast<std::size_t>(result)};
    return failed(result);
  }

  IoResult write(std::string_view bytes) override {
    ERR_clear_error();
    const auto size = static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX));
    const int result = SSL_write(session_.get(), bytes.data(), size);
    if (result > 0)
      return {.outcome = IoResult::Outcome::done, .bytes = static_cast<std::size_t>(result)};
    return failed(result);
  }

  void close_notify() override {
    ERR_clear_error();
    if (SSL_is_init_finished(session_.get()) == 1) SSL_shutdown(session_.get());
    ERR_clear_error();
  }

 private:
  // The outcome of an OpenSSL call that returned `result` and was no success: it would block, the
  // peer has ended the stream, or the connection is broken.
  IoResult failed(int result) {
    const int error_number = errno;
    switch (SSL_get_error(session_.get(), result)) {
      case SSL_ERROR_WANT_READ:
      case SSL_ERROR_WANT_WRITE: return {};
      case SSL_ERROR_ZERO_RETURN: return {.outcome = IoResult::Outcome::ended};
      case SSL_ERROR_SYSCALL:
        return {.outcome = IoResult::Outcome::broken,
                .error_number = error_number,
                .reason = take_tls_reason()};
      default: return {.outcome = IoResult::Outcome::broken, .reason = take_tls_reason()};
    }
  }

  SessionPointer session_;
};

ContextPointer make_context(const SSL_METHOD* method) {
  ContextPointer context(SSL_CTX_new(method));
  if (!context) return context;
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  // Only ciphers with forward secrecy, as TLS 1.3 has them: without it, a private key that leaks
  // later decrypts recorded traffic.
  SSL_CTX_set_cipher_list(context.get(), "ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL:!PSK");
  // Idle sessions free their record buffers, and a write may continue from a moved buffer.
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                      SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  return context;
}

tl::unexpected<Error> tls_failure(std::string_view what, const std::string& where,
                                  std::string hint = "give a readable PEM file") {
  return fail(ErrorCode::invalid_input, fmt::format("cannot {}: {}", what, take_tls_reason()),
              where, std::move(hint));
}

// SHA-256 of the contents of the files. Called before they are loaded: if a file is replaced in
// between, the hash is that of the old contents, and is_like() later finds the difference.
std::array<std::uint8_t, 32> hash_of_files(std::initializer_list<std::string> files) {
  std::string all;
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    all.append(std::istreambuf_iterator<char>(in), {});
    all += '\0';
  }
  return sha256(all);
}

// Called by OpenSSL. A client that offers several protocols gets HTTP/1.1; one that does not offer
// HTTP/1.1 gets no protocol.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* chosen_size,
                    const unsigned char* offered, unsigned int offered_size, void*) {
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, chosen_size, kHttp, sizeof kHttp, offered, offered_size) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_NOACK;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

}  // namespace

struct TlsContext::State {
  ContextPointer context;
  std::array<std::uint8_t, 32> files_hash{};  ///< SHA-256 of the contents of the files
  bool verify = true;                         ///< TlsClientOptions::verify
};

TlsContext::TlsContext(std::unique_ptr<State> state) : state_(std::move(state)) {}
TlsContext::~TlsContext() = default;

bool TlsContext::is_like(const TlsContext& other) const {
  return state_->files_hash == other.state_->files_hash && state_->verify == other.state_->verify;
}

Result<std::shared_ptr<TlsContext>> TlsContext::server(const TlsServerFiles& files) {
  auto state = std::make_unique<State>();
  state->context = make_context(TLS_server_method());
  SSL_CTX* context = state->context.get();
  if (context == nullptr) return fail(ErrorCode::internal, "OpenSSL gives no TLS context");
  state->files_hash = hash_of_files({files.certificate_chain, files.private_key});
  ERR_clear_error();
  if (SSL_CTX_use_certificate_chain_file(context, files.certificate_chain.c_str()) != 1)
    return tls_failure("load the certificate chain", files.certificate_chain);
  const bool has_key =
      SSL_CTX_use_PrivateKey_file(context, files.private_key.c_str(), SSL_FILETYPE_PEM) == 1;
  // OpenSSL compares the key with the certificate while it loads it, if both have the same type.
  if (!has_key && ERR_GET_LIB(ERR_peek_error()) != ERR_LIB_X509)
    return tls_failure("load the private key", files.private_key);
  if (!has_key || SSL_CTX_check_private_key(context) != 1)
    return tls_failure("use the private key with this certificate", files.private_key,
                       "give the key that this certificate was made for");
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  return std::shared_ptr<TlsContext>(new TlsContext(std::move(state)));
}

Result<std::shared_ptr<TlsContext>> TlsContext::client(const TlsClientOptions& options) {
  auto state = std::make_unique<State>();
  state->context = make_context(TLS_client_method());
  state->verify = options.verify;
  SSL_CTX* context = state->context.get();
  if (context == nullptr) return fail(ErrorCode::internal, "OpenSSL gives no TLS context");
  ERR_clear_error();
  if (!options.ca_file.empty()) {
    state->files_hash = hash_of_files({options.ca_file});
    if (SSL_CTX_load_verify_locations(context, options.ca_file.c_str(), nullptr) != 1)
      return tls_failure("load the CA certificates", options.ca_file);
  } else if (SSL_CTX_set_default_verify_paths(context) != 1 ||
             !add_authorities_elsewhere(context)) {
    return tls_failure("find the CA certificates of the system", {},
                       "install them, or give a file of CA certificates");
  }
  SSL_CTX_set_verify(context, options.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  SSL_CTX_set_alpn_protos(context, kHttp, sizeof kHttp);
  return std::shared_ptr<TlsContext>(new TlsContext(std::move(state)));
}

std::unique_ptr<TlsSession> TlsContext::accept(int descriptor) const {
  SessionPointer session(SSL_new(state_->context.get()));
  if (!session || SSL_set_fd(session.get(), descriptor) != 1) return nullptr;
  SSL_set_accept_state(session.get());
  return std::make_unique<Session>(std::move(session));
}

std::unique_ptr<TlsSession> TlsContext::connect(int descriptor, const std::string& host) const {
  SessionPointer session(SSL_new(state_->context.get()));
  if (!session || SSL_set_fd(session.get(), descriptor) != 1) return nullptr;
  SSL_set_connect_state(session.get());
  if (is_numeric_address(host)) {
    X509_VERIFY_PARAM* wanted = SSL_get0_param(session.get());
    if (state_->verify && X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) != 1) return nullptr;
  } else {
    if (SSL_set_tlsext_host_name(session.get(), host.c_str()) != 1) return nullptr;
    if (state_->verify && SSL_set1_host(session.get(), host.c_str()) != 1) return nullptr;
  }
  return std::make_unique<Session>(std::move(session));
}

}  // namespace enfold::net
