import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { createKeeper } from './keeper.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'

let folder: string
let file: string
let said: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passerelle-keeper-'))
  file = join(folder, 'cache', 'sandbox.json')
  said = []
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

const ORIGIN = 'http://localhost:5173'

/** Two that take turns: the keys of a sandbox take a while to make. */
const sandboxes = [1, 2].map(() => createSandbox({ origin: () => ORIGIN, functionsOrigin: () => null }))

/** An empty sandbox with its keeper, as at a start. */
function start() {
  const sandbox = sandboxes.shift() as Sandbox
  sandboxes.push(sandbox)
  sandbox.reset()
  const keeper = createKeeper(sandbox, file, (text) => said.push(text))
  const goesOn = keeper.takeUp()
  return { sandbox, keeper, goesOn }
}

type Started = ReturnType<typeof start>

const signUp = async ({ sandbox }: Started, email: string) => {
  const response = await sandbox.app.request('/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k', {
    method: 'POST',
    body: JSON.stringify({ email, password: 'secret1', returnSecureToken: true }),
  })
  return (await response.json()) as { idToken: string; refreshToken: string }
}

const emailsOf = ({ sandbox }: Started) => sandbox.auth.dump().accounts.map(({ email }) => email)
const others = () => readdirSync(join(folder, 'cache')).filter((name) => name !== 'sandbox.json')

/** Everything, for a comparison: what is JSON only, as in the file. */
const all = ({ sandbox }: Started) => JSON.parse(JSON.stringify(sandbox.dump()))

describe('what a sandbox holds', () => {
  test('is there again at the next start: accounts, sessions, keys, mails, documents, files, payments', async () => {
    const first = start()
    expect(first.goesOn).toBe(false)
    const { idToken, refreshToken } = await signUp(first, 'awa@example.com')
    await first.sandbox.app.request('/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=k', {
      method: 'POST',
      body: JSON.stringify({ requestType: 'VERIFY_EMAIL', idToken }),
    })
    await first.sandbox.invoices.issue()
    await first.sandbox.app.request('/v0/b/b/o?name=identity%2Fada%2Fx', {
      method: 'POST',
      headers: {
        authorization: 'Bearer owner',
        'x-goog-upload-protocol': 'multipart',
        'content-type': 'multipart/related; boundary=x',
      },
      body: '--x\r\nContent-Type: application/json\r\n\r\n{}\r\n--x\r\nContent-Type: a/b\r\n\r\nhello\r\n--x--',
    })
    const payment = { amount: '10000', currency: 'eur', 'automatic_payment_methods[enabled]': 'true' }
    const paid = await first.sandbox.app.request('/v1/payment_intents', {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_sandbox', 'idempotency-key': 'attempt' },
      body: new URLSearchParams(payment),
    })
    expect(paid.status).toBe(200)
    first.sandbox.mtn.fill(1)
    await first.keeper.close()

    const second = start()
    expect(second.goesOn).toBe(true)
    expect(all(second)).toEqual(all(first))
    expect(second.sandbox.auth.mails()).toMatchObject([{ to: 'awa@example.com' }])
    expect(second.sandbox.storage.objects().map(({ content }) => content.toString())).toEqual(['hello'])
    expect(second.sandbox.stripe.paymentIntents()).toHaveLength(1)
    expect(second.sandbox.mtn.balance()).toBe(100_000_001)
    // Who was signed in still is, by the token at hand and by the next.
    expect(await second.sandbox.auth.identify(`Bearer ${idToken}`)).toMatchObject({ kind: 'user' })
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken })
    const renewed = await second.sandbox.app.request('/securetoken.googleapis.com/v1/token?key=k', {
      method: 'POST',
      body: form,
    })
    expect(renewed.status).toBe(200)
    expect(said).toEqual([])
  })

  test('is in the file a moment after a change, without a word to the keeper at the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const server = start()
    await signUp(server, 'awa@example.com')
    server.keeper.changed()
    server.keeper.changed()
    expect(existsSync(file)).toBe(false)
    vi.advanceTimersByTime(200)
    vi.useRealTimers()
    await expect.poll(() => existsSync(file)).toBe(true)
    expect(emailsOf(start())).toEqual(['awa@example.com'])
    expect(others()).toEqual([])
  })

  test('is written again only when it is another', async () => {
    const server = start()
    await server.keeper.close()
    const text = readFileSync(file, 'utf8')
    rmSync(file)
    await server.keeper.close()
    expect(existsSync(file)).toBe(false)
    await signUp(server, 'awa@example.com')
    await server.keeper.close()
    expect(readFileSync(file, 'utf8')).not.toBe(text)
  })
})

