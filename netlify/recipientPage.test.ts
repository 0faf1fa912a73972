import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { DAY, HOUR, MINUTE } from '../domain/duration.ts'
import { PATHS } from '../sandbox/functions.ts'
import { config } from './functions/recipient-page.ts'
import { updateDelivery } from './server/payouts/deliver.ts'
import { buildRecipientLink, LINK_DAYS, readRecipientLink } from './server/payouts/recipientPage/links.ts'
import { TOKENS } from './server/payouts/recipientPage/style.ts'
import type { Context } from './server/platform/context.ts'
import { pathOf } from './server/platform/registry.ts'
import { later, mtn, order, paid } from './testing/deliveries.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { functionModule } from './testing/functions.ts'
import { START } from './testing/world.ts'

testInEmptyWorld()
beforeEach(() => mtn())

async function open(
  path: string,
  {
    method = 'GET',
    language = '',
    as = world.context,
    ip = '192.0.2.1',
  }: { method?: string; language?: string; as?: Context; ip?: string } = {},
) {
  const headers = language ? { 'accept-language': language } : undefined
  const request = new Request(`https://passerelle.example${path}`, { method, ...(headers && { headers }) })
  const response = await functionModule('recipient-page').respond(request, () => as, { ip })
  return { status: response.status, headers: response.headers, page: await response.text() }
}

