import { describe, expect, test } from 'vitest'
import { err, ok } from './result.ts'
import { checkWallet, firstWallet, WALLET_NAMES, walletsOf } from './wallets.ts'

describe.each([
  ['GN', ['orange_money', 'mtn_money'], ['Orange Money', 'MTN Money']],
  ['FR', ['paylib', 'wero'], ['Paylib', 'Wero']],
  ['CA', ['interac'], ['Interac']],
] as const)('in %s', (country, methods, names) => {
  test('money is received by the wallets of the specification, the first preselected', () => {
    expect(walletsOf(country)).toEqual(methods)
    expect(walletsOf(country).map((method) => WALLET_NAMES[method])).toEqual(names)
    expect(firstWallet(country)).toBe(methods[0])
  })

  test('one of them is required', () => {
    for (const method of Object.keys(WALLET_NAMES)) {
      const own = methods.some((known) => known === method)
      expect(checkWallet(method, country)).toEqual(
        own ? ok(method) : err({ kind: 'walletRequired', country }),
      )
    }
    expect(checkWallet(null, country)).toEqual(err({ kind: 'walletRequired', country }))
    expect(checkWallet('paypal', country)).toEqual(err({ kind: 'walletRequired', country }))
  })
})
