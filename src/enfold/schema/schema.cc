// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/schema.h"

#include "enfold/schema/compile/program.h"
#include "enfold/schema/evaluate/evaluate.h"

#include <algorithm>

namespace enfold::schema {
namespace {

// Steps that ordinary schemas need at most: for any instance, and in addition for each byte of it.
// Without a limit that depends on the size of the instance, a small schema of nested choices takes
// half a second for a few bytes.
constexpr std::uint64_t kFreeSteps = 500'000;
constexpr std::uint64_t kStepsPerByte = 16;

Limits limits_for(json::View instance, Limits limits) {
  const std::uint64_t needed = kFreeSteps + kStepsPerByte * instance.raw().size();
  limits.schema_steps = std::min(limits.schema_steps, needed);
  return limits;
}

}  // namespace

struct Schema::CompiledSchema {
  detail::Program program;
};

Result<Schema> Schema::compile(const json::Value& schema, const Options& options) {
  ENFOLD_TRY(auto program, detail::compile_schema(schema, options));
  Schema compiled;
  compiled.compiled_ = std::make_shared<const CompiledSchema>(CompiledSchema{std::move(program)});
  return compiled;
}

Result<Validation> Schema::validate(json::View instance, const Limits& limits,
                                    std::size_t max_violations) const {
  detail::Evaluator evaluator(compiled_->program, limits_for(instance, limits), max_violations);
  Validation validation;
  validation.valid = evaluator.run(instance);
  if (evaluator.stopped()) return tl::unexpected(*evaluator.stopped());
  validation.violations = evaluator.take_violations();
  return validation;
}

Result<bool> Schema::accepts(json::View instance, const Limits& limits) const {
  detail::Evaluator evaluator(compiled_->program, limits_for(instance, limits), 0);
  const bool valid = evaluator.run(instance);
  if (evaluator.stopped()) return tl::unexpected(*evaluator.stopped());
  return valid;
}

}  // namespace enfold::schema