const stored = async (id: string) => (await world.context.db.doc(`transactions/${id}`).get()).data()
const proof = async (id: string): Promise<string> => (await stored(id))?.recipientLink
const heading = (page: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(page)?.[1]

/** A transfer that somebody has paid, and its link. */
async function sent() {
  const transfer = await paid()
  return { ...transfer, path: await proof(transfer.id) }
}

describe('a link', () => {
  test('is written with the transfer, and only where somebody pays out', async () => {
    const { path, id } = await sent()
    expect(path).toMatch(new RegExp(`^/t/${id}\\.[0-9a-z]+\\.[\\w-]{22}$`))
    world.payOutBy()
    expect(await proof((await paid()).id)).toBe(null)
  })

  test(`answers for ${LINK_DAYS} days, and then says that it proves nothing, whatever became of the account`, async () => {
    const { path } = await sent()
    world.pass(LINK_DAYS * DAY - 1000)
    expect(await open(path)).toMatchObject({ status: 200 })
    world.pass(1000)
    const reads = world.requests.length
    const { status, page } = await open(path)
    expect([status, heading(page)]).toEqual([410, 'Ce lien a pris fin'])
    expect(page).toContain('Cette page ne prouve rien')
    // One that was never ours does not learn that its time would be over.
    expect(await open(`${path.slice(0, -1)}-`)).toMatchObject({ status: path.endsWith('-') ? 410 : 404 })
    expect(world.requests.slice(reads).some((request) => request.includes('transactions'))).toBe(false)
  })

  test('answers who asks for the head of its page alone as who opens it', async () => {
    const { path } = await sent()
    for (const [asked, status] of [
      [path, 200],
      ['/t/x', 404],
    ] as const) {
      const head = await open(asked, { method: 'HEAD' })
      expect(head.status).toBe(status)
      expect([...head.headers]).toEqual([...(await open(asked)).headers])
    }
    expect(await open(path, { method: 'POST' })).toMatchObject({ status: 405 })
  })

  test('opens nothing once a letter of it is another one', async () => {
    const { path } = await sent()
    const isOpen = (changed: string) => readRecipientLink(world.context, changed).kind !== 'forged'
    expect(isOpen(path)).toBe(true)
    const character = fc.constantFrom(
      ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./%',
    )
    fc.assert(
      fc.property(
        fc.nat(path.length - 1),
        fc.nat(2),
        fc.string({ unit: character, maxLength: 3 }),
        (at, without, put) => {
          const changed = path.slice(0, at) + put + path.slice(at + without)
          fc.pre(changed !== path)
          expect(isOpen(changed), changed).toBe(false)
        },
      ),
      { numRuns: 5000 },
    )
    // The last letter stands for fewer bits than it has.
    for (const last of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_')
      expect(isOpen(path.slice(0, -1) + last)).toBe(path.endsWith(last))
  })

  test('is of one transfer, one end, one deployment and one key', async () => {
    const [one, other] = [await sent(), await sent()]
    const [, id = '', end = '', signature = ''] = /^\/t\/(\w+)\.(\w+)\.(.+)$/.exec(one.path) ?? []
    const later = (parseInt(end, 36) + 1).toString(36)
    for (const path of [`/t/${other.id}.${end}.${signature}`, `/t/${id}.${later}.${signature}`])
      expect(await open(path)).toMatchObject({ status: 404 })
    expect(await open(one.path, { as: { ...world.context, deployment: 'staging' } })).toMatchObject({
      status: 404,
    })
    const pseudonym = (text: string) => world.context.pseudonym(`another key ${text}`)
    expect(await open(one.path, { as: { ...world.context, pseudonym } })).toMatchObject({ status: 404 })
    expect(await open(one.path)).toMatchObject({ status: 200 })
  })
})

describe('who guesses', () => {
  test('gets one answer for a wrong signature, an unknown transfer and an account that is gone, after the same work', async () => {
    const { path, id, uid } = await sent()
    const answer = async (at: string) => {
      const before = world.requests.length
      const { status, headers, page } = await open(at)
      const asked = world.requests.slice(before).map((request) => request.replace(/\d{4,}/g, ''))
      return { status, page: page.replaceAll(at, ''), asked, headers: [...headers] }
    }
    const wrong = await answer(`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`)
    expect(wrong.status).toBe(404)
    expect(wrong.page).toContain('Cette page ne prouve rien')
    expect(wrong.page).not.toContain(id)
    expect(await answer('/t/')).toEqual(wrong)
    expect(await answer(buildRecipientLink(world.context, 'pi_unknown', START) ?? '')).toEqual(wrong)
    // The account is only deleted when nothing is open.
    await later()
    expect(await order(id)).toMatchObject({ state: 'delivered' })
    expect(await open(path)).toMatchObject({ status: 200 })
    const token = await world.token(uid)
    expect(await world.invoke('delete-account', {}, { token })).toMatchObject({ status: 200 })
    expect(await answer(path)).toEqual({ ...wrong, headers: (await answer('/t/')).headers })
  })

  test('has nothing of a transfer read before the signature is ours', async () => {
    const { path, id, uid } = await sent()
    const read = vi.spyOn(world.context.db, 'getAll')
    const ids = () => read.mock.calls.flat().flatMap((ref) => ('id' in ref ? [ref.id] : []))
    await open(`${path.slice(0, -2)}--`)
    expect(new Set(ids())).toEqual(new Set(['nobody at all']))
    const before = ids().length
    await open(path)
    expect(ids().slice(before)).toEqual([id, id, uid])
    read.mockRestore()
  })

  test('is stopped after some hundred pages, by network, and told when to come back', async () => {
    const { path } = await sent()
    for (const asked of ['/t/x', path]) {
      for (let i = 0; i < 60; i += 1) await open(asked, { ip: '2001:db8::1' })
      const { status, headers, page } = await open(asked, { ip: '2001:db8::2' })
      expect([status, headers.get('retry-after'), heading(page)]).toEqual([429, '600', 'Trop de demandes'])
      // Who guesses shuts out nobody who has a link.
      if (asked !== path) expect(await open(path, { ip: '2001:db8::2' })).toMatchObject({ status: 200 })
      if (asked !== path) world.pass(10 * MINUTE)
    }
    expect(await open(path, { ip: '2001:db8:1::1' })).toMatchObject({ status: 200 })
    world.pass(10 * MINUTE)
    expect(await open(path, { ip: '2001:db8::2' })).toMatchObject({ status: 200 })
  })

  test('learns nothing from a database that does not answer', async () => {
    const { path } = await sent()
    const unreachable = { on: 'POST /v1/projects', times: 99, what: { kind: 'status', status: 503 } } as const
    world.sandbox.faults.add(unreachable)
    const answers = [await open(path), await open('/t/x')]
    world.sandbox.faults.reset()
    for (const { status, page } of answers)
      expect([status, heading(page)]).toEqual([503, 'Pas de réponse pour l’instant'])
  })
})

describe('what stands there', () => {
  const HEADINGS = {
    onItsWay: ['L’argent est en route', 'The money is on its way'],
    handedOver: ['L’argent arrive bientôt', 'The money arrives soon'],
    late: ['Plus tard que prévu', 'Later than planned'],
    delivered: ['L’argent est arrivé', 'The money has arrived'],
    failed: ['Le transfert n’a pas pu être remis', 'The transfer could not be delivered'],
    unclear: ['Nous vérifions ce transfert', 'We are checking this transfer'],
  } as const

  const headings = async (path: string) => [
    heading((await open(path, { language: 'fr-CA,fr;q=0.9' })).page),
    heading((await open(path, { language: 'en-GB,en;q=0.9,fr;q=0.8' })).page),
  ]
  const arrives = (id: string) =>
    updateDelivery(world.context, id, () => ({
      type: 'payout.delivered',
      proof: '20261123884821',
      at: world.now(),
    }))

  test('is where it stands, in the language of the browser', async () => {
    const { path, id } = await sent()
    expect(await headings(path)).toEqual(HEADINGS.handedOver)
    world.pass(HOUR)
    expect(await headings(path)).toEqual(HEADINGS.late)
    await arrives(id)
    expect(await headings(path)).toEqual(HEADINGS.delivered)
    const { page } = await open(path)
    expect(page).toContain('<time datetime="2026-11-20T12:00:00.000Z">20 novembre 2026 à 12:00 UTC</time>')
    expect(page).toContain('<time datetime="2026-11-20T13:00:00.000Z">')
    expect(page).toContain('Montant reçu')
    expect(page).toContain('1\u202f028\u202f200\u00a0GNF')
  })

  test('is that it waits for people, who have it in hand', async () => {
    world.payOutBy({ ...world.payouts.provider, pays: () => false })
    const { path } = await sent()
    expect(await headings(path)).toEqual(HEADINGS.onItsWay)
  })

  test('is that it goes back, and then that it went back', async () => {
    world.payOutBy({ ...world.payouts.provider, pays: () => false })
    const { path, id } = await sent()
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 9, what: { kind: 'status', status: 503 } })
    await updateDelivery(world.context, id, () => ({
      type: 'order.giveUp',
      failure: 'recipientUnknown',
      at: world.now(),
    }))
    expect(await headings(path)).toEqual(HEADINGS.failed)
    expect((await open(path)).page).toContain('Il retourne à la personne qui l’a envoyé.')
    world.sandbox.faults.reset()
    await later()
    await later()
    expect(await order(id)).toMatchObject({ state: 'paidBack' })
    expect((await open(path)).page).toContain('Il est retourné à la personne qui l’a envoyé.')
  })

  test('is that nobody knows, when an operator has written something else down', async () => {
    const { path, id } = await sent()
    await world.context.db.doc(`transactions/${id}`).update({ status: 'in review' })
    expect(await headings(path)).toEqual(HEADINGS.unclear)
  })

  test.each([
    [undefined, 'fr'],
    ['de,en;q=0.5,fr;q=0.4', 'en'],
    ['en;q=0,fr;q=0.1', 'fr'],
    ['de', 'fr'],
    ['*', 'fr'],
    ['EN-us', 'en'],
  ])(
    'is told to a browser that wants %j in %s, with a link to the other language',
    async (accepted, spoken) => {
      const { path } = await sent()
      const { page, headers } = await open(path, { ...(accepted && { language: accepted }) })
      expect(headers.get('content-language')).toBe(spoken)
      expect(page).toContain(`<html lang="${spoken}">`)
      const other = spoken === 'fr' ? 'en' : 'fr'
      expect(page).toContain(`href="?lang=${other}"`)
      expect(
        (await open(`${path}?lang=${other}`, { ...(accepted && { language: accepted }) })).page,
      ).toContain(`<html lang="${other}">`)
    },
  )

  test('never has what is not for the recipient', async () => {
    const { path, id, uid, phone } = await sent()
    await world.context.db.doc(`users/${uid}`).update({ name: 'Ada Lovelace' })
    await arrives(id)
    const { page } = await open(path)
    expect(page).toContain('Ada')
    expect(page).toContain('+224*******')
    expect(page).toContain('se termine par 4821')
    const sender = (await world.context.db.doc(`users/${uid}`).get()).data()
    for (const secret of ['Lovelace', sender?.email, uid, phone, '2026112388', '100,00', '97,00', '3,00'])
      expect(page).not.toContain(secret)
  })

  test.each([
    ['<script>alert(1)</script>', 'script'],
    ['&quot;onload=', 'onload'],
    ['appelez-le+224620000000', '224620000000'],
  ])('is no place for somebody who is called %s', async (name, harmful) => {
    const { path, uid } = await sent()
    await world.context.db.doc(`users/${uid}`).update({ name })
    const { status, page } = await open(path)
    expect(status).toBe(200)
    expect(page).not.toContain(harmful)
    expect(page).not.toContain('Envoyé par')
  })

  test('has what is text as text', async () => {
    const { path, uid, id } = await sent()
    await world.context.db.doc(`users/${uid}`).update({ name: "N'Faly" })
    await updateDelivery(world.context, id, () => ({
      type: 'payout.delivered',
      proof: '<b>&"',
      at: world.now(),
    }))
    const { page } = await open(path)
    expect(page).toContain('N&#39;Faly')
    expect(page).toContain('se termine par &#38;&#34;')
  })

  test('says that only the address of this site proves something, and names it', async () => {
    const { path } = await sent()
    const { page } = await open(path)
    expect(page).toContain('Seule l’adresse de ce site prouve quelque chose.')
    expect(page).toContain('<strong>passerelle.example</strong>')
  })
})

