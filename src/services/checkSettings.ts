import * as v from 'valibot'
import { IDENTITY_LIMIT_PATTERN } from '../../domain/account/identityLimit.ts'
import { isPromisableDuration } from '../../domain/numbers/promisedTime.ts'
import { walletTariffsSchema } from '../../domain/prices/walletTariffsSchema.ts'

export type SettingsProblem = { setting: string; kind: 'missing' | 'malformed' }

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const TEXT = /^\S.*$/

const REQUIRED = {
  VITE_FIREBASE_PROJECT_ID: /^[a-z0-9-]+$/,
  VITE_FIREBASE_API_KEY: /^\S+$/,
  VITE_FIREBASE_AUTH_DOMAIN: /^[\w.-]+$/,
  VITE_FIREBASE_STORAGE_BUCKET: /^[a-z0-9][a-z0-9._-]+$/,
  VITE_STRIPE_PUBLISHABLE_KEY: /^pk_(test|live)_\w+$/,
  VITE_SUPPORT_PHONE: /^\+[1-9]\d{7,14}$/,
  VITE_SUPPORT_EMAIL: EMAIL,
  VITE_SUPPORT_CHAT_URL: /^(https:\/\/\S+|self)$/,
  VITE_OPERATOR_NAME: TEXT,
  VITE_OPERATOR_LICENCE: TEXT,
  VITE_OPERATOR_SUPERVISOR: TEXT,
  VITE_OPERATOR_ADDRESS: TEXT,
  VITE_COMPLAINTS_EMAIL: EMAIL,
} as const

const OPTIONAL = {
  VITE_MAIL_FROM: EMAIL,
  VITE_VAPID_PUBLIC_KEY: /^B[\w-]{86}$/,
  VITE_MTN_LONGEST_MINUTES: { test: isPromisableDuration },
  VITE_BY_HAND_LONGEST_MINUTES: { test: isPromisableDuration },
  VITE_HOLDER_NAMES: /^on$/,
  VITE_RECIPIENT_NAME_REQUIRED: /^on$/,
  VITE_IDENTITY_REQUIRED_FROM: IDENTITY_LIMIT_PATTERN,
  VITE_WALLET_TARIFFS: { test: (text: string) => v.is(walletTariffsSchema, text) },
} as const

/** Runs before each build, and when a page of the development server starts. */
export function checkSettings(env: Record<string, unknown>): SettingsProblem[] {
  return Object.entries({ ...REQUIRED, ...OPTIONAL }).flatMap(([setting, form]): SettingsProblem[] => {
    const value = env[setting]
    if (typeof value !== 'string' || value === '')
      return setting in OPTIONAL ? [] : [{ setting, kind: 'missing' }]
    return form.test(value) ? [] : [{ setting, kind: 'malformed' }]
  })
}

/** A production build must have none. */
export const listEmulatorSettings = (env: Record<string, unknown>): string[] =>
  Object.keys(env).filter((name) => env[name] && EMULATOR_SETTING.test(name))

const EMULATOR_SETTING = /^VITE_(\w+_EMULATOR_HOST|STRIPE_API_BASE|RECAPTCHA_SCRIPT|GOOGLE_AUTH_URL)$/
