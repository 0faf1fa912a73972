import { useState } from 'react'
import { type Money, typedAmount } from '../../../domain/money.ts'
import { amountToReach, type PricedDraft, type TransferContext } from '../../../domain/transfer.ts'
import { useLanguage } from '../useLanguage.ts'

/** What somebody typed to arrive. */
export interface Wanted {
  readonly text: string
  /** Null where the text is no amount. */
  readonly amount: Money | null
}

/**
 * The two amounts of a quote, each following the other. What is to arrive leads from when it is typed until another amount stands in the
 * form, from wherever it comes; a change of what decides about the price then changes what is paid.
 */
export function useAmounts<Draft extends PricedDraft>(
  draft: Draft,
  context: TransferContext,
  onChange: (patch: Partial<Draft>) => void,
) {
  const language = useLanguage()
  const [typed, setTyped] = useState<(Wanted & { pays: string }) | null>(null)
  const wanted = typed?.pays === draft.amount ? typed : null

  const reach = (text: string, patch: Partial<PricedDraft> = {}) => {
    const found = amountToReach(text, { ...draft, ...patch }, context)
    const pays = found.ok ? typedAmount(found.value.gross, language) : ''
    setTyped({ text, amount: found.ok ? found.value.wanted : null, pays })
    onChange({ ...patch, amount: pays } as Partial<Draft>)
  }

  return {
    wanted,
    typeArrives: (text: string) => reach(text),
    /** Takes what changes the price and not the currency of what arrives. */
    reprice: (patch: Partial<Pick<PricedDraft, 'currency' | 'coupon'>>) =>
      wanted ? reach(wanted.text, patch) : onChange(patch as Partial<Draft>),
  }
}
