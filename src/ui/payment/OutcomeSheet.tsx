import { Trans } from '@lingui/react/macro'
import { Button, Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatMoney, type Money } from '../../../domain/money/money.ts'
import { loginPageStore } from '../../browser/network.ts'
import { Cloud } from '../drawings/Cloud.tsx'
import { Notice } from '../Notice.tsx'
import { Sheet } from '../Sheet.tsx'
import { useLanguage } from '../useLanguage.ts'
import { useStore } from '../useStore.ts'
import type { CheckoutText } from './checkoutText.ts'
import classes from './OutcomeSheet.module.css'

/** Until the server confirms the outcome, the payment is never called failed. Specification, section 8. */
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
  isFinishing: boolean
  isAsking: boolean
  explanation: CheckoutText | null
  /** Selector of the element to focus on closing, because the opener was disabled while busy. */
  returnTo: string
  onAsk: () => void
  onLeave: () => void
}) {
  const language = useLanguage()
  const isLoginPage = useStore(loginPageStore)
  return (
    <Sheet
      title={isFinishing ? <Trans>Un instant…</Trans> : <Trans>Nous vérifions votre paiement</Trans>}
      onClose={onLeave}
      isClosable={!isFinishing}
      returnTo={returnTo}
      // The new label of a button is not announced here.
      foot={
        !isFinishing &&
        explanation && (
          <>
            {/* A disabled button would lose the focus. */}
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
            explanation && (
              <Notice kind={explanation.kind}>
                {isLoginPage ? (
                  <Trans>
                    Ce réseau demande une connexion : la réponse de la banque ne peut pas nous parvenir.
                    Ouvrez sa page de connexion, puis revenez ici. Ne payez pas une seconde fois : votre carte
                    ne sera débitée qu’une fois.
                  </Trans>
                ) : (
                  explanation.text
                )}
              </Notice>
            )
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
