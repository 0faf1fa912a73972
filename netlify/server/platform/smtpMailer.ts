import { createTransport } from 'nodemailer'
import { SECOND } from '../../../domain/common/duration.ts'
import { err, ok } from '../../../domain/common/result.ts'
import type { SendMail } from './mailer.ts'
import type { MailSettings } from './settings.ts'

/** Three tries must fit into a request. */
const STEP_WITHIN = 5 * SECOND

export const createSmtpTransport = ({ server }: Pick<MailSettings, 'server'>) =>
  createTransport({
    url: server,
    connectionTimeout: STEP_WITHIN,
    greetingTimeout: STEP_WITHIN,
    socketTimeout: STEP_WITHIN,
    dnsTimeout: STEP_WITHIN,
    // An attachment is never read from a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })

/** Can't be read as a list of addresses. */
const ONE_MAILBOX = /^[^\s,;:<>()"\\]+@[^\s,;:<>()"\\@]+$/

export const createSmtpMailer = (settings: MailSettings): SendMail => {
  const transport = createSmtpTransport(settings)
  return async ({ to, subject, text, messageId, attachment }) => {
    if (!ONE_MAILBOX.test(to)) return err({ isFinal: true, code: 'EENVELOPE' })
    try {
      await transport.sendMail({
        from: { name: 'Passerelle', address: settings.from },
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${messageId}@${settings.from.split('@')[1]}>`,
        headers: { 'auto-submitted': 'auto-generated' },
        attachments: [
          {
            filename: attachment.name,
            contentType: attachment.type,
            content: Buffer.from(attachment.content),
          },
        ],
      })
      return ok(null)
    } catch (error) {
      const { responseCode, code = null } = error as { responseCode?: number; code?: string }
      // Reply codes from 500 are permanent (RFC 5321, section 4.2.1).
      return err({ isFinal: (responseCode ?? 0) >= 500, code: responseCode ?? code })
    }
  }
}
