// How long the page waits for the app, and the app for its parts. In milliseconds.

/** The pause between two tries to fetch code on a bad network. */
export const TRY_AGAIN_AFTER = 2000

/** How long code may take to come before somebody who waits for it is told: longer than a start may take. */
export const LATE_AFTER = 25_000
