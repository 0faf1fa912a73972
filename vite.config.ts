import { lingui } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { configDefaults } from 'vitest/config'

export default defineConfig({
  plugins: [react(), babel({ plugins: ['@lingui/babel-plugin-lingui-macro'] }), lingui()],
  build: {
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    // What the first screen needs is one file: on a bad network each request costs more than the bytes it saves.
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'first', test: /\/src\/(Root\.tsx|actors\/boot\.ts)$/ }] },
      },
    },
    // A font in a style sheet would hold up the first paint, and the security policy forbids it.
    assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
  },
  test: {
    include: ['{src,machines,netlify,sandbox,scripts}/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, 'e2e/**'],
    testTimeout: 30_000,
  },
})
