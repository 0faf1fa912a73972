import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Contact } from './contact.ts'
import { destinationOf } from './destinations.ts'
import { draftFor, knownRecipients, MOST_RECIPIENTS } from './people.ts'
import { checkRecipientPhone, normalisePhone } from './phone.ts'
import { EMPTY_SUBSCRIPTION } from './plans.ts'
import { SENT } from './transaction.samples.ts'
import type { Transaction } from './transaction.ts'
import { checkTransfer, EMPTY_DRAFT } from './transfer.ts'

const contact = (phone: string, name: string, createdAt = 0): Contact => ({
  id: `ana_${phone.slice(1)}`,
  userId: 'ana',
  name,
  phone,
  createdAt,
})
const sent = (recipientPhone: string, createdAt: number, change: Partial<Transaction> = {}): Transaction => ({
  ...SENT,
  id: `pi_${createdAt}`,
  recipientPhone,
  createdAt,
  ...change,
})
const FRANCE = { code: 'FR', name: 'France', currency: 'EUR', flag: '🇫🇷' } as const

describe('who stands above the form', () => {
  const AWA = '+224620000001'
  const BINTA = '+224620000002'
  const CLARA = '+33612345678'
  const who = (contacts: readonly Contact[], transfers: readonly Transaction[]) =>
    knownRecipients(contacts, transfers).map(({ name, phone, last }) => [name ?? phone, last?.id ?? null])

  test.each<[string, readonly Contact[], readonly Transaction[], unknown]>([
    ['nobody', [], [], []],
    ['a contact who was never sent anything', [contact(AWA, 'Awa')], [], [['Awa', null]]],
    ['a number that is no contact', [], [sent(AWA, 5)], [[AWA, 'pi_5']]],
    [
      'a contact with the newest transfer to them',
      [contact(AWA, 'Awa')],
      [sent(AWA, 5), sent(AWA, 7), sent(AWA, 6)],
      [['Awa', 'pi_7']],
    ],
    [
      'whoever was sent to last before the others',
      [contact(AWA, 'Awa')],
      [sent(AWA, 5), sent(BINTA, 9)],
      [
        [BINTA, 'pi_9'],
        ['Awa', 'pi_5'],
      ],
    ],
    [
      'a contact that was added since before them',
      [contact(CLARA, 'Clara', 10), contact(AWA, 'Awa', 8)],
      [sent(AWA, 5), sent(BINTA, 9)],
      [
        ['Clara', null],
        [BINTA, 'pi_9'],
        ['Awa', 'pi_5'],
      ],
    ],
    ['whose transfer was given up', [], [sent(AWA, 5, { status: 'canceled' })], [[AWA, 'pi_5']]],
    ['whose transfer failed', [], [sent(AWA, 5, { status: 'failed' })], [[AWA, 'pi_5']]],
    [
      'who was sent to before there were wallets',
      [],
      [sent(AWA, 5, { receivingMethod: null })],
      [[AWA, 'pi_5']],
    ],
    ['nobody who sent money', [], [sent(AWA, 5, { type: 'received' })], []],
    ['nobody with a number of elsewhere', [contact('+447911123456', 'Dan')], [], []],
    ['nobody with half a number', [contact('+22462000000', 'Eve')], [], []],
    [
      'nobody whose wallet is not known here',
      [contact(AWA, 'Awa')],
      [sent(AWA, 5), sent(AWA, 6, { receivingMethod: 'celcom_cash' })],
      [],
    ],
    ['nobody whose transfer went to another country', [], [sent(AWA, 5, { destination: FRANCE })], []],
  ])('%s', (_, contacts, transfers, expected) => {
    expect(who(contacts, transfers)).toEqual(expected)
  })

  const phones = fc.constantFrom(
    ...Array.from({ length: 14 }, (_, index) => `+2246200000${String(index).padStart(2, '0')}`),
    CLARA,
    '+15145550123',
    '+447911123456',
  )
  const contacts = fc.uniqueArray(fc.tuple(phones, fc.nat(50)), { selector: ([phone]) => phone })
  const transfers = fc.array(fc.tuple(phones, fc.nat(50)), { maxLength: 40 })

  test('each once, the newest first, no more than there is room for, and nobody left out for an older one', () => {
    fc.assert(
      fc.property(contacts, transfers, (book, history) => {
        const rows = history.map(([phone, at]) =>
          sent(phone, at, { destination: { ...SENT.destination, code: destinationOf(phone)?.code ?? 'GN' } }),
        )
        const newest = new Map<string, number>()
        for (const [phone, at] of [...book, ...history])
          if (checkRecipientPhone(phone).ok) newest.set(phone, Math.max(at, newest.get(phone) ?? 0))
        const people = knownRecipients(
          book.map(([phone, at]) => contact(phone, `N ${phone}`, at)),
          rows,
        )
        const times = [...newest.values()].sort((one, other) => other - one)
        expect(people.map(({ phone }) => newest.get(phone))).toEqual(times.slice(0, MOST_RECIPIENTS))
        expect(new Set(people.map(({ phone }) => phone)).size).toBe(people.length)
        for (const { phone, name, last } of people) {
          expect(name).toBe(book.some(([known]) => known === phone) ? `N ${phone}` : null)
          const times = history.filter(([to]) => to === phone).map(([, at]) => at)
          expect(last?.createdAt ?? null).toBe(times.length > 0 ? Math.max(...times) : null)
        }
      }),
    )
  })
})

describe('a tap on somebody', () => {
  const last = sent('+15145550123', 5, {
    amount: 40,
    fees: 1.5,
    sourceCurrency: 'CAD',
    destination: { code: 'CA', name: 'Canada', currency: 'CAD', flag: '🇨🇦' },
    receivingMethod: 'interac',
    couponCode: 'ZERO',
  })

  test('fills in number, country, wallet and the last amount, and leaves the coupon and the tick to the person', () => {
    expect(draftFor({ phone: last.recipientPhone, name: null, last }, 'fr')).toEqual({
      amount: '41,50',
      currency: 'CAD',
      country: 'CA',
      phone: '+1 514 555 0123',
      receivingMethod: 'interac',
      phoneConfirmed: false,
    })
  })

  test('who was never sent anything fills in no amount, and not the wallet of somebody else', () => {
    expect(draftFor({ phone: '+33612345678', name: 'Clara', last: null }, 'fr')).toEqual({
      country: 'FR',
      phone: '+33 6 12 34 56 78',
      receivingMethod: 'paylib',
      phoneConfirmed: false,
    })
  })

  test('lacks nothing but the tick, whoever it is', () => {
    const phone = fc.constantFrom('+224620000001', '+224664000002', '+33612345678', '+15145550123')
    fc.assert(
      fc.property(phone, fc.boolean(), (to, isKnown) => {
        const destination = { ...SENT.destination, code: destinationOf(to)?.code ?? 'GN' }
        const history = isKnown ? [sent(to, 5, { destination, receivingMethod: null })] : []
        const [person] = knownRecipients([contact(to, 'Awa')], history)
        if (!person) throw new Error('Nobody stands there')
        const filled = { ...EMPTY_DRAFT, amount: '20', ...draftFor(person, 'fr') }
        expect(normalisePhone(filled.phone)).toBe(to)
        const checked = checkTransfer(filled, { subscription: EMPTY_SUBSCRIPTION, now: 5 })
        expect(checked).toEqual({
          ok: false,
          error: [{ field: 'phoneConfirmed', kind: 'confirmPhoneRequired' }],
        })
      }),
    )
  })
})
