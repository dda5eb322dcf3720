// SPDX-License-Identifier: Apache-2.0
// TLS 1.2 and 1.3 by OpenSSL: a context that is made once from files, and one session per
// connection. Clients check certificate and host name unless `verify` is off.
#pragma once

#include "enfold/base/result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace enfold::net {

/// The outcome of one read, write or handshake.
struct IoResult {
  /// `would_block`: try again when the descriptor is ready. `ended`: the peer sends no more.
  enum class Outcome { done, would_block, ended, broken };
  Outcome outcome = Outcome::would_block;
  std::size_t bytes = 0;  ///< read or written, if done
  int error_number = 0;  ///< if broken: the errno; 0: TLS failed, or the peer closed without notice
  std::string reason;    ///< why TLS failed; empty without TLS
};

/// TLS on one connection. The calls never block.
class TlsSession {
 public:
  virtual ~TlsSession() = default;
  [[nodiscard]] virtual IoResult handshake() = 0;  ///< done: the stream is open
  [[nodiscard]] virtual IoResult read(std::span<char> into) = 0;
  [[nodiscard]] virtual IoResult write(std::string_view bytes) = 0;
  virtual void close_notify() = 0;  ///< tells the peer that no more is sent, if that does not block
};

struct TlsServerFiles {
  std::string certificate_chain;  ///< a PEM file: the server's certificate first
  std::string private_key;        ///< a PEM file
};

struct TlsClientOptions {
  std::string ca_file;  ///< a PEM file; empty: the CA certificates of the system
  bool verify = true;   ///< off only for tests
};

/// Certificates and settings that all sessions of one server or client share.
class TlsContext {
 public:
  [[nodiscard]] static Result<std::shared_ptr<TlsContext>> server(const TlsServerFiles& files);
  [[nodiscard]] static Result<std::shared_ptr<TlsContext>> client(const TlsClientOptions& options);
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;
  ~TlsContext();

  /// Whether two clients, or two servers, have the same options and the same contents of the files.
  [[nodiscard]] bool is_like(const TlsContext& other) const;

  // The caller owns the descriptor, which must outlive the session. nullptr: OpenSSL failed.
  // `host`: the name that is sent to the server (SNI) and that its certificate must have.
  [[nodiscard]] std::unique_ptr<TlsSession> accept(int descriptor) const;
  [[nodiscard]] std::unique_ptr<TlsSession> connect(int descriptor, const std::string& host) const;

 private:
  struct State;
  explicit TlsContext(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace enfold::net
