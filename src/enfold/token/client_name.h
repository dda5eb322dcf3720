// SPDX-License-Identifier: Apache-2.0
// The name by which a program introduces itself as a client of a profile.
#pragma once

#include "enfold/token/profile.h"

namespace enfold::token {

/// A client name in the protocol that profile_of_client() maps to this profile; "generic" if there
/// is none.
[[nodiscard]] std::string_view client_name_of(const Profile& profile);

}  // namespace enfold::token
