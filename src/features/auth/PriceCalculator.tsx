import { useLingui } from '@lingui/react/macro'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { getDefaultReceivingMethod } from '../../../domain/numbers/wallets.ts'
import { EMPTY_SUBSCRIPTION } from '../../../domain/prices/plans.ts'
import { EMPTY_TRANSFER_DRAFT, quoteDraft, quoteLeast } from '../../../domain/transfers/transfer.ts'
import { reportFilledFields } from '../../browser/filledFields.ts'
import { getPromisedMinutes } from '../../services/promisedMinutes.ts'
import { getAmountProblemText } from '../../ui/amountText.ts'
import { QuoteBridge } from '../../ui/quote/QuoteBridge.tsx'
import { useAmounts } from '../../ui/quote/useAmounts.ts'
import { readWantedQuote, saveWantedQuote, type WantedQuote } from '../../ui/quote/wantedQuote.ts'

const EXAMPLE: WantedQuote = {
  amount: '100',
  currency: EMPTY_TRANSFER_DRAFT.currency,
  country: EMPTY_TRANSFER_DRAFT.country,
}

// A visitor has no plan, and the price without a plan does not depend on the time.
const CONTEXT = { subscription: EMPTY_SUBSCRIPTION, now: 0 }

/** The typed values are kept through the sign-up. */
export function PriceCalculator() {
  const { i18n } = useLingui()
  const [form, setForm] = useState(EXAMPLE)
  // The prerendered page does not know the values that the visitor typed earlier.
  useEffect(() => setForm((example) => readWantedQuote() ?? example), [])
  const place = useRef<HTMLDivElement>(null)
  // This part is hydrated later than the rest of the page.
  useLayoutEffect(() => {
    if (place.current) reportFilledFields(place.current)
  }, [])

  const change = (patch: Partial<WantedQuote>) => {
    const { arrives: _, ...wanted } = { ...form, ...patch }
    setForm(wanted)
    saveWantedQuote(wanted)
  }
  const draft = { ...form, coupon: '' }
  const amounts = useAmounts(draft, CONTEXT, change)
  const price = quoteDraft(draft, CONTEXT)
  const { arrives } = form
  useEffect(() => {
    if (arrives) amounts.typeArrives(arrives)
  })
  return (
    <div ref={place}>
      <QuoteBridge
        draft={draft}
        quote={price.ok ? price.value : null}
        least={quoteLeast(draft, CONTEXT)}
        wanted={amounts.wanted}
        minutes={getPromisedMinutes(getDefaultReceivingMethod(draft.country))}
        problem={!price.ok && form.amount !== '' && getAmountProblemText(price.error, i18n)}
        onAmount={(amount) => change({ amount })}
        onArrives={amounts.typeArrives}
        onCurrency={(currency) => amounts.reprice({ currency })}
        onCountry={(country) => change({ country })}
      />
    </div>
  )
}
