// SPDX-License-Identifier: Apache-2.0
// Random sequences of operations against every store and against a model that is too simple to be
// wrong; and the promise that nobody opens what is somebody else's.
#include "enfold/base/hash.h"
#include "tests/store/stores.h"
#include "tests/support/cases.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <list>
#include <map>
#include <optional>
#include <rapidcheck.h>
#include <set>
#include <string>
#include <vector>

namespace enfold::store::testing {
namespace {

using Properties = EveryStore;
INSTANTIATE_TEST_SUITE_P(Store, Properties, kEveryKind, kind_of_test);

int below(int limit) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, limit)); }

std::string draw_principal() { return std::string(1, static_cast<char>('a' + below(3))); }

/// Few, so that the same content comes again; of sizes that reach the caps.
std::string draw_content() {
  static const int sizes[] = {0, 1, 300, 700, 1023, 1500, 2600};
  const int size = sizes[below(7)];
  const char letter = static_cast<char>('A' + below(4));
  std::string bytes;
  for (int i = 0; static_cast<int>(bytes.size()) < size; ++i) {
    // Half of the letters make bytes that do not shrink.
    const auto block = sha256(std::string(1, letter) + std::to_string(i));
    if (letter < 'C') bytes.append(block.begin(), block.end());
    if (letter >= 'C') bytes.append(32, letter);
  }
  bytes.resize(static_cast<std::size_t>(size));
  if (!bytes.empty()) bytes.back() = letter;
  return bytes;
}

/// What an archive must do, in one list per opening order: the newest is last.
class Model {
 public:
  explicit Model(const ArchiveOptions& options) : options_(options) {}
  struct Item {
    std::string principal, bytes, tool;
    Time created, expires;
    std::uint64_t stored = 0;
    std::string handle;
  };

  /// False: there is no room for it, and nothing changes.
  bool put(Item item, Time now) {
    const std::list<Item> before = items;
    items.remove_if([&](const Item& old) {
      return old.principal == item.principal && old.bytes == item.bytes && old.expires <= now;
    });
    const auto old = std::find_if(items.begin(), items.end(), [&](const Item& one) {
      return one.principal == item.principal && one.bytes == item.bytes;
    });
    if (old != items.end()) {
      item.created = old->created;
      item.expires = std::max(item.expires, old->expires);
      items.erase(old);
    }
    items.push_back(std::move(item));
    const std::string owner = items.back().principal;
    while (stored(owner) > options_.max_bytes_per_principal) {
      items.erase(std::find_if(items.begin(), items.end(),
                               [&](const Item& one) { return one.principal == owner; }));
    }
    while (stored("") > options_.max_bytes && remove_one_expired(now)) {
    }
    if (stored("") > options_.max_bytes && !has_room()) {
      items = before;
      return false;
    }
    while (stored("") > options_.max_bytes) items.erase(oldest_of(victim()));
    return true;
  }

  [[nodiscard]] std::set<std::string> principals() const {
    std::set<std::string> names;
    for (const Item& item : items) names.insert(item.principal);
    return names;
  }

  bool remove_one_expired(Time now) {
    const auto first =
        std::min_element(items.begin(), items.end(),
                         [](const auto& a, const auto& b) { return a.expires < b.expires; });
    if (first == items.end() || first->expires > now) return false;
    items.erase(first);
    return true;
  }

  [[nodiscard]] std::uint64_t share() const { return options_.max_bytes / principals().size(); }

  [[nodiscard]] bool has_room() const {
    std::uint64_t taken = items.back().stored;
    for (const std::string& one : principals()) {
      if (one != items.back().principal) taken += std::min(stored(one), share());
    }
    return items.back().stored <= share() || taken <= options_.max_bytes;
  }

