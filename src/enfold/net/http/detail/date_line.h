// SPDX-License-Identifier: Apache-2.0
// The header field Date of responses, formatted at most once a second.
#pragma once

#include "enfold/net/loop.h"

#include <string>

namespace enfold::net::detail {

class DateLine {
 public:
  /// "Date: Sun, 06 Nov 1994 08:49:37 GMT" with CR LF. `now`: Loop::now(), by which the line
  /// expires.
  [[nodiscard]] const std::string& at(TimePoint now) {
    if (now >= until_) renew(now);
    return text_;
  }

 private:
  void renew(TimePoint now);

  std::string text_;
  TimePoint until_;  ///< when `text_` expires
};

}  // namespace enfold::net::detail
