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
  explicit Elicited(NeedsInput question) : question_(std::move(question)) {}
  /// nullopt: not accepted.
  explicit Elicited(std::optional<Form> form) : form_(std::move(form)), answered_(true) {}

  /// False: return question() from the handler.
  [[nodiscard]] bool is_answered() const { return answered_; }
  [[nodiscard]] NeedsInput question() const { return question_; }
  /// False: declined, closed, or the answer does not match the form; then * and -> are not allowed.
  [[nodiscard]] bool is_accepted() const { return form_.has_value(); }
  [[nodiscard]] const Form& operator*() const { return *form_; }
  [[nodiscard]] const Form* operator->() const { return &*form_; }

 private:
  NeedsInput question_;
  std::optional<Form> form_;
  bool answered_ = false;
};

namespace detail {

/// Whether every field is a text, a number, a boolean or an enum: MCP allows no others in forms.
template <class Form>
[[nodiscard]] constexpr bool is_flat() {
  bool flat = true;
  tools::detail::each_argument<Form>([&](const auto& field) {
    using Shown = level::detail::ShownType<typename std::remove_cvref_t<decltype(field)>::Held>;
    flat = flat && (std::is_same_v<Shown, bool> || level::detail::Number<Shown> ||
                    level::detail::is_text<Shown> || model::NamedEnum<Shown>);
  });
  return flat;
}

/// `answer`: of the client; nullptr: there is none yet, so the result is the question.
template <class Form>
[[nodiscard]] Elicited<Form> elicited(const json::Value* answer, std::string_view message,
                                      std::string key) {
  static_assert(tools::Declares<Form> && is_flat<Form>(),
                "a form is a struct with fields() that are text, numbers, booleans or enums");
  if (answer == nullptr) {
    return Elicited<Form>(NeedsInput{
        {mcp::ask_form(std::move(key), message, tools::input_schema_of<Form>().view())}});
  }
  const auto result = mcp::read_elicit_result(answer->view());
  const bool usable = result && result->action == mcp::ElicitAction::accept &&
                      tools::detail::accepts<Form>(result->content.view());
  if (!usable) return Elicited<Form>(std::optional<Form>());
  std::vector<tools::Problem> problems;
  Form form = tools::read_arguments<Form>(result->content.view(), problems);
  return Elicited<Form>(problems.empty() ? std::optional<Form>(std::move(form)) : std::nullopt);
}

}  // namespace detail
}  // namespace enfold::server
