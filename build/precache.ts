import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { VitePWAOptions } from 'vite-plugin-pwa'
import { BUILD_TARGET } from './engines.ts'

const ROOT = join(import.meta.dirname, '..')

/** public/ has the manifest in each language; src/actors/update.ts registers the worker. */
export const PRECACHE_OPTIONS: Partial<VitePWAOptions> = {
  manifest: false,
  injectRegister: false,
  strategies: 'injectManifest',
  srcDir: 'src/pwa',
  filename: 'sw.ts',
  injectManifest: {
    rollupFormat: 'iife',
    target: BUILD_TARGET,
    globPatterns: ['**/*.{html,js,css,svg,woff2,webmanifest}', 'icons/*.png'],
    // These icons are only for the installation.
    globIgnores: ['404.html', 'icons/{icon,maskable}-512.png'],
    manifestTransforms: [withHeaders],
    buildPlugins: { vite: [{ name: 'passerelle:quiet', config: () => ({ logLevel: 'warn' }) }] },
  },
}

/** The worker caches pages with their headers, so the revision includes these. */
function withHeaders(entries: { url: string; revision: string | null; size: number }[]) {
  const headers = readFileSync(join(ROOT, 'public/_headers'))
  const revised = (revision: string | null) =>
    createHash('sha256').update(`${revision}`).update(headers).digest('hex')
  return {
    manifest: entries.map(({ url, revision, ...entry }) => ({
      ...entry,
      url,
      revision: (url.endsWith('.html') ? revised(revision) : revision)?.slice(0, 12) ?? null,
    })),
  }
}
