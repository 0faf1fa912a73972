import { parseIdentityLimit } from '../../domain/account/identityLimit.ts'

/** EUR cents a month; null without a limit. The functions read the same setting. */
export const getIdentityLimit = (): number | null =>
  parseIdentityLimit(import.meta.env.VITE_IDENTITY_REQUIRED_FROM)
