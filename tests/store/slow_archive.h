// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "enfold/store/stores.h"

#include <latch>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::store::testing {

/// Keeps every put waiting until it is opened.
class SlowArchive final : public Archive {
 public:
  Result<Receipt> put(std::string_view principal, std::string_view bytes, const Meta& meta,
                      Time now) override {
    gate_.wait();
    return kept_->put(principal, bytes, meta, now);
  }
  Result<std::string> get(std::string_view principal, std::string_view reference,
                          Time now) override {
    return kept_->get(principal, reference, now);
  }
  Result<Entry> stat(std::string_view principal, std::string_view reference, Time now) override {
    return kept_->stat(principal, reference, now);
  }
  Result<std::vector<Entry>> find(std::string_view principal, const Query& query,
                                  Time now) override {
    return kept_->find(principal, query, now);
  }
  Result<std::uint64_t> expire(Time now) override { return kept_->expire(now); }
  Result<Statistics> statistics() override { return kept_->statistics(); }
  Result<Verification> verify() override { return kept_->verify(); }
  void open() { gate_.count_down(); }

 private:
  std::unique_ptr<Archive> kept_ = memory_archive();
  std::latch gate_{1};
};

}  // namespace enfold::store::testing
