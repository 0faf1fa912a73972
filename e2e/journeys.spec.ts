import { getAppFolder } from '../build/build.ts'
import { BROKEN_CALL_ERRORS, test } from './fixtures.ts'
import { JOURNEYS } from './journeys.ts'

test.use({
  // Some journeys go through a request that gets no answer.
  expectedErrors: [BROKEN_CALL_ERRORS],
  settings: { SANDBOX_APP: getAppFolder('inspected') },
})

for (const [name, walk] of Object.entries(JOURNEYS))
  test(`on the way of ${name}, each screen looks like its scene`, async ({ page, server }) => {
    test.slow()
    await walk(page, server)
  })
