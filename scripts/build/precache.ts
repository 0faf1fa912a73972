// What the service worker keeps on the device, and for which addresses it answers.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GenerateSWOptions } from 'workbox-build'
import { APP_PATHS } from '../../src/pwa/pushOpening.ts'
import { PUSH_WORKER } from './pushWorker.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * The whole app, and nothing else: no answer of a service is ever kept. A new version is complete beside the old one
 * before it waits, and takes over only when it is told to, or when no tab is open any more.
 */
export const precache: Partial<GenerateSWOptions> = {
  mode: 'production',
  cacheId: 'passerelle',
  inlineWorkboxRuntime: true,
  cleanupOutdatedCaches: false,
  babelPresetEnvTargets: ['chrome >= 107', 'safari >= 16', 'firefox >= 115'],
  globPatterns: ['**/*.{html,js,css,svg,woff2,webmanifest}', 'icons/*.png'],
  // What the PDF library fetches for drawings and pages of HTML, which no receipt has. What the worker imports the browser keeps with it.
  globIgnores: ['assets/{index,purify}.es-*.js', PUSH_WORKER],
  importScripts: [PUSH_WORKER],
  manifestTransforms: [withHeaders],
  // The first page of all is served from the device too from here on, whatever it opens next.
  clientsClaim: true,
  skipWaiting: false,
  navigateFallback: 'index.html',
  // Any other address is the server's.
  navigateFallbackAllowlist: [
    new RegExp(`^(${APP_PATHS.map((path) => path.replaceAll('.', '\\.')).join('|')})(\\?|$)`),
  ],
}

/**
 * A page is kept with its headers, the security policy among them: when they change, it is another one. Twelve digits tell one version
 * of a file from the next; the rest would only make the worker longer.
 */
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
