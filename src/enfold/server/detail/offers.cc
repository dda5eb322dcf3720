// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/offers.h"

#include "enfold/server/detail/offer_state.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::server {
namespace {

using mcp::ListKind;

constexpr std::size_t kLongestName = 128;  // of a tool, in characters

bool is_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
             "_-.") == std::string_view::npos;
}

// For errors in the author's program, which show when it is first started.
[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "error: %s\n", what.c_str());
  std::abort();
}

// How the variables of a URI template and the arguments that its function declares differ; nullopt:
// they match.
std::optional<std::string> mismatch(const std::vector<std::string>& variables,
                                    const std::vector<ArgumentSpec>& declared) {
  for (const ArgumentSpec& argument : declared) {
    if (!argument.required || std::ranges::find(variables, argument.name) != variables.end()) {
      continue;
    }
    return fmt::format("expected the required field {} as a variable of the URI template",
                       argument.name);
  }
  for (const std::string& variable : variables) {
    if (std::ranges::find(declared, variable, &ArgumentSpec::name) != declared.end()) continue;
    return fmt::format("expected a field for the variable {} of the URI template", variable);
  }
  return std::nullopt;
}

std::string about(std::string_view what, std::string_view name) {
  return fmt::format("{}: {}", what, name);
}

// The problem of a resource or prompt without a function: its function is a member function of no
// object.
template <class Function>
std::optional<std::string> missing_function(const Function& function, std::string_view name) {
  if (function) return std::nullopt;
  return about("the object of its member function is a null pointer", name);
}

}  // namespace

namespace detail {

std::shared_ptr<const OfferLists> OfferState::lists() const {
  const std::lock_guard lock(mutex_);
  return lists_;
}

bool OfferState::will_offer(ListKind kind) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::find(will_offer_, kind) != will_offer_.end();
}

void OfferState::set_will_offer(ListKind kind) {
  const std::lock_guard lock(mutex_);
  will_offer_.push_back(kind);
}

void OfferState::attach(OfferListener& listener) {
  const std::lock_guard lock(mutex_);
  for (Held& held : held_) {
    if (held.thread == std::this_thread::get_id()) add(held);
  }
  std::erase_if(held_, [](const Held& held) { return !held.insert; });
  listeners_.push_back(&listener);
}

void OfferState::detach(OfferListener& listener) {
  const std::lock_guard lock(mutex_);
  std::erase(listeners_, &listener);
}

// Readers get the lists only with the mutex locked: if no reader has them now, none gets them while
// they are changed.
OfferLists& OfferState::writable() {
  if (lists_.use_count() > 1) lists_ = std::make_shared<OfferLists>(*lists_);
  return *lists_;
}

void OfferState::add(Held& held) {
  std::exchange(held.insert, nullptr)(writable());
  tell_changed(held.kind);
}

void OfferState::tell_changed(ListKind kind) {
  for (OfferListener* listener : listeners_) listener->on_changed(kind);
}

template <class Spec>
bool OfferState::is_taken(const std::string& key, List<Spec> list, ListKind kind) const {
  const auto has_key = [&](const Offered<Spec>& one) { return key_of(*one.spec) == key; };
  return std::ranges::any_of((*lists_).*list, has_key) ||
         std::ranges::any_of(
             held_, [&](const Held& held) { return held.kind == kind && held.key == key; });
}

template <class Spec>
std::shared_ptr<Spec> OfferState::hold(Spec spec, List<Spec> list, ListKind kind,
                                       std::optional<std::string> problem) {
  auto held = std::make_shared<Spec>(std::move(spec));
  const std::lock_guard lock(mutex_);
  const bool is_served = !listeners_.empty();
  if (!problem && !is_served && is_taken(key_of(*held), list, kind)) {
    problem = about("expected different names, found two of one", key_of(*held));
  }
  if (problem && !is_served) give_up(*problem);
  if (problem) {
    for (OfferListener* listener : listeners_) listener->on_refused(*problem);
    return held;
  }
  const std::uint64_t number = ++last_number_;
  const auto insert = [held, list, number](OfferLists& lists) {
    std::vector<Offered<Spec>>& all = lists.*list;
    const auto same = std::ranges::find_if(
        all, [&](const Offered<Spec>& one) { return key_of(*one.spec) == key_of(*held); });
    if (same != all.end()) {
      same->spec = held;
    } else {
      all.insert(std::ranges::upper_bound(all, number, {}, &Offered<Spec>::number), {number, held});
    }
  };
  held_.push_back({number, std::this_thread::get_id(), kind, key_of(*held), insert});
  return {held.get(), [self = shared_from_this(), number](Spec*) { self->publish(number); }};
}

