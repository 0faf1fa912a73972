import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { Clock } from '../emulator.ts'

export type SmtpEmulator = ReturnType<typeof createSmtpEmulator>

/** Accepts every mail sent on this machine, and delivers none. */
export function createSmtpEmulator({ clock }: { readonly clock: Clock }) {
  let mails: Awaited<ReturnType<typeof parseMail>>[] = []
  let refusals: number[] = []
  let tries = 0
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    // Clients refuse a certificate that no authority has signed.
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom(_address, _session, callback) {
      tries += 1
      const responseCode = refusals.shift()
      callback(responseCode === undefined ? null : Object.assign(new Error('Refused'), { responseCode }))
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push(await parseMail(Buffer.concat(chunks), to, clock.now()))
        callback()
      })
    },
  })
  // A client may close its connection at any time.
  server.on('error', () => undefined)
  let url: string | null = null
  return {
    async listen(): Promise<string> {
      const listening = server.listen(0, '127.0.0.1')
      await new Promise<void>((resolve) => listening.once('listening', resolve))
      url = `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`
      return url
    },
    /** Null before the server listens. */
    url: () => url,
    /** Oldest first. */
    mails: () => mails,
    /** Counts mails that were begun. */
    tries: () => tries,
    refuseNext(...codes: readonly number[]) {
      refusals.push(...codes)
    },
    reset() {
      mails = []
      refusals = []
      tries = 0
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** `receivedAt`: UTC milliseconds. */
async function parseMail(sent: Buffer, to: readonly string[], receivedAt: number) {
  const { from, messageId = '', subject = '', text = '', attachments } = await PostalMime.parse(sent)
  const files = attachments.map(({ filename, mimeType: type, content }) => ({
    name: filename ?? '',
    type,
    content: Buffer.from(content as ArrayBuffer),
  }))
  return { from: from?.address ?? '', to, subject, messageId, text, attachments: files, receivedAt }
}
