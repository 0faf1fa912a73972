import { expect, test } from 'vitest'
import { DESTINATIONS, findDestination, getDestination } from './destinations.ts'

test('the destinations are the countries of the specification @spec-destinations', () => {
  expect(DESTINATIONS).toEqual([
    { code: 'GN', name: 'Guinea', currency: 'GNF', flag: '🇬🇳', phonePrefix: '+224' },
    { code: 'FR', name: 'France', currency: 'EUR', flag: '🇫🇷', phonePrefix: '+33' },
    { code: 'CA', name: 'Canada', currency: 'CAD', flag: '🇨🇦', phonePrefix: '+1' },
  ])
})

test.each(DESTINATIONS)(
  'finds $name by its code and its prefix @spec-destination-by-prefix',
  (destination) => {
    expect(getDestination(destination.code)).toEqual(destination)
    expect(findDestination(`${destination.phonePrefix}620000000`)).toEqual(destination)
  },
)

test.each(['+447911123456', '+22', '+3', '224620000000', '', '00224620000000'])(
  'finds no country for the number %j',
  (phone) => {
    expect(findDestination(phone)).toBeNull()
  },
)
