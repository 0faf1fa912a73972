import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from './sandbox.ts'
import { createSandboxStore } from './sandboxStore.ts'

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

/** Creating the keys of a sandbox takes a while. */
const sandboxes = [1, 2].map(() => createSandbox({ origin: () => ORIGIN, functionsOrigin: () => null }))

function start() {
  const sandbox = sandboxes.shift() as Sandbox
  sandboxes.push(sandbox)
  sandbox.reset()
  const keeper = createSandboxStore(sandbox, file, (text) => said.push(text))
  const goesOn = keeper.loadFile()
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

const listEmails = ({ sandbox }: Started) => sandbox.auth.dump().accounts.map(({ email }) => email)
const others = () => readdirSync(join(folder, 'cache')).filter((name) => name !== 'sandbox.json')

const all = ({ sandbox }: Started) => JSON.parse(JSON.stringify(sandbox.dump()))

describe('a stored sandbox', () => {
  test('the next start restores the whole data of a sandbox', async () => {
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
    const payment = { amount: '10000', currency: 'eur' }
    const paid = await first.sandbox.app.request('/v1/payment_intents', {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_sandbox', 'idempotency-key': 'attempt' },
      body: new URLSearchParams(payment),
    })
    expect(paid.status).toBe(200)
    first.sandbox.mtn.addBalance(1)
    await first.keeper.close()

    const second = start()
    expect(second.goesOn).toBe(true)
    expect(all(second)).toEqual(all(first))
    expect(second.sandbox.auth.mails()).toMatchObject([{ to: 'awa@example.com' }])
    expect(second.sandbox.storage.objects().map(({ content }) => content.toString())).toEqual(['hello'])
    expect(second.sandbox.stripe.paymentIntents()).toHaveLength(1)
    expect(second.sandbox.mtn.balance()).toBe(100_000_001)
    // Existing sessions are still valid, with the current token and a renewed one.
    expect(await second.sandbox.auth.identify(`Bearer ${idToken}`)).toMatchObject({ kind: 'user' })
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken })
    const renewed = await second.sandbox.app.request('/securetoken.googleapis.com/v1/token?key=k', {
      method: 'POST',
      body: form,
    })
    expect(renewed.status).toBe(200)
    expect(said).toEqual([])
  })

  test('the sandbox writes its file soon after a change', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const server = start()
    await signUp(server, 'awa@example.com')
    server.keeper.noteChange()
    server.keeper.noteChange()
    expect(existsSync(file)).toBe(false)
    vi.advanceTimersByTime(200)
    vi.useRealTimers()
    await expect.poll(() => existsSync(file)).toBe(true)
    expect(listEmails(start())).toEqual(['awa@example.com'])
    expect(others()).toEqual([])
  })

  test('the sandbox writes its file only if the content has changed', async () => {
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

describe('a file that can’t be loaded', () => {
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
    ['of another format', () => '{"accounts":[]}'],
    ['of another version', (text) => change(text, (kept) => (kept.version = 0))],
    ['with a part of another form', (text) => change(text, ({ holds }) => (holds.auth = { accounts: {} }))],
    ['with a part missing', (text) => change(text, ({ holds }) => delete holds.storage)],
    [
      'with a field missing',
      (text) => change(text, ({ holds }) => delete (holds.auth as { smsCodes?: unknown }).smsCodes),
    ],
    [
      'with records that make the load fail',
      (text) => change(text, ({ holds }) => (holds.firestore = { documents: { 'users/x': null } })),
    ],
  ])('the sandbox moves an invalid file aside and starts empty: %s', async (_, spoil) => {
    const spoilt = spoil(await keep())
    writeFileSync(file, spoilt)
    const next = start()
    expect(next.goesOn).toBe(false)
    expect(listEmails(next)).toEqual([])
    const [aside = ''] = others()
    expect(readFileSync(join(folder, 'cache', aside), 'utf8')).toBe(spoilt)
    expect(said.join('\n')).toContain(`The sandbox can't read ${file}: `)
    expect(said.join('\n')).toContain(aside)
    await signUp(next, 'binta@example.com')
    await next.keeper.close()
    expect(listEmails(start())).toEqual(['binta@example.com'])
  })

  test('the sandbox ignores a half-written file next to its own', async () => {
    await keep()
    writeFileSync(`${file}.new`, '{"format":')
    const next = start()
    expect([next.goesOn, listEmails(next)]).toEqual([true, ['awa@example.com']])
  })
})

it('the sandbox never overwrites a file that another server has written', async () => {
  const [one, other] = [start(), start()]
  await signUp(one, 'awa@example.com')
  await one.keeper.close()
  await signUp(other, 'binta@example.com')
  await other.keeper.close()
  await other.keeper.close()
  expect(said).toEqual([`The sandbox can't save its data: another program has written ${file}`])
  expect(listEmails(start())).toEqual(['awa@example.com'])
})

it('the sandbox reports an unwritable file once, and keeps trying', async () => {
  writeFileSync(join(folder, 'cache'), 'a file where the folder should be')
  const server = start()
  await server.keeper.close()
  await server.keeper.close()
  expect(said).toEqual([expect.stringMatching(/^The sandbox can't save its data: E(EXIST|NOTDIR)/)])
  rmSync(join(folder, 'cache'))
  await server.keeper.close()
  expect(start().goesOn).toBe(true)
})
