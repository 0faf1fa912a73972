import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../../domain/common/duration.ts'
import { deliveryOrderSchema } from '../../../../domain/payouts/deliveryOrder.ts'
import { FUNCTION_PATHS } from '../../../../sandbox/functions.ts'
import { config } from '../../../functions/recipient-page.ts'
import {
  enableSimulatedProvider,
  passTimeWithJob,
  payTransfer,
  readOrder,
  renameSender,
} from '../../../testing/deliveries.ts'
import { resetWorldForEachTest, world } from '../../../testing/emptyWorld.ts'
import { getFunctionModule } from '../../../testing/functions.ts'
import { WORLD_START } from '../../../testing/world.ts'
import { getFunctionPath } from '../../endpoints/registry.ts'
import type { Context } from '../../platform/context.ts'
import { updateDelivery } from '../deliver.ts'
import { buildRecipientLink, RECIPIENT_LINK_DAYS, verifyRecipientLink } from './links.ts'
import { COLOR_TOKENS } from './style.ts'

resetWorldForEachTest()
beforeEach(() => enableSimulatedProvider())

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
  const response = await getFunctionModule('recipient-page').respond(request, () => as, { ip })
  return { status: response.status, headers: response.headers, page: await response.text() }
}

const stored = async (id: string) => (await world.context.db.doc(`transactions/${id}`).get()).data()
const readLink = async (id: string): Promise<string> => (await stored(id))?.recipientLink
const heading = (page: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(page)?.[1]

async function payWithLink(names: { readonly senderName?: string; readonly recipientName?: string } = {}) {
  const { recipientName = 'Mariama Bah', ...sender } = names
  const transfer = await payTransfer({ ...sender, request: { recipientName } })
  return { ...transfer, path: await readLink(transfer.id) }
}

describe('a recipient’s link', () => {
  test('a recipient’s link is stored only with a payout provider', async () => {
    const { path, id } = await payWithLink()
    expect(await verifyRecipientLink(world.context, path)).toMatchObject({ kind: 'open', facts: { id } })
    world.payOutBy()
    expect(await readLink((await payTransfer()).id)).toBe(null)
  })

  test(`a recipient’s link opens for ${RECIPIENT_LINK_DAYS} days, then has expired`, async () => {
    const { path, id } = await payWithLink()
    world.pass(RECIPIENT_LINK_DAYS * DAY - 1000)
    expect(await open(path)).toMatchObject({ status: 200 })
    world.pass(1000)
    const reads = world.requests.length
    const { status, page } = await open(path)
    expect([status, heading(page)]).toEqual([410, 'Ce lien a expiré'])
    expect(page).toContain('Une image ou une copie de cette page ne prouve rien.')
    // The signature still proves its facts.
    expect(page).toContain('Il dit\u00a0: Confié au service de paiement, <time')
    expect(page).toContain(id)
    // An unsigned link does not reveal whether it would have expired.
    expect(await open(`${path.slice(0, -1)}-`)).toMatchObject({ status: path.endsWith('-') ? 410 : 404 })
    expect(world.requests.slice(reads).some((request) => request.includes('transactions'))).toBe(false)
  })

  test('the recipient’s page answers HEAD like GET, and refuses POST', async () => {
    const { path } = await payWithLink()
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

  test('rejects a recipient’s link with any character changed', async () => {
    const { path } = await payWithLink()
    for (let at = 0; at < path.length; at += 1)
      for (const put of ['', path[at] === 'A' ? 'B' : 'A']) {
        const changed = path.slice(0, at) + put + path.slice(at + 1)
        expect(await verifyRecipientLink(world.context, changed), changed).toEqual({ kind: 'forged' })
      }
  })

  test('binds a recipient’s link to one deployment and key', async () => {
    const { path } = await payWithLink()
    const { receipts } = world.context
    const staging = { ...world.context, deployment: 'staging' }
    const otherKey = { ...world.context, receipts: receipts && { ...receipts, keys: [] } }
    for (const as of [staging, otherKey]) expect(await open(path, { as })).toMatchObject({ status: 404 })
    expect(await open(path)).toMatchObject({ status: 200 })
  })

  test('each state has its own link, and earlier links stay valid', async () => {
    const { path, id } = await payWithLink()
    const getState = async (link: string) => {
      const verified = await verifyRecipientLink(world.context, link)
      return verified.kind === 'open' ? [verified.facts.state, verified.facts.at] : null
    }
    expect(await getState(path)).toEqual(['handedOver', WORLD_START])
    world.pass(HOUR)
    await updateDelivery(world.context, id, () => ({
      type: 'payout.delivered',
      proof: '20261123884821',
      at: world.now(),
    }))
    const later = await readLink(id)
    expect(await getState(later)).toEqual(['delivered', WORLD_START + HOUR])
    const pages = [await open(path), await open(later)].map(({ page }) => page)
    expect(pages.map(heading)).toEqual(['L’argent est arrivé', 'L’argent est arrivé'])
    expect(pages[0]).toContain('Il dit\u00a0: Confié au service de paiement, <time')
    expect(pages[1]).toContain('Il dit\u00a0: Arrivé, <time')
  })
})

describe('a guessed link', () => {
  test('guessed links get one response after the same work', async () => {
    const { path, id, uid } = await payWithLink()
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
    const order = v.parse(deliveryOrderSchema, await readOrder(id))
    expect(await answer(buildRecipientLink(world.context, 'pi_unknown', order) ?? '')).toEqual(wrong)
    // An account can only be deleted when none of its transfers is open.
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'delivered' })
    expect(await open(path)).toMatchObject({ status: 200 })
    const token = await world.token(uid)
    expect(await world.invoke('delete-account', {}, { token })).toMatchObject({ status: 200 })
    expect(await answer(path)).toEqual({ ...wrong, headers: (await answer('/t/')).headers })
  })

  test('reads no transfer before the signature of the recipient’s link is verified', async () => {
    const { path, id, uid } = await payWithLink()
    const read = vi.spyOn(world.context.db, 'getAll')
    const ids = () => read.mock.calls.flat().flatMap((ref) => ('id' in ref ? [ref.id] : []))
    await open(`${path.slice(0, -2)}--`)
    expect(new Set(ids())).toEqual(new Set(['no-such-user']))
    const before = ids().length
    await open(path)
    expect(ids().slice(before)).toEqual([id, id, uid])
    read.mockRestore()
  })

  test('each network’s calls are limited until a named time', async () => {
    const { path } = await payWithLink()
    for (const asked of ['/t/x', path]) {
      for (let i = 0; i < 60; i += 1) await open(asked, { ip: '2001:db8::1' })
      const { status, headers, page } = await open(asked, { ip: '2001:db8::2' })
      expect([status, headers.get('retry-after'), heading(page)]).toEqual([429, '600', 'Trop de demandes'])
      // Guessing does not lock out users with a link.
      if (asked !== path) expect(await open(path, { ip: '2001:db8::2' })).toMatchObject({ status: 200 })
      if (asked !== path) world.pass(10 * MINUTE)
    }
    expect(await open(path, { ip: '2001:db8:1::1' })).toMatchObject({ status: 200 })
    world.pass(10 * MINUTE)
    expect(await open(path, { ip: '2001:db8::2' })).toMatchObject({ status: 200 })
  })

  test('a silent database answers real and guessed links alike', async () => {
    const { path } = await payWithLink()
    const unreachable = { on: 'POST /v1/projects', times: 99, what: { kind: 'status', status: 503 } } as const
    world.sandbox.faults.add(unreachable)
    const answers = [await open(path), await open('/t/x')]
    world.sandbox.faults.reset()
    for (const { status, page } of answers)
      expect([status, heading(page)]).toEqual([503, 'Pas de réponse pour l’instant'])
  })
})

describe('the content of the page', () => {
  const HEADINGS = {
    onItsWay: ['L’argent est en route', 'The money is on its way'],
    handedOver: ['L’argent arrive bientôt', 'The money will arrive soon'],
    late: ['Plus tard que prévu', 'Later than expected'],
    delivered: ['L’argent est arrivé', 'The money has arrived'],
    failed: ['Le transfert n’a pas pu être remis', 'The transfer could not be delivered'],
    unclear: ['Nous vérifions ce transfert', 'We are checking this transfer'],
  } as const

  const headings = async (path: string) => [
    heading((await open(path, { language: 'fr-CA,fr;q=0.9' })).page),
    heading((await open(path, { language: 'en-GB,en;q=0.9,fr;q=0.8' })).page),
  ]
  const markDelivered = (id: string) =>
    updateDelivery(world.context, id, () => ({
      type: 'payout.delivered',
      proof: '20261123884821',
      at: world.now(),
    }))

  test('the page shows the status in the browser’s language', async () => {
    const { path, id } = await payWithLink()
    expect(await headings(path)).toEqual(HEADINGS.handedOver)
    world.pass(HOUR)
    expect(await headings(path)).toEqual(HEADINGS.late)
    await markDelivered(id)
    expect(await headings(path)).toEqual(HEADINGS.delivered)
    const { page } = await open(path)
    expect(page).toContain('<time datetime="2026-11-20T12:00:00.000Z">20 novembre 2026 à 12:00 UTC</time>')
    expect(page).toContain('<time datetime="2026-11-20T13:00:00.000Z">')
    expect(page).toContain('Montant reçu')
    expect(page).toContain('1\u202f028\u202f200\u00a0GNF')
  })

  test('the page names the number of the transfer', async () => {
    const { path, id } = await payWithLink()
    expect((await open(path)).page).toContain(`<dt>Numéro du transfert</dt><dd>${id}</dd>`)
  })

  test('the page shows a transfer waiting for operators as moving', async () => {
    world.payOutBy({ ...world.payouts.provider, pays: () => false })
    const { path } = await payWithLink()
    expect(await headings(path)).toEqual(HEADINGS.onItsWay)
  })

  test('the page shows a refund in progress, then done', async () => {
    world.payOutBy({ ...world.payouts.provider, pays: () => false })
    const { path, id } = await payWithLink()
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 9, what: { kind: 'status', status: 503 } })
    await updateDelivery(world.context, id, () => ({
      type: 'order.markFailed',
      failure: 'recipientUnknown',
      at: world.now(),
    }))
    expect(await headings(path)).toEqual(HEADINGS.failed)
    expect((await open(path)).page).toContain('Il retourne à la personne qui l’a envoyé.')
    world.sandbox.faults.reset()
    await passTimeWithJob()
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'paidBack' })
    expect((await open(path)).page).toContain('Il est retourné à la personne qui l’a envoyé.')
  })

  test('the page shows an unknown stored status as being checked', async () => {
    const { path, id } = await payWithLink()
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
  ])('the page answers %j in %s, with the other language linked', async (accepted, spoken) => {
    const { path } = await payWithLink()
    const { page, headers } = await open(path, { ...(accepted && { language: accepted }) })
    expect(headers.get('content-language')).toBe(spoken)
    expect(page).toContain(`<html lang="${spoken}">`)
    const other = spoken === 'fr' ? 'en' : 'fr'
    expect(page).toContain(`href="?lang=${other}"`)
    expect((await open(`${path}?lang=${other}`, { ...(accepted && { language: accepted }) })).page).toContain(
      `<html lang="${other}">`,
    )
  })

  test('the page hides last names, address, number, proof and price', async () => {
    const { path, id, uid, phone } = await payWithLink()
    await markDelivered(id)
    const { page } = await open(path)
    expect(page).toContain('<dd>Ada</dd>')
    expect(page).toContain('<dd>Mariama</dd>')
    expect(page).toContain('+224*******')
    expect(page).toContain('se termine par 4821')
    const sender = (await world.context.db.doc(`users/${uid}`).get()).data()
    for (const secret of [
      'Lovelace',
      'Bah',
      sender?.email,
      uid,
      phone,
      '2026112388',
      '100,00',
      '97,00',
      '3,00',
    ])
      expect(page).not.toContain(secret)
  })

  test.each([
    ['<script>alert(1)</script>', 'script'],
    ['&quot;onload=', 'onload'],
    ['appelez-le+224620000000', '224620000000'],
  ])('the recipient’s page does not show the harmful name %s', async (name, harmful) => {
    const { path } = await payWithLink({ senderName: name, recipientName: name })
    const { status, page } = await open(path)
    expect(status).toBe(200)
    expect(page).not.toContain(harmful)
    expect(page).not.toContain('Envoyé par')
    expect(page).not.toContain('<dt>Pour</dt>')
  })

  test('the recipient’s page escapes names and proofs', async () => {
    const { path, id } = await payWithLink({ senderName: "N'Faly" })
    await updateDelivery(world.context, id, () => ({
      type: 'payout.delivered',
      proof: '<b>&"',
      at: world.now(),
    }))
    const { page } = await open(path)
    expect(page).toContain('N&#39;Faly')
    expect(page).toContain('se termine par &#38;&#34;')
  })

  test('the page keeps the transfer’s names after a renaming', async () => {
    const { path, uid } = await payWithLink()
    await renameSender(uid, 'Grace Hopper')
    const { page } = await open(path)
    expect(page).toContain('<dd>Ada</dd>')
    expect(page).not.toContain('Grace')
  })

  test('the page says to trust only this site’s named URL', async () => {
    const { path } = await payWithLink()
    const { page } = await open(path)
    expect(page).toContain('Seule l’adresse de ce site fait foi.')
    expect(page).toContain('<strong>passerelle.example</strong>')
  })
})

