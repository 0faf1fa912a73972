import * as v from 'valibot'
import { checkEmail } from '../account/email.ts'
import { IDENTITY_LIMIT_PATTERN } from '../account/identityLimit.ts'
import { isPromisableDuration } from '../numbers/promisedTime.ts'
import { walletTariffsSchema } from '../prices/walletTariffsSchema.ts'
import { PUBLIC_KEY_PATTERN } from '../transfers/push.ts'
import { receiptKeysSchema } from '../transfers/receiptKeys.ts'

type SettingVariables = Readonly<Record<string, unknown>>

export const pattern = (regex: RegExp, form: string) => v.pipe(v.string(), v.regex(regex, form))

export const flag = v.literal('on', "must be 'on' or not set")

const line = pattern(/^\S.*$/, 'must be one line of text')
const emailAddress = v.pipe(
  v.string(),
  v.check((text) => checkEmail(text).ok, 'must be an email address'),
)
const minutes = v.pipe(
  v.string(),
  v.check(
    isPromisableDuration,
    'must be a number of minutes: up to 90, or whole hours, and less than 70 days',
  ),
)

const REQUIRED = {
  VITE_FIREBASE_PROJECT_ID: pattern(/^[a-z0-9-]+$/, 'must be the ID of a Firebase project'),
  VITE_FIREBASE_API_KEY: pattern(/^\S+$/, 'must be a key'),
  VITE_FIREBASE_AUTH_DOMAIN: pattern(/^[\w.-]+$/, 'must be a domain'),
  VITE_FIREBASE_STORAGE_BUCKET: pattern(/^[a-z0-9][a-z0-9._-]+$/, 'must be the name of a bucket'),
  VITE_STRIPE_PUBLISHABLE_KEY: pattern(/^pk_(test|live)_\w+$/, 'must start with pk_test_ or pk_live_'),
  VITE_SUPPORT_PHONE: pattern(/^\+[1-9]\d{7,14}$/, 'must be a number such as +33199001234'),
  VITE_SUPPORT_EMAIL: emailAddress,
  VITE_SUPPORT_CHAT_URL: pattern(/^(https:\/\/\S+|self)$/, 'must be an https address'),
  VITE_OPERATOR_NAME: line,
  VITE_OPERATOR_LICENCE: line,
  VITE_OPERATOR_SUPERVISOR: line,
  VITE_OPERATOR_ADDRESS: line,
  VITE_COMPLAINTS_EMAIL: emailAddress,
}

/** A production build has none of them. */
export const APP_EMULATORS = {
  VITE_FIREBASE_AUTH_EMULATOR_HOST: line,
  VITE_FIRESTORE_EMULATOR_HOST: line,
  VITE_FIREBASE_STORAGE_EMULATOR_HOST: line,
  VITE_STRIPE_API_BASE: line,
  VITE_RECAPTCHA_SCRIPT: line,
  VITE_GOOGLE_AUTH_URL: line,
}

const OPTIONAL = {
  ...APP_EMULATORS,
  VITE_GOOGLE_CLIENT_ID: line,
  VITE_MAIL_FROM: emailAddress,
  VITE_VAPID_PUBLIC_KEY: pattern(PUBLIC_KEY_PATTERN, 'must be a public key that web-push generated'),
  VITE_RECEIPT_KEYS: receiptKeysSchema,
  VITE_MTN_LONGEST_MINUTES: minutes,
  VITE_BY_HAND_LONGEST_MINUTES: minutes,
  VITE_HOLDER_NAMES: flag,
  VITE_RECIPIENT_NAME_REQUIRED: flag,
  VITE_IDENTITY_REQUIRED_FROM: pattern(
    IDENTITY_LIMIT_PATTERN,
    'must be a whole number of EUR, from 0 to 999',
  ),
  VITE_WALLET_TARIFFS: walletTariffsSchema,
}

/** The functions read some of them too, and declare only their own. */
export const APP_SETTINGS = { ...REQUIRED, ...OPTIONAL }

const appSettingsSchema = v.object({ ...REQUIRED, ...v.partial(v.object(OPTIONAL)).entries }, 'is missing')

export type AppVariables = v.InferInput<typeof appSettingsSchema>

/** The problems contain no values, so they can be logged. */
export function parseSettings<T>(schema: v.GenericSchema<unknown, T>, variables: SettingVariables) {
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value))
  const parsed = v.safeParse(schema, present, { abortPipeEarly: true })
  return parsed.success
    ? { settings: parsed.output, problems: [] }
    : {
        settings: null,
        problems: parsed.issues.map((issue) => `${v.getDotPath(issue)} ${issue.message}`),
      }
}

/** Runs before each build, and when a page of the development server starts. */
export const listSettingProblems = (variables: SettingVariables): readonly string[] =>
  parseSettings(appSettingsSchema, variables).problems

export const listEmulatorSettings = (variables: SettingVariables): string[] =>
  Object.keys(APP_EMULATORS).filter((name) => variables[name])
