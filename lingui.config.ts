import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

const folder = process.env.CATALOGS ?? '<rootDir>/src/locales'

/** The screens that only somebody who is signed in sees: nobody else waits for their words. */
const signedIn = [
  'src/features/!(auth)/**',
  'src/ui/shell/!(App|AuthErrorScreen|Crash|WaitingScreen).tsx',
  'src/ui/{account,contacts,payment}/**',
  'src/ui/{Freshness,NotFresh,Opening}.tsx',
  'src/pwa/InstallCard.tsx',
]

export default defineConfig({
  sourceLocale: 'fr',
  locales: ['fr', 'en'],
  catalogs: [
    { path: `${folder}/{locale}`, include: ['src'], exclude: signedIn },
    { path: `${folder}/signedIn/{locale}`, include: signedIn },
  ],
  format: formatter({ lineNumbers: false }),
})
