import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { createQrCode } from '../../print/qrCode.ts'
import { decodeBase64Url, encodeBase64Url } from '../common/base64Url.ts'
import { money } from '../money/money.ts'
import { maskPhone } from '../numbers/phone.ts'
import {
  buildReceiptPath,
  encodeReceiptFacts,
  RECEIPT_STATES,
  type ReceiptFacts,
  verifyReceiptCode,
} from './receiptCode.ts'
import { type ReceiptKeys, receiptKeysSchema } from './receiptKeys.ts'

interface Pair {
  readonly privateKey: KeyObject
  readonly keys: ReceiptKeys
}

function createPair(years = '2026'): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const current = years.includes('-') ? `,${'A'.repeat(43)}@2029` : ''
  return { privateKey, keys: v.parse(receiptKeysSchema, `${x}@${years}${current}`) }
}

function signFacts(facts: ReceiptFacts, { privateKey, keys: [key] }: Pair): string {
  const signed = key && encodeReceiptFacts(facts, key)
  if (!signed) throw new Error('The facts have no place in a code')
  return buildReceiptPath(signed, sign(null, signed, privateKey))
}

const PAIR = createPair()
const SITE = { deployment: 'demo-passerelle', keys: PAIR.keys }
const FACTS: ReceiptFacts = {
  id: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  amount: money(1_028_200, 'GNF'),
  maskedPhone: maskPhone('+224620000000'),
  state: 'delivered',
  at: Date.UTC(2026, 10, 20, 13),
  deployment: 'demo-passerelle',
}

const anyFacts: fc.Arbitrary<ReceiptFacts> = fc.record({
  id: fc.stringMatching(/^pi_[A-Za-z0-9]{1,27}$/),
  amount: fc
    .tuple(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.constantFrom('EUR', 'CAD', 'GNF'))
    .map(([minor, currency]) => money(minor, currency)),
  maskedPhone: fc.constantFrom('+224620000000', '+33612345678', '+15145550123').map(maskPhone),
  state: fc.constantFrom(...RECEIPT_STATES),
  at: fc
    .integer({ min: Date.UTC(2026, 0) / 1000, max: Date.UTC(2100, 0) / 1000 })
    .map((seconds) => seconds * 1000),
  deployment: fc.constant('demo-passerelle'),
})

