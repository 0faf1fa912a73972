// How long the page waits for the app, and the app for its parts, in milliseconds.

/** The pause before code is requested again on a bad network. */
export const LOAD_RETRY_DELAY = 2000

/** How many failed tries a bad network can explain. More failures have another cause. */
export const MAX_EXPECTED_LOAD_FAILURES = 3

/** How long a user waits for code before a message appears: longer than a slow start takes. */
export const LATE_CODE_DELAY = 25_000
