const TOPICS: readonly (readonly [sources: RegExp, tests: RegExp])[] = [
  [
    /auth|[sS]ign[IU]|google|phoneCode|smsFailure|popupQueue|phoneOtp/,
    /sign-(in|up)|google|phone-|verification/,
  ],
  [/session|signedOut|accountEnd/, /sessions|signing-out|scene sign-in-session/],
  [
    /transfer|checkout|quote|payment|pricing|limits/i,
    /main-job|quote|refusals|offline-payment|prices|scene (home|payment|price)/,
  ],
  [/statement/i, /statement/],
  [/receipt|timeline/i, /receipt|scene proof/],
  [/deliver|payouts/i, /deliveries|recipient-page|scene (history-deliveries|receipt-)/],
  [/history|transactions/i, /history/],
  [/contact|recipient/i, /contact|recipients/],
  [/identity|files/i, /identity/],
  [/invoice|supplier/i, /invoice/],
  [/plan|subscription|wallet|ledger/i, /plan|wallet/],
  [/profile|accountChanges/i, /profile/],
  [/settings|security|notification|push|support/i, /settings|push|scene (notifications|security)/],
  [/storyboard|statecharts|^scenes\//, /storyboard|statecharts|journeys/],
  [/pwa|update/i, /offline\.spec|releases/],
  [/legal/, /legal/],
]

const ALWAYS = /main-job|first-screens/

/**
 * Chooses the end-to-end tests that a change of these files can reach.
 *
 * @param changed paths in the repository
 * @param tests lines of `playwright test --list`: window, file and title
 */
export function chooseTests(changed: readonly string[], tests: readonly string[]): string[] {
  const isSpec = (path: string) => path.startsWith('e2e/') && path.endsWith('.spec.ts')
  const specs = changed.filter(isSpec).map((path) => path.slice('e2e/'.length))
  // A helper of the tests is chosen like the feature that it is named after.
  const product = changed.filter(
    (path) => /^(src|scenes|domain|machines|print|legal|public|netlify|e2e)\//.test(path) && !isSpec(path),
  )
  const wanted = TOPICS.filter(([sources]) => product.some((path) => sources.test(path))).map(
    ([, shown]) => shown,
  )
  if (product.length > 0) wanted.push(ALWAYS)
  return tests.filter(
    (test) => specs.some((spec) => test.includes(spec)) || wanted.some((topic) => topic.test(test)),
  )
}

export const findUncovered = (names: readonly string[]): string[] =>
  names.filter((name) => !TOPICS.some(([sources]) => sources.test(name)))
