import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

const folder = process.env.CATALOGS ?? '<rootDir>/src/locales'

/** What comes in the place of the home screen, or over it, which does not wait for their words. */
const pages = [
  'src/features/{contacts,invoices,profile,settings}/**',
  'src/features/identity/!(IdentityMark).*',
  'src/features/plans/!(CapLeft).*',
  'src/features/history/HistoryPage.tsx',
  'src/features/transfer/WalletHolder.tsx',
  'src/ui/account/**',
  'src/ui/payment/{PaymentSheet,OutcomeSheet}.tsx',
  'src/shell/HeldScreen.tsx',
]

/** The screens that only somebody who is signed in sees: nobody else waits for their words. */
const signedIn = [
  'src/features/!(auth)/**',
  'src/shell/!(App|AuthErrorScreen|Crash|Root|UpdateOffer|WaitingScreen).tsx',
  'src/ui/{account,contacts,payment}/**',
  'src/ui/{Freshness,NotFresh,Opening}.tsx',
]

export default defineConfig({
  sourceLocale: 'fr',
  locales: ['fr', 'en'],
  catalogs: [
    { path: `${folder}/{locale}`, include: ['src'], exclude: [...signedIn, ...pages] },
    { path: `${folder}/signedIn/{locale}`, include: signedIn, exclude: pages },
    { path: `${folder}/pages/{locale}`, include: pages },
  ],
  format: formatter({ lineNumbers: false }),
})
