import type { Result } from '../../../domain/common/result.ts'

/** A mail to one person. The texts are the product's own, never a user's. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Identifies the mail in each try, so that a mailbox can recognize a repeated one. */
  readonly messageId: string
  readonly attachment: { readonly name: string; readonly type: string; readonly content: Uint8Array }
}

/**
 * Why a mail was not accepted. `isFinal`: another try would fail too. `code`: the server's or the library's.
 */
export interface MailFailure {
  readonly isFinal: boolean
  readonly code: string | number | null
}

/** Hands a mail to the mail server, once. Never throws. */
export type SendMail = (mail: Mail) => Promise<Result<null, MailFailure>>
