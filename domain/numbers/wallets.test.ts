import { describe, expect, test, vi } from 'vitest'
import { err, ok } from '../common/result.ts'
import { DESTINATIONS } from './destinations.ts'
import {
  checkWallet,
  findProvider,
  findWalletByPhone,
  getDefaultReceivingMethod,
  getWalletName,
  getWalletProvider,
  getWallets,
  listWalletNames,
} from './wallets.ts'

const EVERY_WALLET = DESTINATIONS.flatMap(({ code }) => getWallets(code))

describe.each([
  ['GN', ['orange_money', 'mtn_money'], ['Orange Money', 'MTN Money']],
  ['FR', ['paylib', 'wero'], ['Paylib', 'Wero']],
  ['CA', ['interac'], ['Interac']],
] as const)('wallets in %s', (country, methods, names) => {
  test('a country has the wallets of the specification, and preselects the first @spec-wallets', () => {
    expect(getWallets(country).map(({ id }) => id)).toEqual(methods)
    expect(getWallets(country).map(({ name }) => name)).toEqual(names)
    expect(getDefaultReceivingMethod(country)).toBe(methods[0])
  })

  test('a country requires one of its own wallets @spec-wallet-required', () => {
    for (const { id } of EVERY_WALLET) {
      const own = methods.some((known) => known === id)
      expect(checkWallet(id, country)).toEqual(own ? ok(id) : err({ kind: 'walletRequired', country }))
    }
    expect(checkWallet(null, country)).toEqual(err({ kind: 'walletRequired', country }))
    expect(checkWallet('paypal', country)).toEqual(err({ kind: 'walletRequired', country }))
  })
})

test.each([
  ['GN', 'Orange Money ou MTN Money', 'Orange Money or MTN Money'],
  ['FR', 'Paylib ou Wero', 'Paylib or Wero'],
  ['CA', 'Interac', 'Interac'],
] as const)('lists the wallets of %s for a sentence: %j', (country, fr, en) => {
  expect(listWalletNames(country, 'fr')).toBe(fr)
  expect(listWalletNames(country, 'en')).toBe(en)
})

test('lists the wallets of a country in a browser without lists', () => {
  vi.stubGlobal('Intl', {})
  expect(listWalletNames('FR', 'fr')).toBe('Paylib / Wero')
})

test('a wallet that only a newer app knows has no name', () => {
  expect(getWalletName('mtn_money')).toBe('MTN Money')
  expect(getWalletName('celcom_cash')).toBeNull()
  expect(getWalletName(null)).toBeNull()
})

test.each([
  ['+224620000000', 'orange_money'],
  ['+224611234567', 'orange_money'],
  ['+224664112233', 'mtn_money'],
  // Operators without a wallet here, and unassigned numbers.
  ['+224655000000', null],
  ['+224600000000', null],
  ['+224690000000', null],
  ['+22466411223', null],
  ['664112233', null],
  ['+33662112233', null],
  ['+16642345678', null],
])('suggests for the number %s the wallet %s', (phone, wallet) => {
  expect(findWalletByPhone(phone)?.id ?? null).toBe(wallet)
})

test('only a provider’s wallet and its orders name the provider', () => {
  expect(getWalletProvider('mtn_money')).toEqual({ id: 'mtn', name: 'MTN', service: 'MTN Mobile Money' })
  expect(['orange_money', 'celcom_cash', null].map(getWalletProvider)).toEqual([null, null, null])
  expect(findProvider('mtn')).toEqual(getWalletProvider('mtn_money'))
  expect(['byHand', 'newProvider'].map(findProvider)).toEqual([null, null])
})
