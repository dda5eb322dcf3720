// SPDX-License-Identifier: Apache-2.0
// Reads the requests of one connection to a server, one after the other: head, then body. Refuses
// what the limits of the server do not allow.
#pragma once

#include "enfold/net/http/parser.h"
#include "enfold/net/http/server.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace enfold::net::detail {

class RequestReader {
 public:
  explicit RequestReader(ServerCore& core) : core_(core) {}

  /// What came of some bytes. None of request, refusal and answer: more bytes are needed.
  struct Step {
    std::size_t used = 0;
    const HttpHead* head = nullptr;        ///< when it is complete with this step
    HttpRequest* request = nullptr;        ///< complete; valid as long as this step
    std::optional<HttpFault> fault{};      ///< the request is refused
    std::optional<HttpResponse> answer{};  ///< its head is answered without reading its body
    bool wants_continue = false;           ///< the client waits for "100 Continue"
    bool made_progress = false;            ///< enough for a new deadline
    std::unique_ptr<HttpRequest> owned{};  ///< what `request` points to, if its body came in parts
  };
  [[nodiscard]] Step read(std::string_view bytes);

  /// Forgets a request whose body is incomplete.
  void discard();

  [[nodiscard]] bool is_inside_head() const { return head_started_; }
  [[nodiscard]] bool is_inside_body() const { return partial_ != nullptr; }

 private:
  [[nodiscard]] Step read_head(std::string_view bytes);
  [[nodiscard]] Step start_request(HttpRequest& request, std::string_view rest, Step step);
  [[nodiscard]] Step read_body(std::string_view bytes);
  [[nodiscard]] std::optional<HttpFault> append(std::string_view data);

  ServerCore& core_;
  std::unique_ptr<HttpRequest> partial_;  ///< while its body is on the way
  BodyDecoder decoder_;
  HeadScanner scanner_;
  std::size_t progress_ = 0;  ///< bytes of a body since the deadline was last moved
  bool head_started_ = false;
};

}  // namespace enfold::net::detail
