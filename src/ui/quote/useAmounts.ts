import { useState } from 'react'
import { formatAmountInput, type Money } from '../../../domain/money/money.ts'
import {
  type PricedDraft,
  parseWantedAmount,
  type TransferContext,
} from '../../../domain/transfers/transfer.ts'
import { useLanguage } from '../useLanguage.ts'

export interface TypedAmount {
  readonly text: string
  /** Null if the text is not an amount. */
  readonly amount: Money | null
}

/**
 * A typed amount to receive determines the amount to pay, even when the price changes, until the form gets
 * another amount to pay from any source.
 */
export function useAmounts<Draft extends PricedDraft>(
  draft: Draft,
  context: TransferContext,
  onChange: (patch: Partial<Draft>) => void,
) {
  const language = useLanguage()
  const [input, setInput] = useState<(TypedAmount & { pays: string }) | null>(null)
  const wanted = input?.pays === draft.amount ? input : null

  const reach = (text: string, patch: Partial<PricedDraft> = {}) => {
    const result = parseWantedAmount(text, { ...draft, ...patch }, context)
    const pays = result.ok ? formatAmountInput(result.value.gross, language) : ''
    setInput({ text, amount: result.ok ? result.value.wanted : null, pays })
    onChange({ ...patch, amount: pays } as Partial<Draft>)
  }

  return {
    wanted,
    typeArrives: (text: string) => reach(text),
    /** The received currency stays the same. */
    reprice: (patch: Partial<Pick<PricedDraft, 'currency' | 'coupon'>>) =>
      wanted ? reach(wanted.text, patch) : onChange(patch as Partial<Draft>),
  }
}
