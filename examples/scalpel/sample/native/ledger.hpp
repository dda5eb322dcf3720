// The ledger of the sample.
#pragma once

#include <string>
#include <vector>

namespace bank {

struct Entry {
  std::string account;
  long amount = 0;
};

class Ledger {
 public:
  explicit Ledger(std::string name) : name_{std::move(name)}, open_{true} {}
  ~Ledger() { close(); }

  void add(const Entry& entry);
  long total() const {
    long sum = 0;
    for (const Entry& entry : entries_) sum += entry.amount;
    return sum;
  }
  void close();

 private:
  std::string name_;
  bool open_;
  std::vector<Entry> entries_;
};

}  // namespace bank
