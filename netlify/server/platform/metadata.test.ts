import { expect, test } from 'vitest'
import { parsePlanMetadata } from './metadata.ts'

test.each(['gold', 'constructor', ''])('metadata with the tier %j does not belong to a plan', (tier) => {
  const metadata = { deployment: 'passerelle', kind: 'plan', uid: 'awa', tier }
  expect(parsePlanMetadata({ deployment: 'passerelle' }, metadata)).toBeNull()
})
