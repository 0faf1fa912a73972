import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { headersFor, parseHeaders, withSandboxHosts } from './headers.ts'

const rules = parseHeaders(readFileSync(new URL('../public/_headers', import.meta.url), 'utf8'))
const directivesOf = (policy: string) =>
  new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(' ')
      return [name, sources]
    }),
  )

test('the page is told to stay with https, and nobody may frame it', () => {
  const headers = headersFor(rules, '/')
  const age = Number(/max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '')?.[1])
  expect(age).toBeGreaterThanOrEqual(365 * 24 * 3600)
  expect(headers.get('strict-transport-security')).toContain('includeSubDomains')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
  expect(headers.get('permissions-policy')).toContain('camera=(), microphone=(), geolocation=()')
})

/** What the services' guides ask for, as far as the product uses them: docs/deploying.md says what each is for. */
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

test('the policy names what the guides of the services ask for, no more, and allows nothing by kind', () => {
  const policy = directivesOf(headersFor(rules, '/').get('content-security-policy') ?? '')
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

test('the sandbox adds its own hosts to the policy, and takes nothing from it', () => {
  const policy = headersFor(rules, '/').get('content-security-policy') ?? ''
  const served = directivesOf(withSandboxHosts(policy, 5173, ['localhost:5173']))
  const own = ['http://localhost:5173', 'http://127.0.0.1:5173']
  for (const [name, sources] of directivesOf(policy)) {
    expect(served.get(name)?.filter((source) => !own.includes(source))).toEqual(sources)
    const added = served.get(name)?.some((source) => own.includes(source))
    expect(added).toBe(/^(script|connect|frame)-src$/.test(name))
  }
})
