import { createSmtpEmulator } from 'service-emulators/smtp'
import { expect, test } from 'vitest'
import { listFindings } from './findings.ts'
import { checkMail } from './mail.ts'

const operator = { name: 'Passerelle SA', licence: '00000', complaints: 'x@y.example' }
const examine = async (server: string | null) => {
  const mail = server === null ? null : { server, from: 'recus@passerelle.example', operator }
  return listFindings(checkMail({ settings: { mail } as never }))
}

test('the doctor says that receipts by email are off', async () => {
  expect(await examine(null)).toMatchObject([{ verdict: 'good', said: expect.stringMatching(/are off/) }])
})

test('the doctor connects to the mail server without sending anything', async () => {
  const smtp = createSmtpEmulator({ clock: Date })
  expect(await examine(await smtp.listen())).toEqual([
    { verdict: 'good', said: 'Receipts by email come from recus@passerelle.example.' },
  ])
  expect(smtp.tries()).toBe(0)
  await smtp.close()
})

test('the doctor reports a silent mail server without its password', async () => {
  const [finding] = await examine('smtp://user:secret@127.0.0.1:1')
  expect(finding).toMatchObject({
    verdict: 'bad',
    said: 'The mail server did not accept the connection: ESOCKET.',
  })
  expect(JSON.stringify(finding)).not.toContain('secret')
})
