import { newSecret } from '../emulator.ts'
import {
  type Account,
  type ActionCode,
  type ActionRequest,
  accountByEmail,
  accountById,
  type Core,
  canonicalEmail,
} from './core.ts'
import { checkNewPassword, hashPassword } from './credentials.ts'
import { type Call, isRefusal, type Refusal, refuse } from './reply.ts'
import { revokeSessions } from './sessions.ts'

const HOUR_MS = 3_600_000

const VALID_MS: Record<ActionRequest, number> = {
  PASSWORD_RESET: HOUR_MS,
  VERIFY_EMAIL: 72 * HOUR_MS,
  VERIFY_AND_CHANGE_EMAIL: 72 * HOUR_MS,
}

/** Makes a code; the inbox shows it as the mail that carries it. */
export function mailActionCode(
  core: Core,
  account: Account,
  wanted: { requestType: ActionRequest; email: string; newEmail?: string; continueUrl?: string | undefined },
  { apiKey, language }: Call,
): void {
  core.data.codes.push({
    oobCode: newSecret(),
    requestType: wanted.requestType,
    localId: account.localId,
    email: canonicalEmail(wanted.email),
    newEmail: wanted.newEmail ? canonicalEmail(wanted.newEmail) : null,
    continueUrl: wanted.continueUrl ?? null,
    apiKey,
    language,
    displayName: account.displayName,
    createdAt: core.clock.now(),
    usedAt: null,
  })
}

/** The codes that still do something, oldest first. */
export const pendingCodes = (core: Core) =>
  core.data.codes.filter((code) => !isRefusal(checkCode(core, code)))

/** A code that can be used now, with its account. */
export function findCode(core: Core, oobCode: string): { code: ActionCode; account: Account } | Refusal {
  if (!oobCode) return refuse('MISSING_OOB_CODE')
  const code = core.data.codes.find((one) => one.oobCode === oobCode)
  return code ? checkCode(core, code) : refuse('INVALID_OOB_CODE')
}

/** Confirms or changes the address that the code was mailed to. */
export function applyCode(core: Core, oobCode: string): { account: Account } | Refusal {
  const found = findCode(core, oobCode)
  if (isRefusal(found)) return found
  const { code, account } = found
  if (code.requestType === 'PASSWORD_RESET') return refuse('INVALID_OOB_CODE')
  if (code.newEmail !== null) {
    const holder = accountByEmail(core, code.newEmail)
    if (holder && holder !== account) return refuse('EMAIL_EXISTS')
    account.email = code.newEmail
    revokeSessions(core, account)
  }
  account.emailVerified = true
  code.usedAt = core.clock.now()
  return { account }
}

/**
 * Sets a new password. Whoever follows the mail has proved to own the address, so it counts as verified. As in the real
 * service other companies' accounts are unlinked then, and a phone is not.
 */
export async function resetPassword(
  core: Core,
  oobCode: string,
  newPassword: string,
): Promise<{ account: Account } | Refusal> {
  const weak = checkNewPassword(newPassword)
  // Hashed first: nothing may come between the check of the code and its use.
  const password = await hashPassword(newPassword, core.clock.now())
  const found = findCode(core, oobCode)
  if (isRefusal(found)) return found
  const { code, account } = found
  if (code.requestType !== 'PASSWORD_RESET') return refuse('INVALID_OOB_CODE')
  if (weak) return weak
  account.password = password
  account.google = null
  account.wrongPasswords = { count: 0, lastAt: 0 }
  account.emailVerified = true
  code.usedAt = core.clock.now()
  revokeSessions(core, account)
  return { account }
}

function checkCode(core: Core, code: ActionCode): { code: ActionCode; account: Account } | Refusal {
  const account = accountById(core, code.localId)
  if (!account || account.email !== code.email || code.usedAt !== null) return refuse('INVALID_OOB_CODE')
  if (core.clock.now() - code.createdAt > VALID_MS[code.requestType]) return refuse('EXPIRED_OOB_CODE')
  if (account.disabled) return refuse('USER_DISABLED')
  return { code, account }
}
