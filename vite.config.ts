import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { lingui } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
// For the type of `test` only: `npm start` builds without the tests' packages.
import type {} from 'vitest/config'
import { createCompileHintsPlugin } from './build/compileHints.ts'
import { BUILD_TARGET } from './build/engines.ts'
import { createLegalPagesPlugin } from './build/legalPages.ts'
import { PRECACHE_OPTIONS } from './build/precache.ts'
import { createReceiptKeysPlugin } from './build/receiptKeys.ts'
import { createStripDescriptionsPlugin } from './build/stripDescriptions.ts'
import { createTypographyPlugin } from './build/typography.ts'
import { createUnusedStylesPlugin } from './build/unusedStyles.ts'

const hashPath = (path: string) =>
  createHash('sha256')
    .update(relative(import.meta.dirname, path))
    .digest('base64url')
    .slice(0, 3)

export default defineConfig({
  plugins: [
    react(),
    lingui({ macroTransform: true }),
    createTypographyPlugin(),
    createLegalPagesPlugin(),
    createReceiptKeysPlugin(),
    createStripDescriptionsPlugin(),
    createCompileHintsPlugin(),
    VitePWA(PRECACHE_OPTIONS),
  ],
  // Includes the storyboard, because discovering its packages only when it is opened would reload every tab
  // of the app.
  optimizeDeps: { entries: ['*.html'] },
  css: {
    // The prerendered page repeats each name, so they are short.
    modules: { generateScopedName: (name, path) => `_${name}_${hashPath(path)}` },
    postcss: { plugins: [createUnusedStylesPlugin()] },
  },
  build: {
    target: BUILD_TARGET,
    manifest: true,
    modulePreload: { polyfill: false },
    // One file for the first screen: on a bad network, each request costs more than the bytes it saves.
    rolldownOptions: {
      input: ['index.html', 'google-sign-in.html', 'check-receipt.html'],
      // jsPDF loads these for drawings and HTML, which no receipt has.
      external: ['canvg', 'dompurify', 'html2canvas'],
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'first',
              test: /\/src\/(shell\/Root\.tsx|prerender\/replayEarlyActions\.ts|actors\/session\.ts|inspection\/useActorRef\.ts)$/,
            },
            // Needed without the home screen: by the calculator of the signed-out screen, by the offer of a
            // new version and by the code that reads the user's plan.
            {
              name: 'shared',
              test: /\/src\/(features\/auth\/PriceCalculator\.tsx|ui\/(DisappearingButton\.tsx|use(IsMounted|Unmount)\.ts)|browser\/serverTime\.ts|pwa\/paymentLock\.ts)$|\/domain\/(transfers\/(transfer|arrival)|common\/wait|prices\/plans)\.ts$/,
            },
            // Reading a profile needs it too, and must not wait for the home screen and its styles.
            { name: 'schemas', test: /\/node_modules\/valibot\/|\/domain\/account\/profileSchema\.ts$/ },
            // Without this group, these would be about fifty small files, each compressed and requested
            // separately.
            { name: 'Home', test: /\/src\/shell\/Home\.tsx$/ },
            { name: 'recipientParts', test: /\/src\/features\/transfer\/recipientParts\.ts$/ },
          ],
        },
      },
    },
    // A font inlined into a style sheet would delay the first paint, and the security policy forbids it.
    assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
  },
  test: {
    // The default leaves one core free, which is half of two.
    maxWorkers: '100%',
    // Four times what the longest test takes on a slow machine.
    testTimeout: 480_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          include: ['{domain,machines,print}/**/*.test.ts'],
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'product',
          include: ['{build,firebase,netlify,sandbox,schedules,scripts,src,statecharts}/**/*.test.{ts,tsx}'],
        },
      },
      'emulators',
    ],
  },
})
