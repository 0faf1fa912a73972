import * as v from 'valibot'
import { isProduction, listInsecure, type Variables, webAddress } from '../../platform/settings.ts'

export const mtnSettingsSchema = v.pipe(
  v.object(
    {
      MTN_API_BASE: webAddress,
      MTN_TARGET_ENVIRONMENT: v.string(),
      MTN_SUBSCRIPTION_KEY: v.string(),
      // Unlike `uuid`, keeps upper case, because MTN uses the value as a user name.
      MTN_API_USER: v.pipe(v.string(), v.uuid('must be a UUID')),
      MTN_API_KEY: v.string(),
      MTN_CALLBACK_URL: v.optional(webAddress),
    },
    'is missing',
  ),
  v.transform((read) => ({
    base: read.MTN_API_BASE,
    /** 'mtnguineaconakry' in production. */
    targetEnvironment: read.MTN_TARGET_ENVIRONMENT,
    subscriptionKey: read.MTN_SUBSCRIPTION_KEY,
    apiUser: read.MTN_API_USER,
    apiKey: read.MTN_API_KEY,
    /** The call is only a hint. */
    callback: read.MTN_CALLBACK_URL ?? null,
  })),
)

export type MtnSettings = Readonly<v.InferOutput<typeof mtnSettingsSchema>>

// MTN's sandbox accepts every payout and pays none, so it must never be combined with real money.
export function listMtnProblems(variables: Variables): string[] {
  const { MTN_API_BASE: base, MTN_TARGET_ENVIRONMENT: target } = variables
  const isReal = target !== 'sandbox' && /^https:\/\/(?!sandbox\.)/.test(base ?? '')
  return [
    ...(isProduction(variables) && base && target && !isReal
      ? ['MTN_API_BASE and MTN_TARGET_ENVIRONMENT point to a sandbox and must not be set in production']
      : []),
    // Outside of production only the emulator calls back, over plain HTTP.
    ...listInsecure(variables, 'MTN_CALLBACK_URL', 'https'),
  ]
}
