// SPDX-License-Identifier: Apache-2.0
// The settings to fit an answer again: those that the options of `enfold fit` can set.
#pragma once

#include "enfold/answer/answer.h"

namespace enfold::gateway {

struct RefitSettings {
  answer::BudgetChoice budget;
  contract::Id contract = contract::Id::response_v2;
  model::Level level = model::Level::full;
};

}  // namespace enfold::gateway
