// SPDX-License-Identifier: Apache-2.0
#include "fuzz/net_peer.h"

#include <boost/beast/http/basic_parser.hpp>
#include <cstdint>
#include <limits>

namespace enfold::fuzz {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using Text = boost::beast::string_view;

template <bool isRequest>
class Peer final : public http::basic_parser<isRequest> {
 public:
  explicit Peer(HttpReading& into) : into_(into) {
    this->eager(true);
    this->header_limit(1U << 30);
    this->body_limit(std::numeric_limits<std::uint64_t>::max());
  }

 private:
  void on_request_impl(http::verb, Text method, Text target, int, error_code&) override {
    into_.method = std::string(method);
    into_.target = std::string(target);
  }
  void on_response_impl(int status, Text, int, error_code&) override { into_.status = status; }
  void on_field_impl(http::field, Text name, Text value, error_code&) override {
    if (!in_body_) into_.fields.emplace_back(std::string(name), std::string(value));
  }
  void on_header_impl(error_code&) override { in_body_ = true; }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(Text data, error_code&) override {
    into_.body.append(data.data(), data.size());
    return data.size();
  }
  void on_chunk_header_impl(std::uint64_t, Text, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, Text data, error_code&) override {
    into_.body.append(data.data(), data.size());
    return data.size();
  }
  void on_finish_impl(error_code&) override {}

  HttpReading& into_;
  bool in_body_ = false;
};

template <bool isRequest>
HttpReading read(std::string_view bytes, bool ended) {
  HttpReading reading;
  Peer<isRequest> peer(reading);
  error_code error;
  while (reading.used < bytes.size() && !peer.is_done()) {
    const std::string_view rest = bytes.substr(reading.used);
    const std::size_t used = peer.put(boost::asio::const_buffer(rest.data(), rest.size()), error);
    reading.used += used;
    if (error == http::error::need_more) break;
    if (error) {
      reading.refused = true;
      return reading;
    }
    if (used == 0) break;
  }
  if (ended && !peer.is_done() && peer.is_header_done()) {
    error = {};
    peer.put_eof(error);
    if (error) reading.refused = true;
  }
  reading.complete = peer.is_done();
  return reading;
}

}  // namespace

HttpReading read_request_with_beast(std::string_view bytes) { return read<true>(bytes, false); }

HttpReading read_response_with_beast(std::string_view bytes, bool ended) {
  return read<false>(bytes, ended);
}

}  // namespace enfold::fuzz
