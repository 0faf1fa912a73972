import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type RunningServer, serve } from '../serve.ts'
import { createRecaptchaEmulator, type RecaptchaEmulator } from './recaptcha.ts'

interface Grecaptcha {
  ready(callback: () => void): void
  render(container: unknown, parameters: Record<string, unknown>): number
  execute(id?: number): Promise<void>
  reset(id?: number): void
  getResponse(id?: number): string
}

let recaptcha: RecaptchaEmulator
let served: RunningServer
let timers: Map<number, { run: () => void; ms: number }>
let page: { grecaptcha: Grecaptcha } & Record<string, unknown>
let heard: unknown[]
let isOnline: boolean

beforeEach(async () => {
  recaptcha = createRecaptchaEmulator({ clock: { now: () => 0 } })
  served = await serve(recaptcha.app.fetch)
  timers = new Map()
  heard = []
  isOnline = true
  page = await load()
})

afterEach(() => served.close())

async function load() {
  const src = `${served.origin}/sandbox/recaptcha.js`
  const response = await fetch(src)
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const window: Record<string, unknown> = {}
  runInNewContext(await response.text(), {
    window,
    document: { currentScript: { src }, getElementById: (id: string) => elements[id] ?? null },
    fetch: (address: string, init: RequestInit) =>
      isOnline ? fetch(address, init) : Promise.reject(new TypeError('Failed to fetch')),
    URL,
    setTimeout: (run: () => void, ms: number) => timers.set(timers.size, { run, ms }).size - 1,
    clearTimeout: (id: number) => timers.delete(id),
  })
  return window as typeof page
}

const elements: Record<string, object> = { captcha: {} }

const parameters = () => ({
  sitekey: 'sandbox',
  size: 'invisible',
  callback: (token: string) => heard.push(['token', token]),
  'expired-callback': () => heard.push('expired'),
  'error-callback': () => heard.push('error'),
})

const next = (outcome: unknown) =>
  fetch(`${served.origin}/sandbox/recaptcha/next`, { method: 'POST', body: JSON.stringify({ outcome }) })

it('a captcha token can be used once', async () => {
  const { grecaptcha } = page
  const ready = vi.fn()
  grecaptcha.ready(ready)
  expect(ready).toHaveBeenCalledOnce()
  const id = grecaptcha.render({}, parameters())
  expect([id, grecaptcha.getResponse(id)]).toEqual([0, ''])

  await grecaptcha.execute(id)
  const token = grecaptcha.getResponse()
  expect(heard).toEqual([['token', token]])
  expect([recaptcha.redeem(token), recaptcha.redeem(token)]).toEqual([null, 'DUPE'])

  grecaptcha.reset(id)
  expect([grecaptcha.getResponse(id), timers.size]).toEqual(['', 0])
})

it('the captcha’s token expires two minutes after its issue', async () => {
  const { grecaptcha } = page
  page.onExpired = () => heard.push('expired by name')
  const id = grecaptcha.render({}, { ...parameters(), 'expired-callback': 'onExpired' })
  await grecaptcha.execute(id)
  const [timer] = timers.values()
  expect(timer?.ms).toBe(120_000)
  timer?.run()
  expect([grecaptcha.getResponse(id), heard.at(-1)]).toEqual(['', 'expired by name'])
})

it('each outcome requested from the captcha emulator happens once', async () => {
  const id = page.grecaptcha.render({}, parameters())
  for (const outcome of ['expired', 'error']) await next(outcome)
  for (let run = 0; run < 3; run += 1) await page.grecaptcha.execute(id)
  expect(heard).toEqual(['expired', 'error', ['token', expect.any(String)]])

  expect((await next('other')).status).toBe(400)
  await next('error')
  recaptcha.reset()
  await page.grecaptcha.execute(id)
  expect(heard.at(-1)).toEqual(['token', expect.any(String)])
})

it('the captcha script calls the error callback when the network fails', async () => {
  const id = page.grecaptcha.render({}, parameters())
  isOnline = false
  await page.grecaptcha.execute(id)
  expect(heard).toEqual(['error'])
})

it('resetting the captcha script discards the result of a run in progress', async () => {
  const id = page.grecaptcha.render({}, parameters())
  const running = page.grecaptcha.execute(id)
  page.grecaptcha.reset(id)
  await running
  expect([heard, page.grecaptcha.getResponse(id)]).toEqual([[], ''])
})

it('the captcha script throws the same errors as the real one', async () => {
  const { grecaptcha } = page
  await expect(grecaptcha.execute()).rejects.toThrow('Invalid reCAPTCHA client id')
  expect(() => grecaptcha.render('nowhere', parameters())).toThrow('must be an element or id')
  expect(() => grecaptcha.render({}, {})).toThrow('Missing required parameters: sitekey')
  expect(grecaptcha.render('captcha', parameters())).toBe(0)
  expect(() => grecaptcha.render('captcha', parameters())).toThrow('already been rendered')
})
