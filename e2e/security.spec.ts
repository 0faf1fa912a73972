import { expect, test } from './fixtures.ts'

/** Keywords, hashes, data:, blob:, and hosts over https. Only Stripe's hosts may have a wildcard. */
const SOURCE =
  /^('self'|'none'|'sha256-[\w+/=]+'|data:|blob:|https:\/\/(\*\.(?=js\.stripe\.com$))?[\w.-]+\/?[\w/]*)$/

test('every page has the security headers', async ({ page, server }) => {
  const sandboxHosts = ['127.0.0.1', 'localhost'].map(
    (name) => `http://${name}:${new URL(server.origin).port}`,
  )
  for (const path of ['/', '/payment-complete', '/google-sign-in.html']) {
    const headers = (await page.request.get(path)).headers()
    const policy = new Map(
      (headers['content-security-policy'] ?? '').split(';').map((directive) => {
        const [name = '', ...sources] = directive.trim().split(' ')
        return [name, sources.filter((source) => !sandboxHosts.includes(source))]
      }),
    )
    expect(policy.get('default-src')).toEqual(["'none'"])
    expect(policy.get('frame-ancestors')).toEqual(["'none'"])
    expect(policy.get('base-uri')).toEqual(["'none'"])
    for (const [name, sources] of policy)
      for (const source of sources.filter((one) => !(name === 'style-src' && one === "'unsafe-hashes'")))
        expect(source, `a source of ${name}`).toMatch(SOURCE)
    for (const name of ['script-src', 'connect-src', 'frame-src'])
      expect(policy.get(name)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(data|blob):/)]))
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
    expect(headers['permissions-policy']).toMatch(
      /camera=\(self\), microphone=\(\), geolocation=\(\), payment=\(self/,
    )
  }
})

test('violations of the Content-Security-Policy are recorded', async ({ page, violations }) => {
  await page.goto('/')
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.wasRun = true'
    document.head.append(script)
  })
  await page.evaluate(() => fetch('https://example.com/skimmed').catch(() => undefined))
  await page.evaluate(
    () =>
      document.body.setAttribute('style', 'color: red') ??
      document.body.insertAdjacentHTML('beforeend', '<p style="color: red"></p>'),
  )
  expect(await page.evaluate(() => 'wasRun' in window)).toBe(false)
  await expect.poll(() => violations.map((one) => /^[\w-]+ /.exec(one)?.[0].trim())).toContain('connect-src')
  expect(violations.join('\n')).toMatch(/script-src-elem inline in/)
  expect(violations.join('\n')).toContain('https://example.com/skimmed')
  violations.length = 0
})
