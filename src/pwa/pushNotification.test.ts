import { expect, test } from 'vitest'
import type { Language } from '../../domain/common/language.ts'
import { money } from '../../domain/money/money.ts'
import { type PushKind, serializePush } from '../../domain/transfers/push.ts'
import { buildPushNotification } from './pushNotification.ts'
import { buildTransferAddress, isAppAddress, parseTransferToOpen } from './pushOpening.ts'

const spaces = (text: string) => text.replace(/\s/g, ' ')

const sent = (kind: PushKind, language: Language): unknown =>
  JSON.parse(serializePush({ kind, id: 'pi_1', gross: money(10_000, 'EUR'), phoneEnd: '12', language }))

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
    'Your transfer of €100.00 was delivered to the number ending in 12.',
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
    'The transfer to the number ending in 12 could not be delivered. €100.00 was refunded to your card.',
  ],
])('the push message %s is shown in its own language: %s', (kind, language, title, body) => {
  const other = language === 'fr' ? 'en' : 'fr'
  const shown = buildPushNotification(sent(kind, language), other)
  expect({ ...shown, body: spaces(shown.body) }).toEqual({
    ...{ title, body, lang: language },
    id: 'pi_1',
    isArrival: kind === 'delivered',
  })
})

test.each([null, undefined, 'text', {}, { kind: 'news of a newer server' }])(
  'the unreadable push message %j is shown with a general text',
  (message) => {
    expect(buildPushNotification(message, 'en')).toEqual({
      title: 'Passerelle',
      body: 'There is news about your transfers. Open the app to see it.',
      lang: 'en',
      id: null,
      isArrival: false,
    })
    expect(buildPushNotification(message, 'fr')).toMatchObject({ lang: 'fr', id: null })
  },
)

test('buildTransferAddress builds the receipt’s URL, or the app’s without an ID', () => {
  expect(buildTransferAddress('pi_1&view=history')).toBe('/?transaction=pi_1%26view%3Dhistory')
  expect(buildTransferAddress(null)).toBe('/')
})

test('parseTransferToOpen accepts only messages that open a receipt', () => {
  expect(parseTransferToOpen({ type: 'transfer.open', id: 'pi_1' })).toBe('pi_1')
  for (const other of [null, 'transfer.open', { type: 'transfer.open' }, { type: 'CACHE_UPDATED', id: 'x' }])
    expect(parseTransferToOpen(other)).toBe(null)
})

test.each(['/?view=history', '/settings?session_id=1'])('isAppAddress accepts %s', (path) => {
  expect(isAppAddress(`https://passerelle.example${path}`)).toBe(true)
})

test.each(['/google-sign-in.html', '/t/pi_1.x.y', '/legal/fr/privacy'])('isAppAddress rejects %s', (path) => {
  expect(isAppAddress(`https://passerelle.example${path}`)).toBe(false)
})
