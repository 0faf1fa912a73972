import { Trans } from '@lingui/react/macro'
import { Button, Loader } from '@mantine/core'
import { formatMoney } from '../../../domain/money/money.ts'
import { loginPageStore } from '../../browser/network.ts'
import { Cloud } from '../drawings/Cloud.tsx'
import { Fact, Facts } from '../Facts.tsx'
import { Notice } from '../Notice.tsx'
import { Sheet } from '../Sheet.tsx'
import { useLanguage } from '../useLanguage.ts'
import { useStore } from '../useStore.ts'
import classes from './PaymentSheet.module.css'
import type { CheckoutProps } from './useCheckout.ts'

/** Until the server confirms the outcome, the payment is never called failed. Specification, section 8. */
export function OutcomeSheet({ state, send, amount, recap, explanation, returnTo }: CheckoutProps) {
  const isFinishing = state.matches('recording')
  const isAsking = state.matches({ checkingOutcome: 'asking' })
  const stopWaiting = () => send({ type: 'outcome.leave' })
  const language = useLanguage()
  const isLoginPage = useStore(loginPageStore)
  return (
    <Sheet
      title={isFinishing ? <Trans>Un instant…</Trans> : <Trans>Nous vérifions votre paiement</Trans>}
      onClose={stopWaiting}
      isClosable={!isFinishing}
      returnTo={returnTo}
      // The new label of a button is not announced here.
      foot={
        !isFinishing &&
        explanation && (
          <>
            {/* A disabled button would lose the focus. */}
            <Button aria-disabled={isAsking} onClick={() => !isAsking && send({ type: 'outcome.check' })}>
              {isAsking ? <Trans>Nous vérifions…</Trans> : <Trans>Vérifier maintenant</Trans>}
            </Button>
            <Button variant="light" onClick={stopWaiting}>
              <Trans>Continuer sans attendre</Trans>
            </Button>
          </>
        )
      }
    >
      {!isFinishing && <Cloud />}
      <div aria-live="polite">
        {isFinishing ? (
          <p className={classes.loading}>
            <Loader size="sm" /> <Trans>Nous regardons où en est votre paiement…</Trans>
          </p>
        ) : (
          explanation && (
            <Notice kind={explanation.kind}>
              {isLoginPage ? (
                <Trans>
                  Ce réseau demande une connexion : la réponse de la banque ne peut pas nous parvenir. Ouvrez
                  sa page de connexion, puis revenez ici. Ne payez pas une seconde fois : votre carte ne sera
                  débitée qu’une fois.
                </Trans>
              ) : (
                explanation.text
              )}
            </Notice>
          )
        )}
      </div>
      {!isFinishing && (
        <Facts>
          <Fact label={<Trans>Pour</Trans>}>
            <strong>{recap.payee}</strong>
          </Fact>
          <Fact label={<Trans>Montant</Trans>}>
            <strong>{formatMoney(amount, language)}</strong>
          </Fact>
        </Facts>
      )}
    </Sheet>
  )
}