describe('the security and design of the recipient’s page', () => {
  test('the page runs no script, and is neither cached nor framed', async () => {
    const { path } = await payWithLink()
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

  test('the recipient’s page has the colors of the app’s theme', () => {
    const theme = readFileSync('src/ui/theme.css', 'utf8')
    const [, light = '', dark = ''] = theme.split(
      /^(?::root| {2}:root\[data-mantine-color-scheme="dark"\]) \{$/m,
    )
    const readColor = (block: string, name: string) =>
      new RegExp(`^ *--${name}: (.*);$`, 'm').exec(block)?.[1]
    for (const [name, color] of Object.entries(COLOR_TOKENS.light)) expect(readColor(light, name)).toBe(color)
    for (const [name, color] of Object.entries(COLOR_TOKENS.dark)) expect(readColor(dark, name)).toBe(color)
    // Light colors that the dark theme does not define keep their value there.
    for (const name of Object.keys(COLOR_TOKENS.light).filter((name) => !(name in COLOR_TOKENS.dark)))
      expect(readColor(dark, name)).toBeUndefined()
  })

  test('function, sandbox and registry have the page’s path in common', () => {
    expect([config.path, FUNCTION_PATHS['recipient-page'], getFunctionPath('recipient-page')]).toEqual([
      '/t/*',
      '/t/*',
      '/t/*',
    ])
  })
})