void OfferState::publish(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(held_, number, &Held::number);
  if (found == held_.end()) return;  // attach() has added it
  add(*found);
  held_.erase(found);
}

template <class Spec>
bool OfferState::remove(std::string_view key, List<Spec> list, ListKind kind) {
  const std::lock_guard lock(mutex_);
  const auto has_key = [&](const Offered<Spec>& one) { return key_of(*one.spec) == key; };
  if (!std::ranges::any_of((*lists_).*list, has_key)) return false;
  std::erase_if(writable().*list, has_key);
  tell_changed(kind);
  return true;
}

void OfferState::updated(std::string uri) {
  const std::lock_guard lock(mutex_);
  for (OfferListener* listener : listeners_) listener->on_updated(uri);
}

void set_complete(std::vector<ArgumentSpec>& arguments, std::string_view name, Complete complete) {
  const auto found = std::ranges::find(arguments, name, &ArgumentSpec::name);
  if (found == arguments.end()) {
    std::vector<std::string> known;
    for (const ArgumentSpec& argument : arguments) known.push_back(argument.name);
    give_up(fmt::format("expected the name of an argument to complete, one of {}: {}",
                        fmt::join(known, ", "), name));
  }
  found->complete = std::move(complete);
}

}  // namespace detail

Offers::Offers() : state_(std::make_shared<detail::OfferState>()) {}

Tool Offers::add(ToolSpec spec) {
  std::optional<std::string> problem;
  if (!is_tool_name(spec.name)) {
    problem = about("expected a tool name of 1 to 128 letters, digits, _, - and .", spec.name);
  }
  return Tool(
      state_->hold(std::move(spec), &OfferLists::tools, ListKind::tools, std::move(problem)));
}

Resource Offers::resource(ResourceSpec spec) {
  std::optional<std::string> problem = missing_function(spec.read, spec.uri);
  if (std::ranges::any_of(spec.arguments, &ArgumentSpec::required)) {
    problem =
        about("a resource whose function has required fields is a resource_template", spec.uri);
  }
  return Resource(
      state_->hold(std::move(spec), &OfferLists::resources, ListKind::resources, problem));
}

Resource Offers::resource_template(ResourceSpec spec) {
  Result<mcp::UriTemplate> uri = mcp::UriTemplate::parse(spec.uri);
  std::optional<std::string> problem = missing_function(spec.read, spec.uri);
  if (!uri) {
    problem = about(uri.error().message, spec.uri);
    uri = mcp::UriTemplate();
  } else if (spec.arguments.empty()) {
    for (const std::string& variable : uri->variables()) spec.arguments.push_back({variable});
  } else if (const auto wrong = mismatch(uri->variables(), spec.arguments)) {
    problem = about(*wrong, spec.uri);
  }
  const std::shared_ptr<TemplateSpec> held =
      state_->hold(TemplateSpec{std::move(spec), std::move(*uri)}, &OfferLists::templates,
                   ListKind::resources, std::move(problem));
  return Resource(std::shared_ptr<ResourceSpec>(held, &held->resource));
}

Prompt Offers::prompt(PromptSpec spec) {
  std::optional<std::string> problem = missing_function(spec.get, spec.name);
  return Prompt(
      state_->hold(std::move(spec), &OfferLists::prompts, ListKind::prompts, std::move(problem)));
}

bool Offers::remove_tool(std::string_view name) {
  return state_->remove(name, &OfferLists::tools, ListKind::tools);
}

bool Offers::remove_resource(std::string_view uri) {
  return state_->remove(uri, &OfferLists::resources, ListKind::resources) ||
         state_->remove(uri, &OfferLists::templates, ListKind::resources);
}

bool Offers::remove_prompt(std::string_view name) {
  return state_->remove(name, &OfferLists::prompts, ListKind::prompts);
}

void Offers::resource_updated(std::string uri) const { state_->updated(std::move(uri)); }

void Offers::will_offer(ListKind kind) { state_->set_will_offer(kind); }

std::shared_ptr<const OfferLists> Offers::lists() const { return state_->lists(); }

}  // namespace enfold::server
