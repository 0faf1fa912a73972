import type { Result } from '../../../domain/common/result.ts'

/** The texts are the product's own, never a user's. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** A mailbox can recognize a repeated mail by it. */
  readonly messageId: string
  readonly attachment: { readonly name: string; readonly type: string; readonly content: Uint8Array }
}

/** `isFinal`: another try would fail too. `code`: the server's or the library's. */
export interface MailFailure {
  readonly isFinal: boolean
  readonly code: string | number | null
}

/** Never throws. */
export type SendMail = (mail: Mail) => Promise<Result<null, MailFailure>>
