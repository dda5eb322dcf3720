// SPDX-License-Identifier: Apache-2.0
#include "enfold/token/detail/embed.h"

ENFOLD_EMBED("o200k_base_short", "o200k_base_short.bin");
ENFOLD_EMBED("cl100k_base_short", "cl100k_base_short.bin");
ENFOLD_EMBED("unicode16", "unicode16.bin");
