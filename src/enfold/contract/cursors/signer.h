// SPDX-License-Identifier: Apache-2.0
// Signs the cursors of an answer for one principal.
#pragma once

#include <string_view>

namespace enfold::contract {

class CursorKey;

/// Signs with a key and for a principal; without a key there are no cursors. Both must outlive it.
struct CursorSigner {
  const CursorKey* key = nullptr;
  std::string_view principal;
};

}  // namespace enfold::contract
