import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DAY, MINUTE } from '../../../domain/common/duration.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { errorCounts, listRecentErrors, MAX_DAILY_ERRORS } from './errorCounts.ts'
import { NEW_ERRORS, parseBrowserEngine } from './reportError.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.reset()
  world.comeFrom('203.0.113.7')
})
afterAll(() => world.close())

const REPORT = {
  kind: 'caught',
  name: 'TypeError',
  place: 'Home:1:200',
  release: 'Ab3_x-90',
}

async function report(body: object, userAgent = 'Chrome/120.0.0.0') {
  const response = await fetch(`${world.origin}/.netlify/functions/report-error`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ ...REPORT, ...body }),
  })
  return { status: response.status, body: await response.json() }
}
const counts = async () =>
  (await listRecentErrors(world.context)).map(({ name, count }) => [name, count] as const)

describe('an error report', () => {
  test('a report is counted by day and field, and logged', async () => {
    for (const body of [{}, {}, { kind: 'uncaught' }, { place: '' }, { release: 'Ab3_x-91' }])
      expect(await report(body)).toEqual({ status: 200, body: {} })
    await report({}, 'Version/17.4 Mobile/15E148 Safari/604.1')
    expect(await counts()).toEqual([2, 1, 1, 1, 1].map((count) => [REPORT.name, count]))
    const engine = 'chrome/120'
    expect(world.logged).toContainEqual({ level: 'error', event: 'appError', ...REPORT, engine, count: 2 })
    world.pass(DAY)
    await report({})
    expect((await counts()).map(([, count]) => count)).toEqual([2, 1, 1, 1, 1, 1])
  })

  test('an unsupported browser’s errors share a count without an alarm', async () => {
    const old = 'Mozilla/5.0 (Linux; Android 6.0) AppleWebKit/537.36 Chrome/95.0.4638.50 Mobile Safari/537.36'
    await report({}, old)
    await report({ kind: 'start', name: 'SyntaxError' }, old)
    await report({})
    expect(await counts()).toEqual([
      ['Unsupported browser', 2],
      [REPORT.name, 1],
    ])
    const lines = world.logged.filter(({ count }) => count !== undefined)
    expect(lines).toMatchObject([
      { level: 'info', event: 'browserUnsupported', ...REPORT, engine: 'chrome/95', count: 1 },
      { level: 'info', event: 'browserUnsupported', engine: 'chrome/95', count: 2 },
      { level: 'error', event: 'appError', engine: 'chrome/120', count: 1 },
    ])
  })

  test.each([
    ['an unknown field', { user: 'u1' }],
    ['a message', { message: 'Error: no account of awa bah' }],
    ['a name that is a message', { name: 'Error: no account of awa bah' }],
    ['a name that is a word', { name: 'awa' }],
    ['a long name', { name: `${'a'.repeat(41)}Error` }],
    ['an unknown kind', { kind: 'Mariama' }],
    ['a place that is not a file', { place: 'Home at Awa' }],
    ['an invalid release', { release: '+224620000000' }],
    ['no name', { name: undefined }],
  ])('an error report is refused with %s', async (_, body) => {
    expect(await report(body)).toMatchObject({ status: 400, body: { code: 'invalidRequest' } })
    expect(await counts()).toEqual([])
  })

  test('a report above 2 kB is refused', async () => {
    expect(await report({ padding: 'a'.repeat(2048) })).toMatchObject({
      status: 400,
      body: { message: 'The body is too large.' },
    })
  })

  test('error reports are limited to 60 per network in 10 minutes', async () => {
    for (let i = 0; i < 60; i++) expect((await report({})).status).toBe(200)
    expect(await report({})).toMatchObject({ status: 429, body: { code: 'tooManyRequests' } })
    world.comeFrom('203.0.113.8')
    expect((await report({})).status).toBe(200)
    world.comeFrom('203.0.113.7')
    world.pass(10 * MINUTE)
    expect((await report({})).status).toBe(200)
  })

  test('errors beyond the daily limit share one count', async () => {
    for (let i = 0; i < MAX_DAILY_ERRORS + 3; i++) {
      world.comeFrom(`203.0.113.${i}`)
      await report({ place: `Home:1:${i}` })
    }
    await report({ place: 'Home:1:1' })
    expect(await counts()).toHaveLength(MAX_DAILY_ERRORS + 1)
    expect((await counts()).slice(0, 2)).toEqual([
      ['Other errors', 3],
      ['TypeError', 2],
    ])
  })

  test.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:2::1'],
  ])('the network of %s has a tenth of the daily limit', async (ip, same, other) => {
    world.comeFrom(ip)
    const places = Array.from({ length: NEW_ERRORS.most + 1 }, (_, i) => `Home:1:${i}`)
    for (const place of places) {
      await report({ place })
      world.pass(MINUTE)
    }
    world.comeFrom(same)
    await report({ place: 'Home:2:1' })
    await report({ place: 'Home:1:0' })
    world.comeFrom(other)
    await report({ place: 'Home:2:2' })
    const counted = await listRecentErrors(world.context)
    expect(Object.fromEntries(counted.map(({ name, place, count }) => [place || name, count]))).toEqual({
      ...Object.fromEntries(places.slice(1, -1).map((place) => [place, 1])),
      ...{ 'Other errors': 2, 'Home:1:0': 2, 'Home:2:2': 1 },
    })
  })

  test('an error count is deleted 30 days after its day', async () => {
    await report({})
    world.pass(31 * DAY)
    await world.call('due-work', {})
    expect((await errorCounts(world.context.db).get()).docs).toEqual([])
  })

  test.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) AppleWebKit/605.1.15 Version/16.1 Safari/604.1',
      'safari/16',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
      'safari/16',
    ],
    ['Mozilla/5.0 (X11; rv:115.0) Gecko/20100101 Firefox/115.0', 'firefox/115'],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36',
      'chrome/120',
    ],
    ['Mariama', 'other'],
  ])('the user agent %j has the engine %s', (userAgent, engine) => {
    expect(parseBrowserEngine(userAgent)).toBe(engine)
  })
})
