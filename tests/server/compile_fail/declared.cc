// SPDX-License-Identifier: Apache-2.0
// expect: success
#include "enfold/server/server.h"

using namespace enfold;

struct Request {
  int number = 0;
  static constexpr auto arguments() {
    return server::arguments(server::argument("number", &Request::number));
  }
};
struct Response {
  int number = 0;
  static constexpr auto fields() {
    return level::fields(level::field("number", &Response::number, level::Level::minimal));
  }
};

void offer(server::Server& server) {
  server.tool("declared", "Says a number again",
              [](const Request& request) { return Response{request.number}; });
}