describe('a receipt’s code', () => {
  test('a signed code gives its facts back, from a URL or a path', async () => {
    await fc.assert(
      fc.asyncProperty(anyFacts, async (facts) => {
        const path = signFacts(facts, PAIR)
        const expected = { ok: true, value: facts }
        expect(await verifyReceiptCode(path, SITE)).toEqual(expected)
        expect(await verifyReceiptCode(`https://passerelle.example${path}?lang=en`, SITE)).toEqual(expected)
      }),
      { numRuns: 100 },
    )
  })

  test('refuses 10,000 altered codes, among them each changed bit @spec-receipt-proof', async () => {
    const path = signFacts(FACTS, PAIR)
    const bytes = decodeBase64Url(path.slice('/t/'.length)) ?? new Uint8Array()
    const withFlipped = (bits: readonly number[]) => {
      const changed = bytes.slice()
      for (const bit of bits) changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      return `/t/${encodeBase64Url(changed)}`
    }
    const bits = bytes.length * 8
    const altered = new Set(Array.from({ length: bits }, (_, bit) => withFlipped([bit])))
    expect(altered.size).toBe(bits)
    const other = signFacts({ ...FACTS, id: 'pi_other' }, PAIR)
    const change = fc.oneof(
      fc.uniqueArray(fc.nat(bits - 1), { minLength: 2, maxLength: 12 }).map(withFlipped),
      fc.nat(path.length - 4).map((end) => path.slice(0, end + 3)),
      fc.nat(path.length).map((at) => path.slice(0, at) + other.slice(at)),
      fc
        .tuple(fc.nat(path.length - 4), fc.stringMatching(/^[\w-]{1,4}$/))
        .map(([at, put]) => path.slice(0, at + 3) + put + path.slice(at + 3 + put.length)),
    )
    for (const code of fc.sample(change, 20_000))
      if (altered.size < 10_000 && code !== path && code !== other) altered.add(code)
    expect(altered.size).toBe(10_000)
    const results = await Promise.all([...altered].map((code) => verifyReceiptCode(code, SITE)))
    expect(results.filter(({ ok }) => ok)).toEqual([])
  })

  test('a code of another transfer shows the other transfer’s facts', async () => {
    const other = { ...FACTS, id: 'pi_other', amount: money(1, 'EUR') }
    expect(await verifyReceiptCode(signFacts(other, PAIR), SITE)).toEqual({ ok: true, value: other })
  })

  test('a code of another deployment is named as such', async () => {
    const code = signFacts({ ...FACTS, deployment: 'staging' }, createPair())
    expect(await verifyReceiptCode(code, SITE)).toEqual({
      ok: false,
      error: { kind: 'otherDeployment', deployment: 'staging' },
    })
  })

  test('a code signed with an unknown key is not called altered', async () => {
    expect(await verifyReceiptCode(signFacts(FACTS, createPair()), SITE)).toEqual({
      ok: false,
      error: { kind: 'unknownKey' },
    })
  })

  test('an old public key proves nothing after its last year', async () => {
    const old = createPair('2026-2027')
    const site = { ...SITE, keys: [...old.keys, ...PAIR.keys] }
    const verifyAt = async (year: number) =>
      (await verifyReceiptCode(signFacts({ ...FACTS, at: Date.UTC(year, 5) }, old), site)).ok
    expect([await verifyAt(2025), await verifyAt(2026), await verifyAt(2027), await verifyAt(2028)]).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  test.each([
    '',
    'WIFI:S:caf;;',
    'https://passerelle.example/',
    'https://passerelle.example/u/AQ',
    '/settings',
  ])('the text %j is not a receipt’s code', async (text) => {
    expect(await verifyReceiptCode(text, SITE)).toEqual({ ok: false, error: { kind: 'notReceipt' } })
  })

  test.each([
    ['an empty code', '/t/'],
    ['a code that is too short', '/t/AQ'],
    ['a code of another alphabet', '/t/AQ%20+'],
    ['a code of another version', `/t/Ag${signFacts(FACTS, PAIR).slice(5)}`],
    ['a code with padding', `${signFacts(FACTS, PAIR)}=`],
    ['a code of a megabyte', `/t/${'A'.repeat(1_000_000)}`],
    ['a code with a longer end', `${signFacts(FACTS, PAIR)}AAAA`],
  ])('refuses %s', async (_, text) => {
    expect(await verifyReceiptCode(text, SITE)).toEqual({ ok: false, error: { kind: 'altered' } })
  })

  test.each([
    ['an amount of nothing', { amount: money(0, 'GNF') }],
    ['a negative amount', { amount: money(-1, 'GNF') }],
    ['another kind of ID', { id: 'ch_1' }],
    ['a whole number', { maskedPhone: '+224620000000' }],
    ['a longer deployment', { deployment: 'a'.repeat(31) }],
  ])('%s has no place in a code', (_, change) => {
    const [key] = PAIR.keys
    expect(key && encodeReceiptFacts({ ...FACTS, ...change }, key)).toBe(null)
  })

  test('the longest code fits in a QR code of version 15', () => {
    const path = signFacts({ ...FACTS, id: `pi_${'a'.repeat(60)}`, deployment: 'a'.repeat(30) }, PAIR)
    expect(path.length).toBeLessThan('/t/'.length + 300)
    const getVersion = (address: string) => (createQrCode(address).size - 2 * 4 - 17) / 4
    expect(getVersion(`https://${'a'.repeat(60)}.netlify.app${path}`)).toBeLessThanOrEqual(15)
    expect(getVersion(`https://passerelle.example${signFacts(FACTS, PAIR)}`)).toBe(11)
  })
})

describe('the setting of the keys', () => {
  const [one, two] = ['A', 'B'].map((letter) => `${letter.repeat(42)}A`)

  test.each([`${one}@2026`, `${one}@2026-2026,${two}@2026`, `${one}@2026-2027,${two}@2027`])(
    'accepts %s',
    (text) => expect(v.is(receiptKeysSchema, text)).toBe(true),
  )

  test.each([
    '',
    'key@2026',
    `${one}`,
    `${one}@26`,
    `${one}@2026-2027`,
    `${one}@2026,${two}@2027`,
    `${one}@2027-2026,${two}@2027`,
    `${'A'.repeat(42)}B@2026`,
    `${one}@2026-2027,${one}@2027`,
  ])('refuses %j', (text) => expect(v.is(receiptKeysSchema, text)).toBe(false))
})
