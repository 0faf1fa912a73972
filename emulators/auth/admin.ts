import { z } from 'zod'
import { removeAccount, userInfo } from './account.ts'
import { accountById, accountByPhone, type Core, unlink } from './core.ts'
import { done, type Operation, operation, refuse } from './reply.ts'
import { revokeSessions } from './sessions.ts'

const names = z.array(z.string()).default([])

/** Accounts by any of their names. As in the real service, `users` is left out when there is none. */
const lookup = operation(
  z.strictObject({ localId: names, phoneNumber: names }),
  (core, { localId, phoneNumber }) => {
    const found = new Set([
      ...localId.map((id) => accountById(core, id)),
      ...phoneNumber.map((number) => accountByPhone(core, number)),
    ])
    const users = [...found].flatMap((account) => (account ? [userInfo(account)] : []))
    return done({ kind: 'identitytoolkit#GetAccountInfoResponse', ...(users.length > 0 && { users }) })
  },
)

/** `validSince`, in seconds: whatever was signed in before is over. */
const changes = z.strictObject({
  localId: z.string(),
  // The protocol has it as text, the SDK as a number; the service takes both.
  validSince: z.coerce.number().int().positive().optional(),
  deleteProvider: names,
})

const update = operation(changes, (core, request) => {
  const { localId, validSince, deleteProvider } = request
  const account = accountById(core, localId)
  if (!account) return refuse('USER_NOT_FOUND')
  unlink(account, deleteProvider)
  if (validSince !== undefined) revokeSessions(core, account, validSince * 1000)
  return done({ kind: 'identitytoolkit#SetAccountInfoResponse', localId })
})

const remove = operation(z.strictObject({ localId: z.string() }), (core, { localId }) => {
  const account = accountById(core, localId)
  return account ? removeAccount(core, account) : refuse('USER_NOT_FOUND')
})

/** A setting that is off is left out, as in every answer of the real service. */
const configOf = ({ projectId, data, settings }: Core) =>
  done({
    ...settings(),
    name: `projects/${projectId}/config`,
    emailPrivacyConfig: data.emailEnumerationProtection ? { enableImprovedEmailPrivacy: true } : {},
  })

const config = z.strictObject({
  emailPrivacyConfig: z.strictObject({ enableImprovedEmailPrivacy: z.boolean() }),
})

const updateConfig = operation(config, (core, { emailPrivacyConfig }) => {
  core.data.emailEnumerationProtection = emailPrivacyConfig.enableImprovedEmailPrivacy
  return configOf(core)
})

/** What the admin SDK asks for, below `v1/projects/{project}/`; the settings of the project are below `v2`. */
export const adminOperations: Readonly<Record<string, Operation>> = {
  'POST accounts:lookup': lookup,
  'POST accounts:update': update,
  'POST accounts:delete': remove,
  'GET v2/config': operation(z.strictObject({}), configOf),
  'PATCH v2/config': updateConfig,
}
