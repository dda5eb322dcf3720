// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/detail/date_line.h"

#include <chrono>
#include <ctime>
#include <fmt/chrono.h>

namespace enfold::net::detail {

void DateLine::renew(TimePoint now) {
  const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  text_ = fmt::format("Date: {:%a, %d %b %Y %H:%M:%S} GMT\r\n", fmt::gmtime(time));
  until_ = now + std::chrono::seconds(1);
}

}  // namespace enfold::net::detail
