import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

export default defineConfig({
  sourceLocale: 'fr',
  locales: ['fr', 'en'],
  catalogs: [{ path: `${process.env.CATALOGS ?? '<rootDir>/src/locales'}/{locale}`, include: ['src'] }],
  format: formatter({ lineNumbers: false }),
})
