import { createECDH } from 'node:crypto'
import * as v from 'valibot'
import { DAY, MINUTE, SECOND } from '../../../domain/common/duration.ts'
import { APP_SETTINGS, parseSettings, pattern } from '../../../domain/settings/appSettings.ts'
import { estimateArrival } from '../../../domain/transfers/arrival.ts'
import {
  listEmulators,
  parseCoreSettings,
  parseGroup,
  type Settings,
  SettingsError,
  type Variables,
  webAddress,
} from '../platform/settings.ts'
import { listMtnProblems, type MtnSettings, mtnSettingsSchema } from './providers/mtnSettings.ts'
import { PAYOUT_PROVIDERS } from './providers/provider.ts'

/** In seconds. */
const MAX_CANCELLATION_WINDOW = 3600

const payoutSchema = v.partial(
  v.object({
    DELIVERY_PROVIDERS: v.pipe(
      v.string(),
      v.transform((names) => names.split(',').map((name) => name.trim())),
      v.array(v.picklist(PAYOUT_PROVIDERS, `must be one of ${PAYOUT_PROVIDERS.join(', ')}`)),
    ),
    CANCELLATION_WINDOW_SECONDS: v.pipe(
      v.string(),
      v.check(
        (text) => /^\d{1,4}$/.test(text) && Number(text) <= MAX_CANCELLATION_WINDOW,
        `must be a number of seconds, from 0 to ${MAX_CANCELLATION_WINDOW}`,
      ),
    ),
    // Users may write below identity/.
    SCREENING_LIST: pattern(
      /^(?!identity\/)[\w.-]+(\/[\w.-]+)*$/,
      'must be the name of a file in the bucket, and not below identity/',
    ),
    SCREENING_LIST_MAX_AGE_DAYS: pattern(/^[1-9]\d?$/, 'must be a number of days, from 1 to 99'),
    VITE_MTN_LONGEST_MINUTES: APP_SETTINGS.VITE_MTN_LONGEST_MINUTES,
    VITE_BY_HAND_LONGEST_MINUTES: APP_SETTINGS.VITE_BY_HAND_LONGEST_MINUTES,
    VITE_HOLDER_NAMES: APP_SETTINGS.VITE_HOLDER_NAMES,
  }),
)
type PayoutVariables = v.InferOutput<typeof payoutSchema>

/** RFC 8292. */
const pushSchema = v.pipe(
  v.object(
    {
      VITE_VAPID_PUBLIC_KEY: APP_SETTINGS.VITE_VAPID_PUBLIC_KEY,
      VAPID_PRIVATE_KEY: pattern(/^[\w-]{43}$/, 'must be a private key that web-push generated'),
      VAPID_SUBJECT: v.pipe(
        v.string(),
        v.check(isPublicContact, 'must be a mailto: or https address with a public host'),
      ),
      PUSH_SERVICE: v.optional(webAddress),
    },
    'is missing',
  ),
  v.forward(
    v.check(
      (read) => isPair(read.VITE_VAPID_PUBLIC_KEY, read.VAPID_PRIVATE_KEY),
      'does not match VITE_VAPID_PUBLIC_KEY',
    ),
    ['VAPID_PRIVATE_KEY'],
  ),
  v.transform((read) => ({
    /** The app is built with this key too. */
    publicKey: read.VITE_VAPID_PUBLIC_KEY,
    privateKey: read.VAPID_PRIVATE_KEY,
    subject: read.VAPID_SUBJECT,
    /** Origin of a push service that is allowed besides the browsers'; null in production. */
    service: read.PUSH_SERVICE?.origin ?? null,
  })),
)
export type PushSettings = Readonly<v.InferOutput<typeof pushSchema>>

/** Whether a push service can reach the operator there; Apple's refuses notifications from other contacts. */
function isPublicContact(text: string): boolean {
  const url = /\s/.test(text) ? null : URL.parse(text)
  const [user, host, ...more] = url?.pathname.split('@') ?? []
  const mailed = user && host && more.length === 0 ? URL.parse(`https://${host}`) : null
  const place = url?.protocol === 'mailto:' ? mailed : url?.protocol === 'https:' ? url : null
  return /\.(?!(?:localhost|local|invalid)$)[a-z][a-z\d-]*$/.test(place?.hostname ?? '')
}

function isPair(publicKey: string, privateKey: string): boolean {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKey, 'base64url')
    return pair.getPublicKey('base64url') === publicKey
  } catch {
    return false
  }
}

export type PayoutSettings = ReturnType<typeof toPayoutSettings>
export type ScreeningSettings = NonNullable<PayoutSettings['screening']>

export interface FunctionSettings extends Settings {
  readonly deliveries: PayoutSettings
  readonly push: PushSettings | null
}

