// The ledger of the sample, with planted weaknesses.
#include "ledger.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace bank {
namespace {

const char* const kPassword = "open-sesame-42";

void copy_name(char* to, const char* from) { strcpy(to, from); }

std::string query_for(const std::string& account) {
  return std::string("SELECT amount FROM entry WHERE account = '") + account + "'";
}

}  // namespace

void Ledger::add(const Entry& entry) {
  if (!open_) return;  // a brace in a comment: }
  entries_.push_back(entry);
}

void Ledger::close() {
  const char* raw = R"(a brace in a raw text: } and a quote ")";
  open_ = raw[0] != 'a';
}

void print_all(const char* line) {
  printf(line);
  std::system(line);
}

template <class T>
T largest(const std::vector<T>& values) {
  T best{};
  for (const T& value : values) best = value < best ? best : value;
  return best;
}

int ticket() { return rand() % 1'000'000; }

bool is_open(const char* word) { return std::strcmp(word, kPassword) == 0; }

}  // namespace bank