describe('a file that a start can’t go on from', () => {
  const keep = async () => {
    const server = start()
    await signUp(server, 'awa@example.com')
    await server.keeper.close()
    return readFileSync(file, 'utf8')
  }
  const change = (
    text: string,
    edit: (kept: { version: number; holds: Record<string, unknown> }) => void,
  ) => {
    const kept = JSON.parse(text)
    edit(kept)
    return JSON.stringify(kept)
  }

  test.each<[string, (text: string) => string]>([
    ['cut off', (text) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['of something else', () => '{"accounts":[]}'],
    ['of another version', (text) => change(text, (kept) => (kept.version = 0))],
    ['with a part of another form', (text) => change(text, ({ holds }) => (holds.auth = { accounts: {} }))],
    ['with a part missing', (text) => change(text, ({ holds }) => delete holds.firestore)],
    [
      'with records that make the load fail',
      (text) => change(text, ({ holds }) => (holds.firestore = { documents: { 'users/x': null } })),
    ],
  ])('%s is kept aside, with a word, and the sandbox begins anew', async (_, spoil) => {
    const spoilt = spoil(await keep())
    writeFileSync(file, spoilt)
    const next = start()
    expect(next.goesOn).toBe(false)
    expect(emailsOf(next)).toEqual([])
    const [aside = ''] = others()
    expect(readFileSync(join(folder, 'cache', aside), 'utf8')).toBe(spoilt)
    expect(said.join('\n')).toContain(`${file} is nothing that the sandbox can go on from`)
    expect(said.join('\n')).toContain(aside)
    // The new one works, and is kept in its place.
    await signUp(next, 'binta@example.com')
    await next.keeper.close()
    expect(emailsOf(start())).toEqual(['binta@example.com'])
  })

  test('a part that came with a later version is empty', async () => {
    const older = change(await keep(), ({ holds }) => {
      delete (holds.auth as Record<string, unknown>).smsCodes
      delete (holds.stripe as Record<string, unknown>).disputes
      delete holds.storage
      delete holds.mtn
    })
    writeFileSync(file, older)
    const next = start()
    expect([next.goesOn, emailsOf(next)]).toEqual([true, ['awa@example.com']])
    expect(next.sandbox.auth.dump().smsCodes).toEqual([])
    expect(next.sandbox.storage.objects()).toEqual([])
    expect(next.sandbox.mtn.balance()).toBe(100_000_000)
  })

  test('what a crash left half written beside it is nothing', async () => {
    await keep()
    writeFileSync(`${file}.new`, '{"format":')
    const next = start()
    expect([next.goesOn, emailsOf(next)]).toEqual([true, ['awa@example.com']])
  })
})

it('never writes over what another server has written', async () => {
  const [one, other] = [start(), start()]
  await signUp(one, 'awa@example.com')
  await one.keeper.close()
  await signUp(other, 'binta@example.com')
  await other.keeper.close()
  await other.keeper.close()
  expect(said).toEqual([`What the sandbox holds is not kept: something else has written ${file}`])
  expect(emailsOf(start())).toEqual(['awa@example.com'])
})

it('says once that it can’t write, and goes on trying', async () => {
  writeFileSync(join(folder, 'cache'), 'a file where the folder should be')
  const server = start()
  await server.keeper.close()
  await server.keeper.close()
  expect(said).toEqual([expect.stringMatching(/^What the sandbox holds is not kept: E(EXIST|NOTDIR)/)])
  rmSync(join(folder, 'cache'))
  await server.keeper.close()
  expect(start().goesOn).toBe(true)
})
