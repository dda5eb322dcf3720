// SPDX-License-Identifier: Apache-2.0
// expect: at_least() applies to numbers, texts and lists, not to dates
// names: Member<Request, &Request::since, std::
#include "enfold/server/server.h"

using namespace enfold;

struct Request {
  std::optional<std::chrono::year_month_day> since;
  static constexpr auto fields() {
    return server::fields(server::field<&Request::since>().at_least(1990));
  }
};

void offer(server::Server& server) {
  server.tool("since", "Takes a date", [](const Request&) { return server::Text{"x"}; });
}
