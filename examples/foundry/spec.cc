// SPDX-License-Identifier: Apache-2.0
#include "spec.h"

#include "enfold/contract/legacy/flags.h"

#include <algorithm>
#include <chrono>

namespace foundry {
namespace {

bool holds(const std::vector<std::string>& ids, const std::string& id) {
  return std::ranges::find(ids, id) != ids.end();
}

}  // namespace

const Task* Spec::find(const std::string& task_id) const {
  const auto found = std::ranges::find(tasks, task_id, &Task::id);
  return found != tasks.end() ? &*found : nullptr;
}

Task* Spec::find(const std::string& task_id) {
  const auto found = std::ranges::find(tasks, task_id, &Task::id);
  return found != tasks.end() ? &*found : nullptr;
}

bool Spec::has_phase(const std::string& phase_id) const {
  return std::ranges::find(phases, phase_id, &Phase::id) != phases.end();
}

std::int64_t Spec::completed_count() const {
  return std::ranges::count_if(tasks, &Task::is_completed);
}

std::vector<std::string> Spec::unmet(const Task& task) const {
  std::vector<std::string> waits_for;
  for (const std::string& other_id : task.depends_on) {
    const Task* other = find(other_id);
    if (other == nullptr || !other->is_completed()) waits_for.push_back(other_id);
  }
  return waits_for;
}

bool Spec::is_ready(const Task& task) const {
  return task.status == TaskStatus::pending && unmet(task).empty();
}

std::vector<std::string> Spec::order() const {
  std::vector<std::string> order;
  for (bool grew = true; grew;) {
    grew = false;
    for (const Task& task : tasks) {
      const bool is_free = std::ranges::all_of(task.depends_on, [&](const std::string& other) {
        return holds(order, other) || find(other) == nullptr;
      });
      if (!is_free || holds(order, task.id)) continue;
      order.push_back(task.id);
      grew = true;
    }
  }
  return order;
}

void Spec::record(const std::string& by, std::string event, std::string task_id, std::string note) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  journal.push_back({enfold::contract::format_time(seconds), by, std::move(event),
                     std::move(task_id), std::move(note)});
}

}  // namespace foundry
