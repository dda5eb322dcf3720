// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/detail/resolver.h"

#include <utility>

namespace enfold::net {
namespace {

struct Question {
  std::string host;
  std::uint16_t port = 0;
  Resolver::Answer answer;
};

}  // namespace

// Held by the resolver, the thread and every posted answer. The loop is touched under the lock and
// only while the resolver lives, so a slow lookup may outlast both.
struct Resolver::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Question> questions;
  Loop* loop = nullptr;  ///< null: nobody waits any more
  bool has_thread = false;

  static void work(const std::shared_ptr<Shared>& shared) {
    std::unique_lock lock(shared->mutex);
    for (;;) {
      shared->changed.wait(lock,
                           [&] { return shared->loop == nullptr || !shared->questions.empty(); });
      if (shared->loop == nullptr) return;
      Question question = std::move(shared->questions.front());
      shared->questions.pop_front();
      lock.unlock();
      Result<std::vector<Endpoint>> found = resolve(question.host, question.port);
      lock.lock();
      if (shared->loop == nullptr) return;
      shared->loop->post([shared, answer = std::move(question.answer),
                          found = std::move(found)]() mutable { give(shared, answer, found); });
    }
  }

  static void give(const std::shared_ptr<Shared>& shared, Answer& answer,
                   Result<std::vector<Endpoint>>& found) {
    {
      const std::scoped_lock lock(shared->mutex);
      if (shared->loop == nullptr) return;
    }
    answer(std::move(found));
  }
};

Resolver::Resolver(Loop& loop) : loop_(loop), shared_(std::make_shared<Shared>()) {
  shared_->loop = &loop;
}

Resolver::~Resolver() {
  std::deque<Question> unanswered;
  {
    const std::scoped_lock lock(shared_->mutex);
    shared_->loop = nullptr;
    unanswered.swap(shared_->questions);
  }
  shared_->changed.notify_all();
}

void Resolver::find(const std::string& host, std::uint16_t port, Answer answer) {
  if (resolves_at_once(host)) {
    loop_.defer([shared = shared_, answer = std::move(answer),
                 found = resolve(host, port)]() mutable { Shared::give(shared, answer, found); });
    return;
  }
  {
    const std::scoped_lock lock(shared_->mutex);
    shared_->questions.push_back({host, port, std::move(answer)});
    if (!std::exchange(shared_->has_thread, true))
      std::thread([shared = shared_] { Shared::work(shared); }).detach();
  }
  shared_->changed.notify_all();
}

}  // namespace enfold::net
