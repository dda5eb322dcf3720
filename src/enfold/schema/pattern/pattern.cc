// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/pattern/pattern.h"

#include "enfold/base/utf8.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace enfold::schema::detail {

std::string shown_pattern(std::string_view pattern) { return utf8::shortened(pattern, 200); }

Result<Pattern> Pattern::compile(std::string_view ecma) {
  ENFOLD_TRY(auto translated, to_re2(ecma));
  RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  Pattern pattern;
  pattern.source_ = std::string(ecma);
  pattern.weight_ = translated.weight;
  auto compiled = std::make_shared<const RE2>(translated.re2, options);
  if (!compiled->ok()) {
    return fail(ErrorCode::unsupported, fmt::format("pattern \"{}\": the matcher refuses it: {}",
                                                    shown_pattern(ecma), compiled->error()));
  }
  pattern.compiled_ = std::move(compiled);
  return pattern;
}

bool Pattern::matches(std::string_view text) const {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *compiled_);
}

}  // namespace enfold::schema::detail
