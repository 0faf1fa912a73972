import { parseIdentityLimit } from '../../domain/account/identityLimit.ts'

/**
 * Returns the maximum use of a month without an approved document, in EUR cents; null without a limit. The
 * functions read the same setting.
 */
export const getIdentityLimit = (): number | null =>
  parseIdentityLimit(import.meta.env.VITE_IDENTITY_REQUIRED_FROM)
