// SPDX-License-Identifier: Apache-2.0
// ENFOLD_EMBED(name, file): the bytes of a file of data/tokens, as the symbol enfold_token_NAME. In
// assembler, because an array initializer of three million numbers would take a minute to compile.
#pragma once

#include <bit>

static_assert(std::endian::native == std::endian::little, "the tables are little endian");

// ENFOLD_TOKEN_DATA is the folder data/tokens.
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
