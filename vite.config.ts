import { lingui } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
// For the type of `test` only: `npm start` builds without the tests' packages.
import type {} from 'vitest/config'
import { precache } from './scripts/build/precache.ts'

export default defineConfig({
  plugins: [
    react(),
    lingui({ macroTransform: true }),
    // The manifest is public/manifest.webmanifest; src/actors/update.ts registers the worker.
    VitePWA({ manifest: false, injectRegister: false, workbox: precache }),
  ],
  // The page of the statecharts too: found only when it is opened, its packages would reload every tab of the app.
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
              test: /\/src\/(shell\/Root\.tsx|actors\/boot\.ts|inspection\/useActorRef\.ts)$/,
            },
          ],
        },
      },
    },
    // A font in a style sheet would hold up the first paint, and the security policy forbids it.
    assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
  },
  test: {
    include: ['{domain,emulators,firebase,machines,netlify,sandbox,scripts,src}/**/*.test.{ts,tsx}'],
    testTimeout: 30_000,
    // The default leaves one core to whoever watches; of two that is half.
    maxWorkers: '100%',
  },
})

/**
 * The library declares headings, shadows, fourteen colours in all their shades and uses, and five sizes of each component.
 * The app has its own in src/ui/theme.css, and one size. Nothing here has a loader of bars or dots, a checkbox that is light or an
 * outline, or a group of buttons.
 */
function withoutUnusedStyles() {
  const unusedParts =
    /\bm_(5d2b3b9d|7a2bd4cd|870bb79|aac34a1|4e3f22d7|870c4af|595ab216|215c4542|80d6d844|70be2a01|1a0f1b21|437b6484)\b/
  const unused = [
    /^--mantine-(color-((pink|grape|violet|indigo|cyan|teal(?!-8$)|green|lime|yellow|orange)-|\w+-outline)|h\d|shadow-(xs|sm|lg)|breakpoint|heading|font-family-headings|primary-color-\d)/,
    /^--ai-size-input-/,
    /^--(section|button|input|psi)-.*(-(xs|md|lg|xl)$|-compact-)/,
  ]
  return {
    postcssPlugin: 'without-unused-styles',
    Rule(rule: { selector: string; remove(): void }) {
      if (unusedParts.test(rule.selector)) rule.remove()
    },
    AtRule(rule: { params: string; remove(): void }) {
      if (unusedParts.test(rule.params)) rule.remove()
    },
    Declaration(declaration: { prop: string; remove(): void }) {
      if (unused.some((names) => names.test(declaration.prop))) declaration.remove()
    },
  }
}
