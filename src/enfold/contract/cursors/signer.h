// SPDX-License-Identifier: Apache-2.0
// Signs the cursors of an answer for one principal.
#pragma once

#include <string_view>

namespace enfold::contract {

class CursorKey;

/// Key and principal must outlive the signer.
struct CursorSigner {
  const CursorKey* key = nullptr;  ///< nullptr: answers get no cursors
  std::string_view principal;      ///< the only one that can use the cursors
};

}  // namespace enfold::contract
