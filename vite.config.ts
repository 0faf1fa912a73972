import { lingui } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
// For the type of `test` only: `npm start` builds without the tests' packages.
import type {} from 'vitest/config'
import { legalPages } from './scripts/build/legalPages.ts'
import { precache } from './scripts/build/precache.ts'
import { pushWorker } from './scripts/build/pushWorker.ts'
import { withoutUnusedStyles } from './scripts/build/unusedStyles.ts'
import { withoutDescriptions } from './scripts/build/withoutDescriptions.ts'

export default defineConfig({
  plugins: [
    react(),
    lingui({ macroTransform: true }),
    legalPages(),
    withoutDescriptions(),
    pushWorker(),
    // The manifest is public/manifest.webmanifest; src/actors/update.ts registers the worker.
    VitePWA({ manifest: false, injectRegister: false, workbox: precache }),
  ],
  // The storyboard too: found only when it is opened, its packages would reload every tab of the app.
  optimizeDeps: { entries: ['*.html'] },
  css: { postcss: { plugins: [withoutUnusedStyles()] } },
  build: {
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    // What the first screen needs is one file: on a bad network each request costs more than the bytes it saves.
    rolldownOptions: {
      input: ['index.html', 'google-sign-in.html'],
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'first',
              test: /\/src\/(shell\/Root\.tsx|prerender\/takeOver\.ts|actors\/session\.ts|inspection\/useActorRef\.ts)$/,
            },
            // The ways in and the offer of a new version need these, and nothing else of the home screen.
            {
              name: 'first',
              test: /\/src\/ui\/PassingButton\.tsx$|\/src\/browser\/serverTime\.ts$|\/src\/pwa\/payments\.ts$|\/domain\/wait\.ts$/,
            },
            // The calculator of the signed-out screen needs this, and nothing else of the home screen.
            { name: 'quote', test: /\/src\/features\/auth\/Calculator\.tsx$|\/domain\/transfer\.ts$/ },
            // Who signs in is known before the home screen's code is there.
            { name: 'plans', test: /\/domain\/(arrival|plans)\.ts$/ },
            // Some fifty small files otherwise, each packed and fetched for itself.
            { name: 'Home', test: /\/src\/shell\/Home\.tsx$/ },
          ],
        },
      },
    },
    // A font in a style sheet would hold up the first paint, and the security policy forbids it.
    assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
  },
  test: {
    include: ['{domain,firebase,machines,netlify,sandbox,scripts,src}/**/*.test.{ts,tsx}'],
    // A machine that is busy with other things is no endless loop.
    testTimeout: 120_000,
    // The default leaves one core to whoever watches; of two that is half.
    maxWorkers: '100%',
  },
})
