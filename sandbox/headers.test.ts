import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addSandboxHosts, matchHeaders, readHeaderRules } from './headers.ts'

const FILE = join(import.meta.dirname, '../public/_headers')
const rules = await readHeaderRules(FILE)
const parseDirectives = (policy: string) =>
  new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(' ')
      return [name, sources]
    }),
  )

test('no two rules set the same header for a path', () => {
  for (const path of ['/', '/settings', '/google-sign-in.html', '/assets/app.js', '/legal/fr/terms.html']) {
    const names = rules
      .filter(({ forRegExp }) => forRegExp.test(path))
      .flatMap(({ values }) => Object.keys(values))
    expect(names, path).toEqual([...new Set(names)])
  }
})

test('rejects a malformed headers file', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'passerelle-headers-')), '_headers')
  writeFileSync(file, '  Cache-Control: no-store\n')
  await expect(readHeaderRules(file)).rejects.toThrow('has errors')
})

test('the headers enforce HTTPS and forbid what the app doesn’t need', () => {
  const headers = matchHeaders(rules, '/')
  const age = Number(/max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '')?.[1])
  expect(age).toBeGreaterThanOrEqual(365 * 24 * 3600)
  expect(headers.get('strict-transport-security')).toContain('includeSubDomains')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
  expect(headers.get('permissions-policy')).toContain('camera=(self), microphone=(), geolocation=()')
})

/** docs/deploying.md explains each of these hosts. */
const ASKED_FOR = {
  'script-src': [
    ...['https://js.stripe.com', 'https://*.js.stripe.com'],
    ...['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
  ],
  'frame-src': [
    ...[
      'https://js.stripe.com',
      'https://*.js.stripe.com',
      'https://hooks.stripe.com',
      'https://pay.google.com',
    ],
    ...['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
  ],
  'connect-src': [
    ...['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com'],
    ...['https://firestore.googleapis.com', 'https://firebasestorage.googleapis.com'],
    ...['https://api.stripe.com', 'https://www.google.com/recaptcha/'],
  ],
}

test('the content security policy allows exactly the hosts that the services require', () => {
  const policy = parseDirectives(matchHeaders(rules, '/').get('content-security-policy') ?? '')
  expect(policy.get('default-src')).toEqual(["'none'"])
  expect(policy.get('frame-ancestors')).toEqual(["'none'"])
  expect([...policy.values()].flat().join(' ')).not.toMatch(/unsafe|http:/)
  const ofOthers = [...policy].flatMap(([name, sources]) => {
    const hosts = sources.filter((source) => source.startsWith('https:') || source.includes('*'))
    return hosts.length > 0 ? [[name, hosts.toSorted()]] : []
  })
  expect(Object.fromEntries(ofOthers)).toEqual(
    Object.fromEntries(Object.entries(ASKED_FOR).map(([name, sources]) => [name, sources.toSorted()])),
  )
})

test('the sandbox adds its own hosts to the policy and removes none', () => {
  const policy = matchHeaders(rules, '/').get('content-security-policy') ?? ''
  const served = parseDirectives(addSandboxHosts(policy, 5173, ['localhost:5173']))
  const own = ['http://localhost:5173', 'http://127.0.0.1:5173']
  for (const [name, sources] of parseDirectives(policy)) {
    expect(served.get(name)?.filter((source) => !own.includes(source))).toEqual(sources)
    const added = served.get(name)?.some((source) => own.includes(source))
    expect(added).toBe(/^(script|connect|frame)-src$/.test(name))
  }
})
