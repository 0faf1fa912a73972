import { expect, test } from 'vitest'
import type { Language } from '../../domain/language.ts'
import { money } from '../../domain/money.ts'
import { type PushKind, writePush } from '../../domain/push.ts'
import { shownPush } from './pushNotification.ts'
import { isApp, transferAddress, transferToOpen } from './pushOpening.ts'

const spaces = (text: string) => text.replace(/\s/g, ' ')

const sent = (kind: PushKind, language: Language): unknown =>
  JSON.parse(writePush({ kind, id: 'pi_1', gross: money(10_000, 'EUR'), phoneEnd: '12', language }))

test.each<readonly [PushKind, Language, string, string]>([
  [
    'delivered',
    'fr',
    'Transfert remis',
    'Votre transfert de 100,00 € a été remis au numéro qui se termine par 12.',
  ],
  [
    'delivered',
    'en',
    'Transfer delivered',
    'Your transfer of €100.00 was delivered to the number that ends in 12.',
  ],
  [
    'paidBack',
    'fr',
    'Transfert remboursé',
    'Le transfert vers le numéro qui se termine par 12 n’a pas pu être remis. Votre carte a été remboursée de 100,00 €.',
  ],
  [
    'paidBack',
    'en',
    'Transfer refunded',
    'The transfer to the number that ends in 12 could not be delivered. €100.00 went back to your card.',
  ],
])('%s is shown in the language of its device: %s', (kind, language, title, body) => {
  const other = language === 'fr' ? 'en' : 'fr'
  const shown = shownPush(sent(kind, language), other)
  expect({ ...shown, body: spaces(shown.body) }).toEqual({ title, body, lang: language, id: 'pi_1' })
})

test.each([null, undefined, 'text', {}, { kind: 'news of a newer server' }])(
  '%j is shown in words too',
  (message) => {
    expect(shownPush(message, 'en')).toEqual({
      title: 'Passerelle',
      body: 'There is news of your transfers. Open the app to see it.',
      lang: 'en',
      id: null,
    })
    expect(shownPush(message, 'fr')).toMatchObject({ lang: 'fr', id: null })
  },
)

test('a press leads to the receipt, or to the app', () => {
  expect(transferAddress('pi_1&view=history')).toBe('/?transaction=pi_1%26view%3Dhistory')
  expect(transferAddress(null)).toBe('/')
})

test('a page hears what opens a receipt, and nothing else', () => {
  expect(transferToOpen({ type: 'transfer.open', id: 'pi_1' })).toBe('pi_1')
  for (const other of [null, 'transfer.open', { type: 'transfer.open' }, { type: 'CACHE_UPDATED', id: 'x' }])
    expect(transferToOpen(other)).toBe(null)
})

test.each([
  ['https://passerelle.example/?view=history', true],
  ['https://passerelle.example/settings?session_id=1', true],
  ['https://passerelle.example/google-sign-in.html', false],
  ['https://passerelle.example/t/pi_1.x.y', false],
  ['https://passerelle.example/legal/fr/privacy', false],
])('of the windows of the site the app is brought to the front: %s, %j', (url, isSo) => {
  expect(isApp(url)).toBe(isSo)
})
