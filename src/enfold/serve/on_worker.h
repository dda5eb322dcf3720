// SPDX-License-Identifier: Apache-2.0
// What may wait for a disk or for somebody far away: done on a worker, gone on with on the serving
// thread.
#pragma once

#include "enfold/serve/host.h"
#include "enfold/serve/service.h"

#include <memory>
#include <type_traits>
#include <utility>

namespace enfold::serve {

/// `then` gets what `work` returns. It is never on the worker when it ends: it may hold what
/// belongs to the serving thread. False: too many wait already, and neither runs.
template <class Work, class Then>
[[nodiscard]] bool on_worker(Host& host, Work work, Then then) {
  return host.work([&host, work = std::move(work), then = std::move(then)]() mutable {
    if constexpr (std::is_void_v<std::invoke_result_t<Work&>>) {
      work();
      host.post([then = std::move(then)]() mutable { then(); });
    } else {
      host.post([then = std::move(then), result = work()]() mutable { then(std::move(result)); });
    }
  });
}

/// `then` gets the port first, and does not come when it is gone.
template <class Work, class Then>
[[nodiscard]] bool on_worker_for(Host& host, const std::shared_ptr<Port>& port, Work work,
                                 Then then) {
  return on_worker(host, std::move(work),
                   [where = std::weak_ptr<Port>(port),
                    then = std::move(then)]<class... Result>(Result... result) mutable {
                     if (const auto open = where.lock()) then(open, std::move(result)...);
                   });
}

}  // namespace enfold::serve
