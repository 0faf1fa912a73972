import type { Transfer as MtnTransfer } from 'service-emulators/mtn'
import { type Money, money } from '../../domain/money.ts'
import type { Payout, PayoutFailure, PayoutState, Provider } from '../server/payouts/providers/provider.ts'

/** What the provider does with what it takes from now on. */
export type Manner = 'delivered' | 'pending' | PayoutFailure

/** Whether the answer to a call is lost, before the provider has done anything or after. */
type Silence = 'before' | 'after' | 'not'
const isSilent = (silence: Silence = 'not') => silence !== 'not'

/** A payout that the provider has taken. */
export interface TakenPayout extends Payout {
  state: PayoutState
}

/** What MTN's emulator has taken, in the words of the port. Its amounts are hundredths of francs. */
export function takenByMtn({
  reference,
  externalId: transferId,
  amount,
  msisdn,
  status,
  financialTransactionId: proof,
}: MtnTransfer): TakenPayout {
  const state: PayoutState =
    status === 'SUCCESSFUL'
      ? { kind: 'delivered', proof }
      : status === 'FAILED'
        ? { kind: 'failed', failure: 'rejected' }
        : { kind: 'pending' }
  return {
    reference,
    transferId,
    amount: money(amount / 100, 'GNF'),
    wallet: 'mtn_money',
    phone: `+${msisdn}`,
    state,
  }
}

/**
 * A provider that does what a test wants, by the port alone: it takes each reference once, and may lose its answers. `onTaken` is
 * called when it takes one.
 */
export function createProvider() {
  const taken = new Map<string, TakenPayout>()
  let manner: Manner = 'delivered'
  let silences: Silence[] = []
  let refuses: PayoutFailure | null = null
  let balance = Number.MAX_SAFE_INTEGER
  let denials = 0
  let proofs = 0
  let onTaken = (_payout: Payout) => {}

  function decide(one: TakenPayout, how: Manner) {
    proofs += 1
    if (how === 'pending') one.state = { kind: 'pending' }
    else if (how === 'delivered') one.state = { kind: 'delivered', proof: `W${proofs}` }
    else one.state = { kind: 'failed', failure: how }
  }

  function take(payout: Payout) {
    onTaken(payout)
    const one: TakenPayout = { ...payout, state: { kind: 'pending' } }
    decide(one, payout.amount.minor > balance ? 'noBalance' : manner)
    taken.set(payout.reference, one)
  }

  const provider: Provider = {
    name: 'mtn',
    pays: (wallet) => wallet === 'orange_money' || wallet === 'mtn_money',
    api: {
      async send(payout) {
        const silence = silences.shift()
        if (silence === 'before') return { kind: 'silent' }
        if (refuses) return { kind: 'refused', failure: refuses }
        const isKnown = taken.has(payout.reference)
        if (!isKnown) take(payout)
        if (silence === 'after') return { kind: 'silent' }
        return { kind: isKnown ? 'known' : 'taken' }
      },
      async state({ reference }) {
        if (isSilent(silences.shift())) return { kind: 'silent' }
        denials -= 1
        if (denials >= 0) return { kind: 'unknown' }
        return taken.get(reference)?.state ?? { kind: 'unknown' }
      },
      async balance(currency): Promise<Money | null> {
        return isSilent(silences.shift()) ? null : money(balance, currency)
      },
    },
  }

  return {
    provider,
    taken: (): readonly TakenPayout[] => [...taken.values()],
    /** What it does with what it takes from now on. */
    will(how: Manner) {
      manner = how
    },
    /** It refuses everything that it has not taken yet; null: it does no more. */
    refuse(failure: PayoutFailure | null) {
      refuses = failure
    },
    /** What becomes of the answers to the next calls. */
    fallSilent(...next: readonly Silence[]) {
      silences = [...next]
    },
    /** It does not know yet what it has taken, when it is asked next. */
    lag() {
      denials = 1
    },
    /** What it has of ours, in minor units. */
    fill(minor = Number.MAX_SAFE_INTEGER) {
      balance = minor
    },
    /** Decides what it works on. */
    decide(how: Exclude<Manner, 'pending'>) {
      for (const one of taken.values()) if (one.state.kind === 'pending') decide(one, how)
    },
    /** From now on it gives this reason for all that has failed. */
    rename(failure: PayoutFailure) {
      for (const one of taken.values()) if (one.state.kind === 'failed') decide(one, failure)
    },
    watch(watcher: (payout: Payout) => void) {
      onTaken = watcher
    },
    reset() {
      taken.clear()
      proofs = 0
      manner = 'delivered'
      silences = []
      refuses = null
      denials = 0
      balance = Number.MAX_SAFE_INTEGER
      onTaken = () => {}
    },
  }
}