/** @throws SettingsError that names every problem of all settings of the functions. */
export function readFunctionSettings(variables: Variables): FunctionSettings {
  const core = parseCoreSettings(variables)
  const payouts = parseSettings(payoutSchema, variables)
  const isOn = payouts.settings?.DELIVERY_PROVIDERS?.includes('mtn') === true
  const mtn = parseGroup(mtnSettingsSchema, variables, isOn)
  const isPushing = variables.VITE_VAPID_PUBLIC_KEY || variables.VAPID_PRIVATE_KEY || variables.VAPID_SUBJECT
  const push = parseGroup(pushSchema, variables, isPushing)
  const problems = [
    ...core.problems,
    ...payouts.problems,
    ...listEmulators(variables, ['PUSH_SERVICE']),
    ...mtn.problems,
    ...(isOn ? listMtnProblems(variables) : []),
    ...push.problems,
    ...(core.settings && payouts.settings
      ? [
          ...listPromiseProblems(payouts.settings, core.settings.tasks !== null),
          ...listScreeningProblems(payouts.settings, core.settings),
        ]
      : []),
  ]
  if (!core.settings || !payouts.settings || problems.length > 0) throw new SettingsError(problems)
  const deliveries = toPayoutSettings(payouts.settings, mtn.settings)
  return { ...core.settings, deliveries, push: push.settings }
}

const toPayoutSettings = (read: PayoutVariables, mtn: MtnSettings | null) =>
  ({
    /** In order of preference. If empty, nothing is paid out. */
    providers: read.DELIVERY_PROVIDERS ?? [],
    mtn,
    namesHolders: read.VITE_HOLDER_NAMES === 'on',
    cancellationWindow: computeCancellationWindow(read),
    /** The list of sanctions in the deployment's bucket; null if no person is searched for. `maxAge`: ms. */
    screening:
      read.SCREENING_LIST === undefined
        ? null
        : { path: read.SCREENING_LIST, maxAge: Number(read.SCREENING_LIST_MAX_AGE_DAYS ?? '7') * DAY },
  }) as const

/** In milliseconds. */
const computeCancellationWindow = (read: PayoutVariables) =>
  Number(read.CANCELLATION_WINDOW_SECONDS ?? '60') * SECOND

/** A list must be searched for every person who is paid out. */
function listScreeningProblems(
  read: PayoutVariables,
  { isRecipientNameRequired }: Pick<Settings, 'isRecipientNameRequired'>,
): string[] {
  if (read.SCREENING_LIST === undefined)
    return read.SCREENING_LIST_MAX_AGE_DAYS === undefined ? [] : ['SCREENING_LIST is missing']
  return [
    ...(read.DELIVERY_PROVIDERS === undefined
      ? ['SCREENING_LIST must not be set, because DELIVERY_PROVIDERS has no provider']
      : []),
    ...(isRecipientNameRequired
      ? []
      : ['VITE_RECIPIENT_NAME_REQUIRED is missing, because SCREENING_LIST is searched for the recipient']),
  ]
}

/** In milliseconds; the schedule is in `netlify/functions/due-work.ts`. */
const DUE_WORK_INTERVAL = 15 * MINUTE

/** The app estimates this without a promise. */
const ESTIMATED_MINUTES = estimateArrival(0) / MINUTE

/** In minutes. MTN gets a payout after the window for canceling, in a task or the next due-work job. */
function computeShortestPromise(read: PayoutVariables, hasQueue: boolean): number {
  const window = computeCancellationWindow(read)
  const wait = window > 0 && !hasQueue ? DUE_WORK_INTERVAL : 0
  return Math.floor((window + wait) / MINUTE) + 1
}

// The app does not know the providers, so the assumptions of `choosePromisedMinutes` about them must hold.
function listPromiseProblems(read: PayoutVariables, hasQueue: boolean): string[] {
  const { DELIVERY_PROVIDERS: providers = [], VITE_MTN_LONGEST_MINUTES: mtn } = read
  const { VITE_BY_HAND_LONGEST_MINUTES: byHand } = read
  const shortest = computeShortestPromise(read, hasQueue)
  const paysByMtn = providers.find((name) => name === 'mtn' || name === 'byHand') === 'mtn'
  return [
    ...(mtn !== undefined && !paysByMtn
      ? ['VITE_MTN_LONGEST_MINUTES must not be set, because DELIVERY_PROVIDERS does not let MTN pay']
      : []),
    ...(byHand !== undefined && providers.length === 0
      ? ['VITE_BY_HAND_LONGEST_MINUTES must not be set, because DELIVERY_PROVIDERS has no provider']
      : []),
    ...(byHand !== undefined && mtn === undefined && paysByMtn
      ? ['VITE_MTN_LONGEST_MINUTES is missing']
      : []),
    ...(mtn !== undefined && paysByMtn && Number(mtn) < shortest
      ? [
          `VITE_MTN_LONGEST_MINUTES must be at least ${shortest}, because MTN gets a transfer only after CANCELLATION_WINDOW_SECONDS, in a task or else in the next run of the due-work job`,
        ]
      : []),
    ...(mtn === undefined && byHand === undefined && paysByMtn && shortest > ESTIMATED_MINUTES
      ? [
          `CANCELLATION_WINDOW_SECONDS is too long for the estimate of ${ESTIMATED_MINUTES} minutes: set a shorter one, or VITE_MTN_LONGEST_MINUTES to at least ${shortest}`,
        ]
      : []),
  ]
}
