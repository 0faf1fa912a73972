/** Orders store these names, so they never change. */
export const PAYOUT_PROVIDERS = ['mtn', 'byHand'] as const
export type PayoutProviderName = (typeof PAYOUT_PROVIDERS)[number]

export interface PayoutSettings {
  /** In order of preference. If empty, nothing is paid out. */
  readonly providers: readonly PayoutProviderName[]
  readonly mtn: MtnSettings | null
  readonly namesHolders: boolean
  /** In milliseconds. */
  readonly cancellationWindow: number
  /** The list of sanctions; null if no person is searched for. */
  readonly screening: ScreeningSettings | null
}

export interface ScreeningSettings {
  /** In the deployment's bucket. */
  readonly path: string
  /** In milliseconds. */
  readonly maxAge: number
}

export interface MtnSettings {
  readonly base: URL
  /** 'mtnguineaconakry' in production. */
  readonly targetEnvironment: string
  readonly subscriptionKey: string
  readonly apiUser: string
  readonly apiKey: string
  /** The call is only a hint. */
  readonly callback: URL | null
}

/** RFC 8292. */
export interface PushSettings {
  /** The app is built with this key too. */
  readonly publicKey: string
  readonly privateKey: string
  /** The operator's contact URL or email address. */
  readonly subject: string
  /** Origin of a push service that is allowed besides the browsers'; null in production. */
  readonly service: string | null
}
