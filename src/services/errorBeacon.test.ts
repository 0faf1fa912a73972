import * as v from 'valibot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { REPORT_ERROR } from '../../domain/api/errors.ts'

const fetched = vi.fn<(path: string, init: { body: string; keepalive: boolean }) => Promise<Response>>()
vi.stubGlobal('fetch', fetched)
vi.stubGlobal('RELEASE', 'Ab3_x-90')

async function openPage() {
  vi.resetModules()
  return import('./errorBeacon.ts')
}
const bodies = () => fetched.mock.calls.map(([, { body }]) => JSON.parse(body))

beforeEach(() => {
  fetched.mockReset().mockResolvedValue(Response.json({}))
})

describe('the beacon', () => {
  test('the beacon sends a valid report without personal data', async () => {
    const { sendError } = await openPage()
    const stack = '\n    at Xa (https://passerelle.example/assets/Home-B3xk2_a1.js:1:200)'
    await sendError('caught', new TypeError('no Mariama, awa@example.org or +224620000000'), stack)
    expect(bodies()).toEqual([
      { kind: 'caught', name: 'TypeError', place: 'Home:1:200', release: 'Ab3_x-90' },
    ])
    expect(v.parse(REPORT_ERROR.request, bodies()[0])).toEqual(bodies()[0])
    expect(fetched.mock.calls[0]?.[1].keepalive).toBe(true)
  })

  test('the beacon sends each distinct error once, and ten at most', async () => {
    const { sendError } = await openPage()
    for (const message of ['lost', 'lost again']) await sendError('promise', new Error(message), '')
    await sendError('uncaught', new Error('lost'), '')
    expect(fetched).toHaveBeenCalledTimes(2)
    for (let column = 1; column < 12; column += 1)
      await sendError('promise', new Error('lost'), `/assets/Home-B3xk2_a1.js:1:${column}`)
    expect(fetched).toHaveBeenCalledTimes(10)
  })

  test('the beacon reports a rejection without an error by its type only', async () => {
    const { sendError } = await openPage()
    await sendError('promise', 'Mariama')
    expect(bodies()[0]).toMatchObject({ kind: 'promise', name: 'thrown string', place: '' })
  })

  test.each([
    [{ type: 'xstate.done.actor.0.session.entering' }, 'xstate.done.actor.0.session.entering'],
    [{ type: 'xstate.error.actor', error: new TypeError('lost') }, 'TypeError'],
    [new TypeError('lost'), 'TypeError'],
  ])('the beacon reports the failed start %o', async (event, name) => {
    const { sendError } = await openPage()
    await sendError('start', event)
    expect(bodies()[0]).toMatchObject({ kind: 'start', name, place: '' })
  })

  test('the beacon ignores the errors of extensions', async () => {
    const { sendError } = await openPage()
    const error = new Error('lost')
    error.stack = 'Error: lost\n    at chrome-extension://abc/inject.js:1:2'
    await sendError('uncaught', error)
    expect(fetched).not.toHaveBeenCalled()
  })
})
