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

test('the policy names the hosts that the app needs, and allows nothing by kind', () => {
  const policy = directivesOf(headersFor(rules, '/').get('content-security-policy') ?? '')
  expect(policy.get('default-src')).toEqual(["'none'"])
  expect(policy.get('frame-ancestors')).toEqual(["'none'"])
  const all = [...policy.values()].flat().join(' ')
  expect(all).not.toMatch(/unsafe|\*|http:/)
  const hosts = new Set(
    [...all.matchAll(/https:\/\/([\w.-]+)/g)].map(([, host]) => host?.split('.').slice(-2).join('.')),
  )
  expect(
    [...hosts].filter(
      (host) =>
        !['stripe.com', 'google.com', 'gstatic.com', 'googleapis.com', 'recaptcha.net'].includes(host ?? ''),
    ),
  ).toEqual([])
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
