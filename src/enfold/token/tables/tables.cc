// SPDX-License-Identifier: Apache-2.0
#include "enfold/token/detail/embed.h"

ENFOLD_EMBED("o200k_base", "o200k_base.bin");
ENFOLD_EMBED("cl100k_base", "cl100k_base.bin");
