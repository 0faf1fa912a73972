import * as v from 'valibot'
import { buildUserInfo, removeAccount } from './account.ts'
import { sendOobCode } from './emailPassword.ts'
import { defineOperation, failAuth, type Operation } from './reply.ts'
import { revokeSessions } from './sessions.ts'
import {
  type AuthContext,
  findAccountById,
  findAccountByPhone,
  passwordPolicySchema,
  unlinkProviders,
} from './state.ts'

const names = v.optional(v.array(v.string()), [])

/** As in the real service, `users` is left out if there are none. */
const lookup = defineOperation(
  v.strictObject({ localId: names, phoneNumber: names }),
  (core, { localId, phoneNumber }) => {
    const accounts = new Set([
      ...localId.map((id) => findAccountById(core, id)),
      ...phoneNumber.map((number) => findAccountByPhone(core, number)),
    ])
    const users = [...accounts].flatMap((account) => (account ? [buildUserInfo(account)] : []))
    return { kind: 'identitytoolkit#GetAccountInfoResponse', ...(users.length > 0 && { users }) }
  },
)

/** `validSince`, in seconds, ends all sessions that began earlier. */
const changes = v.strictObject({
  localId: v.string(),
  // The protocol says text, the SDK sends a number; the service accepts both.
  validSince: v.optional(v.pipe(v.unknown(), v.toNumber(), v.safeInteger(), v.gtValue(0))),
  deleteProvider: names,
  deleteAttribute: v.optional(v.array(v.literal('EMAIL')), []),
})

const update = defineOperation(changes, (core, request) => {
  const { localId, validSince, deleteProvider, deleteAttribute } = request
  const account = findAccountById(core, localId)
  if (!account) return failAuth('USER_NOT_FOUND')
  unlinkProviders(account, deleteProvider)
  if (deleteAttribute.length > 0) Object.assign(account, { email: null, emailVerified: false })
  if (validSince !== undefined) revokeSessions(core, account, validSince * 1000)
  return { kind: 'identitytoolkit#SetAccountInfoResponse', localId }
})

const remove = defineOperation(v.strictObject({ localId: v.string() }), (core, { localId }) => {
  const account = findAccountById(core, localId)
  return account ? removeAccount(core, account) : failAuth('USER_NOT_FOUND')
})

/** As in the real service, settings that are off are left out. */
const buildConfig = ({ projectId, data, settings }: AuthContext) => ({
  ...settings(),
  name: `projects/${projectId}/config`,
  emailPrivacyConfig: data.emailEnumerationProtection ? { enableImprovedEmailPrivacy: true } : {},
})

const config = v.strictObject({
  emailPrivacyConfig: v.optional(v.strictObject({ enableImprovedEmailPrivacy: v.boolean() })),
  passwordPolicyConfig: v.optional(
    v.strictObject({
      passwordPolicyEnforcementState: v.literal('ENFORCE'),
      passwordPolicyVersions: v.tuple([v.strictObject({ customStrengthOptions: passwordPolicySchema })]),
    }),
  ),
})

const updateConfig = defineOperation(config, (core, { emailPrivacyConfig, passwordPolicyConfig }) => {
  if (emailPrivacyConfig) core.data.emailEnumerationProtection = emailPrivacyConfig.enableImprovedEmailPrivacy
  const [version] = passwordPolicyConfig?.passwordPolicyVersions ?? []
  if (version) core.data.passwordPolicy = version.customStrengthOptions
  return buildConfig(core)
})

/** Paths are below `v1/projects/{project}/`; those of settings are below `v2`. */
export const adminOperations: Readonly<Record<string, Operation>> = {
  'POST accounts:lookup': lookup,
  'POST accounts:update': update,
  'POST accounts:delete': remove,
  'POST accounts:sendOobCode': sendOobCode,
  'GET v2/config': defineOperation(v.strictObject({}), buildConfig),
  'PATCH v2/config': updateConfig,
}
