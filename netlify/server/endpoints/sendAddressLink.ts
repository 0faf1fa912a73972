import type { FunctionRequest } from '../../../domain/api/api.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { createAddressProof } from '../accounts/addressLink.ts'
import type { CallerSession } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { buildRefusal, type FunctionRefusal } from '../platform/refusals.ts'

/**
 * Mails a link with a proof for `confirm-address` to the address of the caller's account. The browser can't
 * request it itself, because it would know the proof without access to the mailbox.
 * @throws when the sign-in service refuses or does not answer; calling again sends another mail.
 */
export async function sendAddressLink(
  context: Context,
  { uid, token }: CallerSession,
  { language }: FunctionRequest<'send-address-link'>,
  origin: string,
): Promise<Result<object, FunctionRefusal<'send-address-link'>>> {
  const address = (await context.accounts.find(uid))?.address
  if (!address) return err(buildRefusal('emailUnverified'))
  const back = new URLSearchParams({
    emailVerified: '1',
    proof: createAddressProof(context, { uid, address }),
  })
  await context.accounts.mailLink(token, `${origin}/?${back}`, language)
  return ok({})
}