describe('the page itself', () => {
  test('loads nothing, runs nothing, and is not kept, found, framed or told of', async () => {
    const { path } = await sent()
    for (const at of [path, '/t/x']) {
      const { headers, page } = await open(at)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; style-src 'sha256-[\w+/]+='; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
        ),
        'x-robots-tag': 'noindex, nofollow, noarchive',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
      })
      expect(page).not.toMatch(/<script|<iframe|<form|\bon\w+=|style="|http-equiv/)
      expect(Buffer.byteLength(page)).toBeLessThan(15_000)
    }
  })

  test('has the colours of the product', () => {
    const theme = readFileSync('src/ui/theme.css', 'utf8')
    const [, light = '', dark = ''] = theme.split(/^:root(?:\[data-mantine-color-scheme="dark"\])? \{$/m)
    const colourIn = (block: string, name: string) => new RegExp(`^  --${name}: (.*);$`, 'm').exec(block)?.[1]
    for (const [name, colour] of Object.entries(TOKENS.light)) expect(colourIn(light, name)).toBe(colour)
    for (const [name, colour] of Object.entries(TOKENS.dark)) expect(colourIn(dark, name)).toBe(colour)
    // What it takes of the light ones in the dark has no other colour there.
    for (const name of Object.keys(TOKENS.light).filter((name) => !(name in TOKENS.dark)))
      expect(colourIn(dark, name)).toBeUndefined()
  })

  test('stands where its function, the sandbox and the registry say', () => {
    expect([config.path, PATHS['recipient-page'], pathOf('recipient-page')]).toEqual(['/t/*', '/t/*', '/t/*'])
  })
})
