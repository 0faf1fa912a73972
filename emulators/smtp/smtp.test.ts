import { createTransport } from 'nodemailer'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createSmtpEmulator } from './smtp.ts'

const smtp = createSmtpEmulator({ clock: { now: () => 1_000 } })
const transport = createTransport(await smtp.listen())
const mail = { from: 'a@x.example', to: 'b@x.example', subject: 'Reçu', text: 'Bonjour' }

beforeEach(() => smtp.reset())
afterAll(() => smtp.close())

test('the mail server keeps an accepted mail with its attachments', async () => {
  await transport.sendMail({ ...mail, attachments: [{ filename: 'a.pdf', content: Buffer.from('%PDF') }] })
  expect(smtp.mails()).toMatchObject([
    {
      from: 'a@x.example',
      to: ['b@x.example'],
      subject: 'Reçu',
      text: expect.stringMatching(/^Bonjour/),
      attachments: [{ name: 'a.pdf', type: 'application/pdf', content: Buffer.from('%PDF') }],
      receivedAt: 1_000,
    },
  ])
})

test('the mail server refuses the next mails with the given codes', async () => {
  smtp.refuseNext(451)
  await expect(transport.sendMail(mail)).rejects.toMatchObject({ responseCode: 451 })
  await transport.sendMail(mail)
  expect(smtp.mails()).toHaveLength(1)
  expect(smtp.tries()).toBe(2)
})
