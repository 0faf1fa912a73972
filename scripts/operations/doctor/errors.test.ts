import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../../netlify/testing/world.ts'
import { diagnose } from './doctor.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ sockets: true })
})
afterAll(() => world.close())

test('the doctor lists errors of unsupported browsers separately', async () => {
  const report = { kind: 'start', place: '', release: 'Ab3_x-90' }
  for (const name of ['SyntaxError', 'TypeError'])
    await fetch(`${world.origin}/.netlify/functions/report-error`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Firefox/102.0' },
      body: JSON.stringify({ ...report, name }),
    })
  const findings = await diagnose(world.sandbox.functionSettings(), { site: null, now: world.now })
  const said = findings.map((finding) => finding.said)
  expect(said).toContain('The app has reported no error since yesterday.')
  expect(said).toContain(
    'Browsers that the app does not support have reported errors since yesterday: 2 × firefox/102.',
  )
})
