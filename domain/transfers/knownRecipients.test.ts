import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanCode } from '../common/clean.ts'
import { findDestination } from '../numbers/destinations.ts'
import { checkRecipientPhone } from '../numbers/phone.ts'
import { getDefaultReceivingMethod } from '../numbers/wallets.ts'
import type { Contact } from '../people/contact.ts'
import { EMPTY_SUBSCRIPTION } from '../prices/plans.ts'
import { buildRepeatDraft, listKnownRecipients, MAX_SHOWN_RECIPIENTS } from './knownRecipients.ts'
import { mapSenderTexts } from './shapes/fields.ts'
import { SENT_TRANSFER } from './transaction.samples.ts'
import type { Transaction } from './transaction.ts'
import { checkTransfer, EMPTY_TRANSFER_DRAFT } from './transfer.ts'

const contact = (phone: string, name: string, createdAt = 0): Contact => ({
  id: `ana_${phone.slice(1)}`,
  userId: 'ana',
  name,
  phone,
  createdAt,
})
const sent = (recipientPhone: string, createdAt: number, change: Partial<Transaction> = {}): Transaction => ({
  ...SENT_TRANSFER,
  id: `pi_${createdAt}`,
  recipientPhone,
  createdAt,
  ...change,
})
const FRANCE = { code: 'FR', name: 'France', currency: 'EUR', flag: '🇫🇷' } as const

describe('listKnownRecipients', () => {
  const AWA = '+224620000001'
  const BINTA = '+224620000002'
  const CLARA = '+33612345678'
  const who = (contacts: readonly Contact[], transfers: readonly Transaction[]) =>
    listKnownRecipients(contacts, transfers).map(({ name, phone, last }) => [name ?? phone, last?.id ?? null])

  test.each<[string, readonly Contact[], readonly Transaction[], unknown]>([
    ['no contacts and no transfers', [], [], []],
    ['a contact without transfers', [contact(AWA, 'Awa')], [], [['Awa', null]]],
    ['a number without a contact', [], [sent(AWA, 5)], [[AWA, 'pi_5']]],
    [
      'a contact with their newest transfer',
      [contact(AWA, 'Awa')],
      [sent(AWA, 5), sent(AWA, 7), sent(AWA, 6)],
      [['Awa', 'pi_7']],
    ],
    [
      'a number with the name that its newest transfer was given',
      [contact(BINTA, 'Binta')],
      [
        sent(AWA, 5, { recipientName: 'A.' }),
        sent(AWA, 7, { recipientName: 'Awa Sow' }),
        sent(BINTA, 6, { recipientName: 'B.' }),
      ],
      [
        ['Awa Sow', 'pi_7'],
        ['Binta', 'pi_6'],
      ],
    ],
    [
      'the latest recipient first',
      [contact(AWA, 'Awa')],
      [sent(AWA, 5), sent(BINTA, 9)],
      [
        [BINTA, 'pi_9'],
        ['Awa', 'pi_5'],
      ],
    ],
    [
      'a newer contact before past recipients',
      [contact(CLARA, 'Clara', 10), contact(AWA, 'Awa', 8)],
      [sent(AWA, 5), sent(BINTA, 9)],
      [
        ['Clara', null],
        [BINTA, 'pi_9'],
        ['Awa', 'pi_5'],
      ],
    ],
    ['a recipient whose transfer was canceled', [], [sent(AWA, 5, { status: 'canceled' })], [[AWA, 'pi_5']]],
    ['a recipient whose transfer failed', [], [sent(AWA, 5, { status: 'failed' })], [[AWA, 'pi_5']]],
    ['no sender of money to the user', [], [sent(AWA, 5, { type: 'received' })], []],
    ['no contact with a number of another country', [contact('+447911123456', 'Dan')], [], []],
    ['no contact with half a number', [contact('+22462000000', 'Eve')], [], []],
    [
      'no recipient whose wallet is not known here',
      [contact(AWA, 'Awa')],
      [sent(AWA, 5), sent(AWA, 6, { receivingMethod: 'celcom_cash' })],
      [],
    ],
    ['no recipient whose transfer went to another country', [], [sent(AWA, 5, { destination: FRANCE })], []],
  ])('lists the recipients above the form: %s', (_, contacts, transfers, expected) => {
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

  test('lists each known recipient once, newest first, up to the limit', () => {
    fc.assert(
      fc.property(contacts, transfers, (book, history) => {
        const rows = history.map(([phone, at]) =>
          sent(phone, at, {
            destination: { ...SENT_TRANSFER.destination, code: findDestination(phone)?.code ?? 'GN' },
          }),
        )
        const newest = new Map<string, number>()
        for (const [phone, at] of [...book, ...history])
          if (checkRecipientPhone(phone).ok) newest.set(phone, Math.max(at, newest.get(phone) ?? 0))
        const people = listKnownRecipients(
          book.map(([phone, at]) => contact(phone, `N ${phone}`, at)),
          rows,
        )
        const times = [...newest.values()].sort((one, other) => other - one)
        expect(people.map(({ phone }) => newest.get(phone))).toEqual(times.slice(0, MAX_SHOWN_RECIPIENTS))
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

describe('buildRepeatDraft', () => {
  const last = sent('+15145550123', 5, {
    amount: 40,
    fees: 1.5,
    sourceCurrency: 'CAD',
    destination: { code: 'CA', name: 'Canada', currency: 'CAD', flag: '🇨🇦' },
    receivingMethod: 'interac',
    couponCode: 'ZERO',
  })

  test('a recipient’s draft repeats the last transfer, unconfirmed and without its coupon', () => {
    expect(buildRepeatDraft({ phone: last.recipientPhone, name: null, last }, 'fr')).toEqual({
      amount: '41,50',
      currency: 'CAD',
      country: 'CA',
      phone: '+1 514 555 0123',
      ...mapSenderTexts(() => ''),
      receivingMethod: 'interac',
      phoneConfirmed: false,
    })
  })

  test('a first draft for a contact has a wallet but no amount', () => {
    expect(buildRepeatDraft({ phone: '+33612345678', name: 'Clara', last: null }, 'fr')).toEqual({
      country: 'FR',
      phone: '+33 6 12 34 56 78',
      recipientName: '',
      receivingMethod: 'paylib',
      phoneConfirmed: false,
    })
  })

  test('a recipient’s draft is complete except for confirming the number', () => {
    const phone = fc.constantFrom('+224620000001', '+224664000002', '+33612345678', '+15145550123')
    fc.assert(
      fc.property(phone, fc.boolean(), (to, isKnown) => {
        const code = findDestination(to)?.code ?? 'GN'
        const destination = { ...SENT_TRANSFER.destination, code }
        const receivingMethod = getDefaultReceivingMethod(code)
        const history = isKnown ? [sent(to, 5, { destination, receivingMethod })] : []
        const [person] = listKnownRecipients([contact(to, 'Awa')], history)
        if (!person) throw new Error('Nobody stands there')
        const filled = { ...EMPTY_TRANSFER_DRAFT, amount: '20', ...buildRepeatDraft(person, 'fr') }
        expect(cleanCode(filled.phone)).toBe(to)
        const checked = checkTransfer(filled, { subscription: EMPTY_SUBSCRIPTION, now: 5 })
        expect(checked).toEqual({
          ok: false,
          error: [{ field: 'phoneConfirmed', kind: 'confirmPhoneRequired' }],
        })
      }),
    )
  })
})
