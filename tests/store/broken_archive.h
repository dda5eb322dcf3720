// SPDX-License-Identifier: Apache-2.0
// An archive whose content or server is gone.
#pragma once

#include "enfold/store/archive.h"

#include <string>
#include <utility>
#include <vector>

namespace enfold::store::testing {

/// Describes what the real archive has, but every put and every read fails.
class BrokenArchive final : public Archive {
 public:
  BrokenArchive(Archive& real, Error error) : real_(real), error_(std::move(error)) {}
  Result<Receipt> put(std::string_view /*principal*/, std::string_view /*bytes*/,
                      const Meta& /*meta*/, Time /*now*/) override {
    return tl::unexpected(error_);
  }
  Result<std::string> get(std::string_view /*principal*/, std::string_view /*reference*/,
                          Time /*now*/) override {
    return tl::unexpected(error_);
  }
  Result<Entry> stat(std::string_view principal, std::string_view reference, Time now) override {
    return real_.stat(principal, reference, now);
  }
  Result<std::vector<Entry>> find(std::string_view principal, const Query& query,
                                  Time now) override {
    return real_.find(principal, query, now);
  }
  Result<std::uint64_t> expire(Time now) override { return real_.expire(now); }
  Result<Statistics> statistics() override { return real_.statistics(); }
  Result<Verification> verify() override { return real_.verify(); }

 private:
  Archive& real_;
  Error error_;
};

}  // namespace enfold::store::testing
