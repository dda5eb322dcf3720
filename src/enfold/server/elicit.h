// SPDX-License-Identifier: Apache-2.0
// A form that the user of a client fills in while a tool runs (elicitation): a struct with
// fields(). Context::elicit asks; the handler runs again, from its beginning, when the answer is
// there.
#pragma once

#include "enfold/mcp/types/result.h"
#include "enfold/server/answer.h"
#include "enfold/tools/declare/read_arguments.h"

namespace enfold::server {

/// A question to the user, or what the user answered.
template <class Form>
class Elicited {
 public:
  /// Not answered. `open`: asks the user, or is the failure of an answer that breaks the form.
  Elicited(mcp::InputRequest request, Trouble open)
      : request_(std::move(request)), open_(std::move(open)) {}
  /// Answered; `form` nullopt: not accepted.
  Elicited(mcp::InputRequest request, std::optional<Form> form)
      : request_(std::move(request)), form_(std::move(form)) {}

  /// False: return question() from the handler. That asks the user; or, if the client sent an
  /// answer that breaks the form, fails the call and names what is wrong with it.
  [[nodiscard]] bool is_answered() const { return !open_.has_value(); }
  /// What the handler returns while is_answered() is false.
  [[nodiscard]] Question question() const {
    return {open_.value_or(Trouble(NeedsInput{{request_}}))};
  }
  /// For a NeedsInput with several questions, or to ask again.
  [[nodiscard]] const mcp::InputRequest& request() const { return request_; }
  /// False: declined, closed, or not answered; then * and -> are not allowed.
  [[nodiscard]] bool is_accepted() const { return form_.has_value(); }
  /// What the user filled in; only if is_accepted().
  [[nodiscard]] const Form& operator*() const { return *form_; }
  /// A member of what the user filled in; only if is_accepted().
  [[nodiscard]] const Form* operator->() const { return &*form_; }

 private:
  mcp::InputRequest request_;
  std::optional<Trouble> open_;  ///< nullopt: answered
  std::optional<Form> form_;     ///< nullopt: not answered, or not accepted
};

namespace detail {

template <class At>
struct NotFlat {
  static constexpr bool report() {
    ENFOLD_REJECT(level::Wrong<At>{},
                  "a form is a struct with fields() that are text, numbers, booleans or enums");
    return false;
  }
};

/// The first field of a form that is no text, number, boolean or enum, because MCP allows no
/// others, as a fault (level/faults.h); NoFault: there is none.
template <class Form>
[[nodiscard]] constexpr auto form_fault() {
  if constexpr (!tools::Declares<Form>) {
    return NotFlat<Form>{};
  } else {
    return []<class... All>(std::type_identity<level::Fields<All...>>) {
      const auto fault_of =
          []<class Struct, class Member, class Condition, auto named>(
              std::type_identity<level::Field<Struct, Member, Condition, named>>) {
            using Field = level::Field<Struct, Member, Condition, named>;
            using Shown = level::detail::ShownType<typename Field::Held>;
            constexpr bool is_flat = std::is_same_v<Shown, bool> || level::detail::Number<Shown> ||
                                     level::detail::is_text<Shown> || model::NamedEnum<Shown>;
            return std::conditional_t<is_flat, level::detail::NoFault,
                                      NotFlat<typename Field::Place>>{};
          };
      return (level::detail::NoFault{} | ... |
              fault_of(std::type_identity<std::remove_const_t<All>>{}));
    }(std::type_identity<
               decltype(level::detail::declaration_for<tools::detail::Reading, Form>())>{});
  }
}

/// How `value`, an object, breaks the schema; empty: it does not.
[[nodiscard]] std::vector<tools::Problem> check_object(const json::Value& value,
                                                       const json::Value& schema);
/// The failure that names the problems of what was sent. Its message begins with `subject`.
[[nodiscard]] model::Response failure_of(std::vector<tools::Problem> problems,
                                         const json::Value& schema, const json::Value& sent,
                                         std::string_view subject);
/// The members of the answer that the form declares and that are not null: clients add members of
/// their own, and null counts as not filled in.
[[nodiscard]] json::Value filled_in_members(json::View answer, json::View schema);

/// `answer`: the result that the client sent; nullptr: none yet, so the result here is the
/// question. `schema`: of the form.
template <class Form>
[[nodiscard]] Elicited<Form> elicited(const json::Value* answer, mcp::InputRequest request,
                                      const json::Value& schema) {
  if (answer == nullptr) return {request, Trouble(NeedsInput{{request}})};
  const auto result = mcp::read_elicit_result(answer->view());
  if (!result || result->action != mcp::ElicitAction::accept) {
    return {std::move(request), std::optional<Form>()};
  }
  const json::Value content = filled_in_members(result->content.view(), schema.view());
  std::vector<tools::Problem> problems = check_object(content, schema);
  if (problems.empty()) {
    Form form = tools::read_arguments<Form>(content.view(), problems);
    if (problems.empty()) return {std::move(request), std::optional<Form>(std::move(form))};
  }
  return {std::move(request), Trouble(failure_of(std::move(problems), schema, content,
                                                 "The answer does not fit the form: "))};
}

}  // namespace detail
}  // namespace enfold::server
