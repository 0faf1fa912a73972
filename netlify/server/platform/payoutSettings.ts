/** The names of the payout providers. Orders store them, so they never change. */
export const PAYOUT_PROVIDERS = ['mtn', 'byHand'] as const
export type PayoutProviderName = (typeof PAYOUT_PROVIDERS)[number]

/** Settings of payouts. */
export interface PayoutSettings {
  /** Providers in order of preference. If empty, nothing is paid out. */
  readonly providers: readonly PayoutProviderName[]
  /** Null if MTN is not one of the providers. */
  readonly mtn: MtnSettings | null
  /** Whether senders may look up the holder of a wallet. */
  readonly namesHolders: boolean
  /** How long a sender may cancel a transfer before a provider gets it, in milliseconds. */
  readonly cancellationWindow: number
  /** The list of sanctions; null if no person is searched for. */
  readonly screening: ScreeningSettings | null
}

export interface ScreeningSettings {
  /** The file's name in the deployment's bucket. */
  readonly path: string
  /** The age from which the list is outdated, in milliseconds. */
  readonly maxAge: number
}

export interface MtnSettings {
  /** Origin of MTN's API. */
  readonly base: URL
  /** MTN's name of the environment: 'mtnguineaconakry' in production. */
  readonly targetEnvironment: string
  readonly subscriptionKey: string
  readonly apiUser: string
  readonly apiKey: string
  /** The URL that MTN calls when a payout changes; null for none. The call is only a hint. */
  readonly callback: URL | null
}

/** The keys that sign messages for push services (RFC 8292). */
export interface PushSettings {
  /**
   * The app is built with this key too, because browsers accept only messages signed with the matching
   * private key.
   */
  readonly publicKey: string
  readonly privateKey: string
  /** The operator's contact URL or email address for push services. */
  readonly subject: string
  /** The origin of a push service that is allowed besides the browsers'; null in production. */
  readonly service: string | null
}
