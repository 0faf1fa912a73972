import { z } from 'zod'
import { buildUserInfo, removeAccount } from './account.ts'
import { sendOobCode } from './emailPassword.ts'
import { buildRefusal, buildReply, defineOperation, type Operation } from './reply.ts'
import { revokeSessions } from './sessions.ts'
import { type AuthContext, findAccountById, findAccountByPhone, unlinkProviders } from './state.ts'

const names = z.array(z.string()).default([])

/**
 * Finds accounts by ID or phone number. As in the real service, `users` is left out if there are none.
 */
const lookup = defineOperation(
  z.strictObject({ localId: names, phoneNumber: names }),
  (core, { localId, phoneNumber }) => {
    const found = new Set([
      ...localId.map((id) => findAccountById(core, id)),
      ...phoneNumber.map((number) => findAccountByPhone(core, number)),
    ])
    const users = [...found].flatMap((account) => (account ? [buildUserInfo(account)] : []))
    return buildReply({ kind: 'identitytoolkit#GetAccountInfoResponse', ...(users.length > 0 && { users }) })
  },
)

/** Changes to an account. `validSince`, in seconds, ends all sessions that began earlier. */
const changes = z.strictObject({
  localId: z.string(),
  // The protocol says text, the SDK sends a number; the service accepts both.
  validSince: z.coerce.number().int().positive().optional(),
  deleteProvider: names,
  deleteAttribute: z.array(z.literal('EMAIL')).default([]),
})

const update = defineOperation(changes, (core, request) => {
  const { localId, validSince, deleteProvider, deleteAttribute } = request
  const account = findAccountById(core, localId)
  if (!account) return buildRefusal('USER_NOT_FOUND')
  unlinkProviders(account, deleteProvider)
  if (deleteAttribute.length > 0) Object.assign(account, { email: null, emailVerified: false })
  if (validSince !== undefined) revokeSessions(core, account, validSince * 1000)
  return buildReply({ kind: 'identitytoolkit#SetAccountInfoResponse', localId })
})

const remove = defineOperation(z.strictObject({ localId: z.string() }), (core, { localId }) => {
  const account = findAccountById(core, localId)
  return account ? removeAccount(core, account) : buildRefusal('USER_NOT_FOUND')
})

/** Responds with the project's settings. As in the real service, settings that are off are left out. */
const buildConfig = ({ projectId, data, settings }: AuthContext) =>
  buildReply({
    ...settings(),
    name: `projects/${projectId}/config`,
    emailPrivacyConfig: data.emailEnumerationProtection ? { enableImprovedEmailPrivacy: true } : {},
  })

const config = z.strictObject({
  emailPrivacyConfig: z.strictObject({ enableImprovedEmailPrivacy: z.boolean() }),
})

const updateConfig = defineOperation(config, (core, { emailPrivacyConfig }) => {
  core.data.emailEnumerationProtection = emailPrivacyConfig.enableImprovedEmailPrivacy
  return buildConfig(core)
})

/** Operations of the admin SDK, by path below `v1/projects/{project}/`; those on settings are below `v2`. */
export const adminOperations: Readonly<Record<string, Operation>> = {
  'POST accounts:lookup': lookup,
  'POST accounts:update': update,
  'POST accounts:delete': remove,
  'POST accounts:sendOobCode': sendOobCode,
  'GET v2/config': defineOperation(z.strictObject({}), buildConfig),
  'PATCH v2/config': updateConfig,
}
