import { expect, test } from 'vitest'
import { DESTINATIONS, destinationByCode, destinationOf } from './destinations.ts'

test('the countries of the specification @spec-destinations', () => {
  expect(DESTINATIONS).toEqual([
    { code: 'GN', name: 'Guinea', currency: 'GNF', flag: '🇬🇳', phonePrefix: '+224' },
    { code: 'FR', name: 'France', currency: 'EUR', flag: '🇫🇷', phonePrefix: '+33' },
    { code: 'CA', name: 'Canada', currency: 'CAD', flag: '🇨🇦', phonePrefix: '+1' },
  ])
})

test.each(DESTINATIONS)(
  '$name is found by its code and its prefix @spec-destination-by-prefix',
  (destination) => {
    expect(destinationByCode(destination.code)).toEqual(destination)
    expect(destinationOf(`${destination.phonePrefix}620000000`)).toEqual(destination)
  },
)

test.each(['+447911123456', '+22', '+3', '224620000000', '', '00224620000000'])(
  '%j belongs to none',
  (phone) => {
    expect(destinationOf(phone)).toBeNull()
  },
)
