// In milliseconds.

export const LOAD_RETRY_DELAY = 2000

/** More failures have another cause. */
export const MAX_EXPECTED_LOAD_FAILURES = 3

export const LATE_CODE_DELAY = 25_000
