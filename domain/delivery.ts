import { DAY, HOUR, MINUTE } from './duration.ts'
import type { Currency, Money } from './money.ts'
import {
  type DeliveryNews,
  type DeliveryStage,
  FINAL_FAILURES,
  type FinalFailure,
} from './schemas/delivery.ts'

// What becomes of a transfer once it is paid: its delivery order. There is one for each transfer that was recorded since somebody
// pays transfers out, under the transfer's id; none for those before. What may follow what says machines/delivery.ts.

/** Where an order stands. Each has its sentence in machines/delivery.ts. */
export const DELIVERY_STATES = [
  ...(['due', 'handingOver', 'handedOver', 'waiting', 'claimed', 'held'] as const),
  ...(['delivered', 'failed', 'paidBack'] as const),
] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Of these the transfer waits, because they are about us, and an operator can do something. */
const OURS = ['noBalance', 'ourLimit', 'notSetUp'] as const

/**
 * Why nothing arrives. It is known for certain: what nobody knows is none of these.
 *
 * `noBalance`: our account at the provider is empty. `ourLimit`: more than we may pay out there at present. `notSetUp`: the provider does
 * not let us (keys, environment, currency, address of the callback).
 *
 * `recipientUnknown`: no wallet has this number. `recipientNotAllowed`: the wallet may not receive it. `expired`: nobody took it in
 * time. `canceled`: somebody called it off. `rejected`: without a reason that we know, and for good.
 */
export type PayoutFailure = (typeof OURS)[number] | FinalFailure

/** Whether the transfer waits for us, rather than being given back. */
export const isOurs = (failure: PayoutFailure): boolean => OURS.some((one) => one === failure)

/** Why the money of a charge may be gone: its holder disputes it, or it was refunded at the provider. */
export type Reversal = 'disputed' | 'refundedByHand'

/** Why an order is held: an operator, or its id at the card's provider of a warning or a review. */
export type HoldCause = 'operator' | (string & {})

/** What an order knows besides where it stands. Instants are UTC milliseconds. */
export interface DeliveryFacts {
  /** Whether people pay it, and no program can. */
  readonly isByHand: boolean
  /** The number of the try, from 1: with the transfer's id it makes the reference. It goes up only after a failure that is certain. */
  readonly attempt: number
  /**
   * When the reference of this try was sent last, or was about to be; null when it was not. What was
   * sent may have been paid out until the provider says otherwise.
   */
  readonly sentAt: number | null
  /** None while it is not held. */
  readonly holds: readonly HoldCause[]
  /** Warnings and reviews that hold it no more, and never again: they may be told twice, or be open still. */
  readonly lifted: readonly HoldCause[]
  /** In which batch somebody has it in hand (`deliveryBatches`); null when nobody has. */
  readonly batch: string | null
  /** Why nothing has arrived so far; null when there is nothing to say. */
  readonly failure: PayoutFailure | null
  /** What the recipient's wallet shows. */
  readonly proof: string | null
  readonly handedOverAt: number | null
  readonly deliveredAt: number | null
  /** What became of the charge while it was too late to keep the money. */
  readonly reversal: Reversal | null
  /** We have paid out, and others took the charge back: the name of the loss. */
  readonly loss: Reversal | null
}

/** An order as it is stored. Its id is that of the transfer. */
export interface DeliveryOrder extends DeliveryFacts {
  readonly uid: string
  readonly state: DeliveryState
  /** The provider that pays it out, chosen once. */
  readonly provider: string
  /** The name of its attempt to pay, which knows what it holds of the cap. */
  readonly attemptKey: string
  /** What is to arrive, in whole minor units. */
  readonly amount: Money<Currency>
  readonly phone: string
  readonly wallet: string
  readonly createdAt: number
  /** What the provider knows this try by, written down before it is called; null before. */
  readonly reference: string | null
  /** When it came to where it stands. */
  readonly since: number
  /** When a program looked last, and when it looks again; null when it has nothing to do. */
  readonly lookedAt: number | null
  readonly checkAt: number | null
}

const STAGES: Record<DeliveryState, DeliveryStage> = {
  due: 'ordered',
  handingOver: 'ordered',
  waiting: 'ordered',
  claimed: 'ordered',
  held: 'ordered',
  handedOver: 'handedOver',
  delivered: 'delivered',
  failed: 'failed',
  paidBack: 'paidBack',
}

/** What the sender may know of an order. */
export function newsOf({
  state,
  provider: by,
  failure,
  proof,
  handedOverAt,
  deliveredAt,
}: Pick<
  DeliveryOrder,
  'state' | 'provider' | 'failure' | 'proof' | 'handedOverAt' | 'deliveredAt'
>): DeliveryNews {
  const stage = STAGES[state]
  const isOver = stage === 'failed' || stage === 'paidBack'
  return {
    stage,
    by,
    // It stays so while it is tried again: until the provider has it, the order keeps why the last try came to nothing.
    isLate: stage === 'ordered' && failure !== null,
    // Of a try that came to nothing it says nothing.
    handedOverAt: stage === 'ordered' ? null : handedOverAt,
    deliveredAt: stage === 'delivered' ? deliveredAt : null,
    proof: stage === 'delivered' ? proof : null,
    failure: isOver ? (FINAL_FAILURES.find((one) => one === failure) ?? null) : null,
  }
}

/** What people know a provider by; null for people who pay by hand, and for one that only a newer server knows. */
export const providerName = (by: string): string | null => (by === 'mtn' ? 'MTN Mobile Money' : null)

/** Whether two of them say the same. */
export const isSameNews = (one: DeliveryNews, other: DeliveryNews): boolean =>
  (Object.keys(one) as (keyof DeliveryNews)[]).every((field) => one[field] === other[field])
/** For how long after a payment news of its delivery are asked for, in milliseconds. Whoever opens the receipt later asks again. */
const FOLLOWED_FOR = 30 * DAY

/** The stages after which there is more to hear. */
export const OPEN_STAGES = ['ordered', 'handedOver', 'failed'] as const satisfies readonly DeliveryStage[]

/** Whether more is to be heard of a delivery. */
export const isOpenDelivery = (delivery: DeliveryNews | null): boolean =>
  OPEN_STAGES.some((stage) => stage === delivery?.stage)

/** Whether more is to be heard of the delivery of a transfer, and it is young enough at `now` (UTC ms) to be asked about. */
export function isFollowed(
  { delivery, createdAt }: { readonly delivery: DeliveryNews | null; readonly createdAt: number },
  now: number,
): boolean {
  return isOpenDelivery(delivery) && now - createdAt < FOLLOWED_FOR
}

/**
 * When a program looks at an order again that it has looked at (`now`, UTC ms): the longer it takes, the less often, and once an hour at
 * least. Null when only people or the card's provider can change it.
 */
export function nextLook(
  { state, isByHand, createdAt }: Pick<DeliveryOrder, 'state' | 'isByHand' | 'createdAt'>,
  now: number,
): number | null {
  if (isByHand) return null
  switch (state) {
    case 'due':
      return createdAt
    case 'handingOver':
      return now + MINUTE
    case 'handedOver':
    case 'waiting':
      return now + Math.min(Math.max((now - createdAt) / 4, MINUTE), HOUR)
    default:
      return null
  }
}
