import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildCacheRules } from '../build/prerender.ts'
import { createSite } from './site.ts'

const PUBLIC = join(import.meta.dirname, '../public')
const KEPT = 'public, max-age=31536000, immutable'
const CHECKED = 'public, max-age=0, must-revalidate'

let site: Awaited<ReturnType<typeof createSite>>
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-site-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), 'the app')
  writeFileSync(join(folder, 'assets/app-1.js'), 'app()')
  for (const file of ['_headers', '404.html']) copyFileSync(join(PUBLIC, file), join(folder, file))
  writeFileSync(join(folder, '_headers'), buildCacheRules(['assets/app-1.js']), { flag: 'a' })
  site = await createSite(
    folder,
    () => 5173,
    () => [],
  )
})

const get = async (path: string) => {
  const response = await site.request(path)
  const cache = response.headers.get('cache-control')
  return { status: response.status, cache, body: await response.text() }
}

test('browsers cache a file with a hash for a year', async () => {
  expect(await get('/assets/app-1.js')).toEqual({ status: 200, cache: KEPT, body: 'app()' })
})

test.each(['/', '/index.html', '/settings', '/payment-complete'])(
  'the site serves the app at %s',
  async (path) => {
    expect(await get(path)).toEqual({ status: 200, cache: CHECKED, body: 'the app' })
    const { headers } = await site.request(path)
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
  },
)

test('the password’s well-known URL leads to the security page', async () => {
  const { status, headers } = await site.request('/.well-known/change-password')
  expect([status, headers.get('location')]).toEqual([302, '/?view=security'])
})

test.each(['/assets/app-0.js', '/missing', '/icons/missing.png', '/.well-known/missing'])(
  'the site answers 404 for %s without caching',
  async (path) => {
    expect(await get(path)).toMatchObject({ status: 404, cache: CHECKED })
  },
)