  /// Who puts, if it holds more than its share; else who holds most.
  [[nodiscard]] std::string victim() const {
    const std::string& owner = items.back().principal;
    if (stored(owner) > share() && &*oldest_of(owner) != &items.back()) return owner;
    const auto rank = [&](const std::string& name) {
      return std::pair(~stored(name), detail::digest_of_parts({name}));
    };
    std::set<std::string> others = principals();
    others.erase(owner);
    return *std::min_element(others.begin(), others.end(),
                             [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  }

  [[nodiscard]] std::list<Item>::const_iterator oldest_of(const std::string& owner) const {
    return std::find_if(items.begin(), items.end(),
                        [&](const Item& one) { return one.principal == owner; });
  }

  [[nodiscard]] std::uint64_t stored(const std::string& owner) const {
    std::uint64_t sum = 0;
    for (const Item& item : items)
      sum += owner.empty() || item.principal == owner ? item.stored : 0;
    return sum;
  }
  [[nodiscard]] const Item* find(const std::string& principal, const std::string& reference,
                                 Time now) const {
    for (const Item& item : items) {
      if (item.principal != principal || item.expires <= now) continue;
      if (item.handle == reference || sha256_name(item.bytes) == reference) return &item;
    }
    return nullptr;
  }

  std::list<Item> items;

 private:
  ArchiveOptions options_;
};

/// One random life of an archive.
class Life {
 public:
  Life(const Store& store, const ArchiveOptions& options)
      : store_(store), options_(options), archive_(store.open(options)), model_(options) {}

  void run() {
    for (int steps = below(40); steps > 0; --steps) step();
    check_everything();
  }

 private:
  void step() {
    switch (below(10)) {
      case 0: now_ += std::chrono::seconds(below(60)); break;
      case 1: expire(); break;
      case 2: check_statistics(); break;
      case 3: list(draw_principal()); break;
      case 4: reopen(); break;
      case 5:
      case 6: read(); break;
      default: put(); break;
    }
  }

  void put() {
    Model::Item item{draw_principal(),
                     draw_content(),
                     below(2) == 0 ? "x" : "y",
                     now_,
                     now_ + options_.life,
                     0,
                     ""};
    const auto receipt = archive_->put(item.principal, item.bytes, {.tool = item.tool}, now_);
    const std::uint64_t stored = detail::compress(item.bytes).data(item.bytes).size();
    item.stored = stored;
    if (receipt) item.handle = receipt->handle;
    if (stored > options_.max_bytes_per_principal || !model_.put(item, now_)) {
      RC_ASSERT(receipt.error().code == ErrorCode::limit_exceeded);
      return;
    }
    RC_ASSERT(receipt.has_value());
    RC_ASSERT(receipt->hash == sha256_name(item.bytes));
    const auto known = handles_.emplace(std::pair(item.principal, item.bytes), item.handle).first;
    RC_ASSERT(known->second == item.handle);
    references_.push_back(receipt->handle);
    references_.push_back(receipt->hash);
    RC_ASSERT(archive_->get(item.principal, receipt->handle, now_) == item.bytes);
    RC_ASSERT(model_.find(item.principal, receipt->handle, now_)->expires == receipt->expires);
  }

  void read() {
    if (references_.empty()) return;
    const std::string principal = draw_principal();
    const std::string& reference =
        references_[static_cast<std::size_t>(below(static_cast<int>(references_.size())))];
    check(principal, reference);
  }

  void check(const std::string& principal, const std::string& reference) {
    const auto got = archive_->get(principal, reference, now_);
    const auto entry = archive_->stat(principal, reference, now_);
    const Model::Item* const want = model_.find(principal, reference, now_);
    if (want == nullptr) {
      RC_ASSERT(got.error().code == ErrorCode::not_found);
      RC_ASSERT(entry.error() == got.error());
      return;
    }
    RC_ASSERT(got == want->bytes);
    RC_ASSERT(entry == (Entry{want->handle,
                              sha256_name(want->bytes),
                              {.tool = want->tool},
                              want->created,
                              want->expires,
                              want->bytes.size(),
                              want->stored}));
  }

  void list(const std::string& principal) {
    const std::string tool = below(2) == 0 ? "" : "x";
    std::vector<std::string> want;
    for (auto item = model_.items.rbegin(); item != model_.items.rend(); ++item) {
      if (item->principal != principal || item->expires <= now_) continue;
      if (tool.empty() || item->tool == tool) want.push_back(item->handle);
    }
    const auto found = archive_->find(principal, {.tool = tool}, now_);
    RC_ASSERT(found.has_value());
    std::vector<std::string> handles;
    for (const Entry& entry : *found) handles.push_back(entry.handle);
    RC_ASSERT(handles == want);
  }

  // How many of the expired entries earlier puts have removed is not promised.
  void expire() {
    const std::size_t before = model_.items.size();
    model_.items.remove_if([&](const Model::Item& item) { return item.expires <= now_; });
    const auto removed = archive_->expire(now_);
    RC_ASSERT(removed.has_value());
    RC_ASSERT(*removed <= before - model_.items.size());
  }

  void check_statistics() {
    expire();
    const auto statistics = archive_->statistics();
    std::map<std::string, int> principals;
    std::uint64_t bytes = 0;
    for (const Model::Item& item : model_.items) {
      ++principals[item.principal];
      bytes += item.bytes.size();
    }
    RC_ASSERT(statistics->entries == model_.items.size());
    RC_ASSERT(statistics->principals == principals.size());
    RC_ASSERT(statistics->bytes == bytes);
    RC_ASSERT(statistics->stored_bytes == model_.stored(""));
  }

  void reopen() {
    if (store_.is_shared()) archive_ = store_.open(options_);
  }

  void check_everything() {
    check_statistics();
    for (const char* principal : {"a", "b", "c"}) {
      list(principal);
      for (const std::string& reference : references_) check(principal, reference);
    }
    const auto verified = archive_->verify();
    RC_ASSERT(verified->checked == model_.items.size());
    RC_ASSERT(verified->damaged.empty());
  }

  const Store& store_;
  ArchiveOptions options_;
  std::unique_ptr<Archive> archive_;
  Model model_;
  Time now_ = at(1'800'000'000);
  std::vector<std::string> references_;
  std::map<std::pair<std::string, std::string>, std::string> handles_;
};

TEST_P(Properties, behaves_like_the_model) {
  enfold::testing::check_property(
      "store/model/" + name_of(GetParam()), enfold::testing::property_cases(60, 3000), [&] {
        const Store fresh(GetParam());
        ArchiveOptions options{.life = std::chrono::seconds(100), .max_bytes_per_principal = 2500};
        options.max_bytes = GetParam() == Kind::redis ? ~std::uint64_t{0} : 5000;
        Life(fresh, options).run();
      });
}

TEST_P(Properties, only_for_its_owner) {
  const auto archive = store.open();
  enfold::testing::check_property(
      "only_for_its_owner/" + name_of(GetParam()), enfold::testing::property_cases(300, 20'000),
      [&](const std::string& owner, const std::string& other, const std::string& bytes) {
        RC_PRE(!owner.empty() && !other.empty() && owner != other);
        const auto mine = archive->put(owner, owner + "\n" + bytes, {}, at(1));
        RC_ASSERT(mine.has_value());
        RC_ASSERT(archive->get(owner, mine->handle, at(1)) == owner + "\n" + bytes);
        for (const std::string& reference : {mine->handle, mine->hash}) {
          const auto stolen = archive->get(other, reference, at(1));
          RC_ASSERT(!stolen && stolen.error().code == ErrorCode::not_found);
          RC_ASSERT(archive->stat(other, reference, at(1)).error() == stolen.error());
        }
        const auto listed = archive->find(other, {.limit = 1000}, at(1));
        for (const Entry& entry : *listed) RC_ASSERT(entry.hash != mine->hash);
      });
}

}  // namespace
}  // namespace enfold::store::testing
