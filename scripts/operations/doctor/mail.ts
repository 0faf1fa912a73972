import { createSmtpTransport } from '../../../netlify/server/platform/smtpMailer.ts'
import { buildBadFinding, buildGoodFinding, type DoctorCheck, type DoctorSubject } from './findings.ts'

export const mailChecks: readonly DoctorCheck[] = [['The mail server', checkMail]]

/** Sends nothing. */
export async function* checkMail({ settings }: Pick<DoctorSubject, 'settings'>) {
  if (!settings.mail) {
    yield buildGoodFinding('Receipts by email are off (docs/deploying.md, Receipts by email).')
    return
  }
  const transport = createSmtpTransport(settings.mail)
  try {
    await transport.verify()
    yield buildGoodFinding(`Receipts by email come from ${settings.mail.from}.`)
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string }
    yield buildBadFinding(
      `The mail server did not accept the connection: ${code}.`,
      'Correct SMTP_URL: docs/deploying.md, Receipts by email.',
    )
  } finally {
    transport.close()
  }
}
