import { Trans } from '@lingui/react/macro'
import { Button, Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatMoney, type Money } from '../../../domain/money/money.ts'
import { Cloud } from '../drawings/Cloud.tsx'
import { Notice } from '../Notice.tsx'
import { Sheet } from '../Sheet.tsx'
import { useLanguage } from '../useLanguage.ts'
import type { CheckoutText } from './checkoutText.ts'
import classes from './OutcomeSheet.module.css'

/**
 * Shown until the server confirms the outcome of a card payment. Until then, the payment is never called
 * failed. Specification, section 8.
 */
export function OutcomeSheet({
  amount,
  payee,
  isFinishing,
  isAsking,
  explanation,
  returnTo,
  onAsk,
  onLeave,
}: {
  amount: Money
  payee: ReactNode
  /** Whether the first response is still awaited. */
  isFinishing: boolean
  isAsking: boolean
  explanation: CheckoutText | null
  /** Selector of the element to focus when the sheet closes; its opener was disabled while busy. */
  returnTo: string
  onAsk: () => void
  onLeave: () => void
}) {
  const language = useLanguage()
  return (
    <Sheet
      title={isFinishing ? <Trans>Un instant…</Trans> : <Trans>Nous vérifions votre paiement</Trans>}
      onClose={onLeave}
      isClosable={!isFinishing}
      returnTo={returnTo}
      // Outside the announced region, so that the new label of a button is not announced.
      foot={
        !isFinishing &&
        explanation && (
          <>
            {/* The machine also checks by itself. A disabled button would lose the focus. */}
            <Button aria-disabled={isAsking} onClick={() => !isAsking && onAsk()}>
              {isAsking ? <Trans>Nous vérifions…</Trans> : <Trans>Vérifier maintenant</Trans>}
            </Button>
            <Button variant="light" onClick={onLeave}>
              <Trans>Continuer sans attendre</Trans>
            </Button>
          </>
        )
      }
    >
      <div className={classes.waiting}>
        {!isFinishing && <Cloud />}
        <div aria-live="polite">
          {isFinishing ? (
            <p className={classes.progress}>
              <Loader size="sm" /> <Trans>Nous regardons où en est votre paiement…</Trans>
            </p>
          ) : (
            explanation && <Notice kind={explanation.kind}>{explanation.text}</Notice>
          )}
        </div>
        {!isFinishing && (
          <dl className={classes.facts} translate="no">
            <div>
              <dt>
                <Trans>Pour</Trans>
              </dt>
              <dd>{payee}</dd>
            </div>
            <div>
              <dt>
                <Trans>Montant</Trans>
              </dt>
              <dd>{formatMoney(amount, language)}</dd>
            </div>
          </dl>
        )}
      </div>
    </Sheet>
  )
}
