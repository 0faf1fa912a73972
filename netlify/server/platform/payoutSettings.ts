import type { LongestMinutes } from '../../../domain/promise.ts'

/** The providers that pay out. The name is stored with each order, so it never changes. */
export const PROVIDERS = ['mtn', 'byHand'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** What the settings say about payouts. */
export interface DeliverySettings {
  /** In the order in which they are asked whether they pay to a wallet. None: nothing is paid out. */
  readonly providers: readonly ProviderName[]
  /** Null when MTN is not one of the providers. */
  readonly mtn: MtnSettings | null
  readonly longest: LongestMinutes
  /** Whether senders may look up the holder of a wallet. */
  readonly namesHolders: boolean
}

export interface MtnSettings {
  /** Origin of the service. */
  readonly base: URL
  /** 'mtnguineaconakry' in production. */
  readonly targetEnvironment: string
  readonly subscriptionKey: string
  readonly apiUser: string
  readonly apiKey: string
  /** The address that MTN calls when a payout changes; null for none. The call is only a hint. */
  readonly callback: URL | null
}

/** The keys that sign messages for push services (RFC 8292). */
export interface PushSettings {
  /** The app is built with it too: browsers accept messages signed with it and no others. */
  readonly publicKey: string
  readonly privateKey: string
  /** How a push service can contact the operator. */
  readonly subject: string
  /** The origin of a push service besides those of the browsers; null in production. */
  readonly service: string | null
}
