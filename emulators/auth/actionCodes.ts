import { createSecret } from '../emulator.ts'
import { checkNewPassword, hashPassword } from './credentials.ts'
import { type CallContext, failAuth } from './reply.ts'
import { revokeSessions } from './sessions.ts'
import {
  type ActionCode,
  type ActionRequestType,
  type AuthAccount,
  type AuthContext,
  findAccountByEmail,
  findAccountById,
  normalizeEmail,
} from './state.ts'

const HOUR_MS = 3_600_000

const VALID_MS: Record<ActionRequestType, number> = {
  PASSWORD_RESET: HOUR_MS,
  VERIFY_EMAIL: 72 * HOUR_MS,
  VERIFY_AND_CHANGE_EMAIL: 72 * HOUR_MS,
}

export function mailActionCode(
  core: AuthContext,
  account: AuthAccount,
  wanted: {
    requestType: ActionRequestType
    email: string
    newEmail?: string
    continueUrl?: string | undefined
  },
  { apiKey, language }: CallContext,
): void {
  core.data.codes.push({
    oobCode: createSecret(),
    requestType: wanted.requestType,
    localId: account.localId,
    email: normalizeEmail(wanted.email),
    newEmail: wanted.newEmail ? normalizeEmail(wanted.newEmail) : null,
    continueUrl: wanted.continueUrl ?? null,
    apiKey,
    language,
    displayName: account.displayName,
    createdAt: core.clock.now(),
    usedAt: null,
  })
}

/** Oldest first. */
export const listPendingCodes = (core: AuthContext) =>
  core.data.codes.filter((code) => findProblem(core, code) === null)

export function findCode(core: AuthContext, oobCode: string): { code: ActionCode; account: AuthAccount } {
  if (!oobCode) return failAuth('MISSING_OOB_CODE')
  const code = core.data.codes.find((one) => one.oobCode === oobCode)
  const account = code && findAccountById(core, code.localId)
  if (!account) return failAuth('INVALID_OOB_CODE')
  const problem = findProblem(core, code)
  return problem === null ? { code, account } : failAuth(problem)
}

export function applyCode(core: AuthContext, oobCode: string): AuthAccount {
  const { code, account } = findCode(core, oobCode)
  if (code.requestType === 'PASSWORD_RESET') return failAuth('INVALID_OOB_CODE')
  if (code.newEmail !== null) {
    const holder = findAccountByEmail(core, code.newEmail)
    if (holder && holder !== account) return failAuth('EMAIL_EXISTS')
    account.email = code.newEmail
    revokeSessions(core, account)
  }
  account.emailVerified = true
  code.usedAt = core.clock.now()
  return account
}

/** As in the real service, other providers are unlinked, but a phone number is kept. */
export async function resetPassword(core: AuthContext, oobCode: string, newPassword: string): Promise<void> {
  // No await may come between checking the code and using it.
  const password = await hashPassword(newPassword, core.clock.now())
  const { code, account } = findCode(core, oobCode)
  if (code.requestType !== 'PASSWORD_RESET') failAuth('INVALID_OOB_CODE')
  checkNewPassword(core, newPassword)
  account.password = password
  account.google = null
  account.wrongPasswords = { count: 0, lastAt: 0 }
  account.emailVerified = true
  code.usedAt = core.clock.now()
  revokeSessions(core, account)
}

function findProblem(core: AuthContext, code: ActionCode): string | null {
  const account = findAccountById(core, code.localId)
  if (account?.email !== code.email || code.usedAt !== null) return 'INVALID_OOB_CODE'
  if (core.clock.now() - code.createdAt > VALID_MS[code.requestType]) return 'EXPIRED_OOB_CODE'
  return account.disabled ? 'USER_DISABLED' : null
}
