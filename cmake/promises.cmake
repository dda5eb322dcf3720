# SPDX-License-Identifier: Apache-2.0
# The promises that are fuzzed: each is the check check_NAME of tests/promises.
set(ENFOLD_FUZZED_PROMISES never_over_budget true_when_cut every_handle_opens only_for_its_owner
    no_loop always_valid)
