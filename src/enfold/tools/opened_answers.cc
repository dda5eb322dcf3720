// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/opened_answers.h"

#include <algorithm>
#include <utility>

namespace enfold::tools {

retrieve::OpenedAnswerPtr OpenedAnswers::find(std::string_view key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(kept_, key, &Kept::key);
  if (found == kept_.end()) return nullptr;
  found->is_used = true;
  kept_.splice(kept_.begin(), kept_, found);
  return kept_.front().answer;
}

void OpenedAnswers::add(std::string key, retrieve::OpenedAnswerPtr answer, std::size_t bytes) {
  if (bytes > most_bytes_) return;
  const std::lock_guard lock(mutex_);
  std::erase_if(kept_, [&](const Kept& one) { return one.key == key; });
  kept_.push_front({std::move(key), std::move(answer), bytes});
  std::size_t sum = 0;
  auto last = kept_.begin();
  while (last != kept_.end() && sum + last->bytes <= most_bytes_) sum += last++->bytes;
  kept_.erase(last, kept_.end());
}

void OpenedAnswers::drop_unused() {
  std::list<Kept> unused;  // destroyed when the mutex is unlocked
  const std::lock_guard lock(mutex_);
  for (auto one = kept_.begin(); one != kept_.end();) {
    const auto at = one++;
    if (!std::exchange(at->is_used, false)) unused.splice(unused.end(), kept_, at);
  }
}

}  // namespace enfold::tools
