import { useLingui } from '@lingui/react/macro'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { EMPTY_SUBSCRIPTION } from '../../../domain/plans.ts'
import { EMPTY_DRAFT, quoteDraft } from '../../../domain/transfer.ts'
import { firstWallet } from '../../../domain/wallets.ts'
import { tellOfAllTyped } from '../../browser/typedBefore.ts'
import { keepWantedQuote, type WantedQuote, wantedQuote } from '../../browser/wantedQuote.ts'
import { promisedTo } from '../../services/longest.ts'
import { amountText } from '../../ui/amountText.ts'
import { QuoteBridge } from '../../ui/quote/QuoteBridge.tsx'
import { useAmounts } from '../../ui/quote/useAmounts.ts'

/** An amount that shows what a transfer costs. */
const EXAMPLE: WantedQuote = { amount: '100', currency: EMPTY_DRAFT.currency, country: EMPTY_DRAFT.country }

// Who has no account has no plan, and the fee without one is the same at any time.
const CONTEXT = { subscription: EMPTY_SUBSCRIPTION, now: 0 }

/** The price before there is an account, by the same rules and without any call. What is typed is there after the sign-up. */
export function Calculator() {
  const { i18n } = useLingui()
  const [asked, setAsked] = useState(EXAMPLE)
  // The painted page does not know what was typed here before.
  useEffect(() => setAsked((example) => wantedQuote() ?? example), [])
  const place = useRef<HTMLDivElement>(null)
  // It is taken over later than the rest of the page.
  useLayoutEffect(() => {
    if (place.current) tellOfAllTyped(place.current)
  }, [])

  const change = (patch: Partial<WantedQuote>) => {
    const { arrives: _, ...wanted } = { ...asked, ...patch }
    setAsked(wanted)
    keepWantedQuote(wanted)
  }
  const draft = { ...asked, coupon: '' }
  const amounts = useAmounts(draft, CONTEXT, change)
  const quoted = quoteDraft(draft, CONTEXT)
  const { arrives } = asked
  // Typed before this was here.
  useEffect(() => {
    if (arrives) amounts.typeArrives(arrives)
  })
  return (
    <div ref={place}>
      <QuoteBridge
        draft={draft}
        quote={quoted.ok ? quoted.value : null}
        wanted={amounts.wanted}
        minutes={promisedTo(firstWallet(draft.country))}
        problem={!quoted.ok && asked.amount !== '' && amountText(quoted.error, i18n)}
        onAmount={(amount) => change({ amount })}
        onArrives={amounts.typeArrives}
        onCurrency={(currency) => amounts.reprice({ currency })}
        onCountry={(country) => change({ country })}
      />
    </div>
  )
}
