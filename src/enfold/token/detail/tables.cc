// SPDX-License-Identifier: Apache-2.0
#include "enfold/token/detail/vocabulary.h"

#include <bit>

static_assert(std::endian::native == std::endian::little, "the tables are little endian");

// ENFOLD_TOKEN_DATA is the folder data/tokens. Assembler, because an array initializer of three
// million numbers would take a minute to compile.
#define ENFOLD_EMBED(name, file)                            \
  __asm__(                                                  \
      ".section .rodata\n"                                  \
      ".balign 64\n"                                        \
      ".global enfold_token_" name                          \
      "\n"                                                  \
      ".hidden enfold_token_" name                          \
      "\n"                                                  \
      ".type enfold_token_" name                            \
      ", %object\n"                                         \
      "enfold_token_" name                                  \
      ":\n"                                                 \
      ".incbin \"" ENFOLD_TOKEN_DATA "/" file               \
      "\"\n"                                                \
      ".size enfold_token_" name ", . - enfold_token_" name \
      "\n"                                                  \
      ".balign 64\n"                                        \
      ".previous\n")

ENFOLD_EMBED("o200k_base", "o200k_base.bin");
ENFOLD_EMBED("cl100k_base", "cl100k_base.bin");
ENFOLD_EMBED("unicode16", "unicode16.bin");
