import type { MtnTransfer } from 'service-emulators/mtn'
import { type Money, money } from '../../domain/money/money.ts'
import { mapSenderTexts } from '../../domain/transfers/shapes/fields.ts'
import type {
  Payout,
  PayoutFailure,
  PayoutProvider,
  PayoutState,
} from '../server/payouts/providers/provider.ts'

export const SAMPLE_PAYOUT: Payout = {
  reference: '11111111-1111-4111-8111-111111111111',
  transferId: 'pi_1',
  amount: money(1_028_200, 'GNF'),
  wallet: 'mtn_money',
  phone: '+224660000000',
  senderName: 'Ada Lovelace',
  ...mapSenderTexts(() => null),
  recipientName: 'Mariama Bah',
}

export type PayoutOutcome = 'delivered' | 'pending' | PayoutFailure

/** When an answer is lost: before or after the provider has done its work, or never. */
type Silence = 'before' | 'after' | 'not'
const isSilent = (silence: Silence = 'not') => silence !== 'not'

/** MTN does not take names. */
export interface AcceptedPayout
  extends Pick<Payout, 'reference' | 'transferId' | 'amount' | 'wallet' | 'phone'> {
  state: PayoutState
}

/** MTN's emulator counts in hundredths of francs. */
export function toAcceptedPayout({
  reference,
  externalId: transferId,
  amount,
  msisdn,
  status,
  financialTransactionId: proof,
}: MtnTransfer): AcceptedPayout {
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

/** Implements only the port, accepts each reference once, and may lose its answers. */
export function createSimulatedProvider() {
  const taken = new Map<string, AcceptedPayout>()
  let manner: PayoutOutcome = 'delivered'
  let silences: Silence[] = []
  let refuses: PayoutFailure | null = null
  let balance = Number.MAX_SAFE_INTEGER
  let denials = 0
  let proofs = 0
  let onTaken = (_payout: Payout) => {}

  function decide(one: AcceptedPayout, how: PayoutOutcome) {
    proofs += 1
    if (how === 'pending') one.state = { kind: 'pending' }
    else if (how === 'delivered') one.state = { kind: 'delivered', proof: `W${proofs}` }
    else one.state = { kind: 'failed', failure: how }
  }

  function take(payout: Payout) {
    onTaken(payout)
    const one: AcceptedPayout = { ...payout, state: { kind: 'pending' } }
    decide(one, payout.amount.minor > balance ? 'noBalance' : manner)
    taken.set(payout.reference, one)
  }

  const provider: PayoutProvider = {
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
      asksForIdentity: true,
      async balance(currency): Promise<Money | null> {
        return isSilent(silences.shift()) ? null : money(balance, currency)
      },
    },
  }

  return {
    provider,
    taken: (): readonly AcceptedPayout[] => [...taken.values()],
    will(how: PayoutOutcome) {
      manner = how
    },
    /** Refuses payouts that it has not accepted yet; null ends this. */
    refuse(failure: PayoutFailure | null) {
      refuses = failure
    },
    fallSilent(...next: readonly Silence[]) {
      silences = [...next]
    },
    /** Reports an accepted payout as unknown once. */
    lag() {
      denials = 1
    },
    fill(minor = Number.MAX_SAFE_INTEGER) {
      balance = minor
    },
    decide(how: Exclude<PayoutOutcome, 'pending'>) {
      for (const one of taken.values()) if (one.state.kind === 'pending') decide(one, how)
    },
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
