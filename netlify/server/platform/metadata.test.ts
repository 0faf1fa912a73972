import { expect, test } from 'vitest'
import { parsePersonKeys, parsePlanMetadata, toPersonsMetadata } from './metadata.ts'

test.each(['gold', 'constructor', ''])('metadata with the tier %j does not belong to a plan', (tier) => {
  const metadata = { deployment: 'passerelle', kind: 'plan', uid: 'awa', tier }
  expect(parsePlanMetadata({ deployment: 'passerelle' }, metadata)).toBeNull()
})

test.each([1, 5, 6, 40])('%d keys of a payer fit into metadata, and are read again', (count) => {
  const persons = ['awa', ...Array.from({ length: count - 1 }, (_, i) => `${i}`.padStart(64, '0'))]
  const metadata = toPersonsMetadata({ persons })
  for (const value of Object.values(metadata)) expect(value.length).toBeLessThanOrEqual(500)
  const attempt = { deployment: 'passerelle', kind: 'transfer', attemptKey: 'a', uid: 'awa' } as const
  expect(parsePersonKeys({ metadata: { ...attempt, ...metadata } })).toEqual(persons)
  expect(parsePersonKeys({ metadata: attempt })).toEqual(['awa'])
})
