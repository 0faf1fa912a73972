import { Trans } from '@lingui/react/macro'
import { Button, Loader } from '@mantine/core'
import { Notice } from '../Notice.tsx'
import { Sheet } from '../Sheet.tsx'
import type { CheckoutText } from './checkoutText.ts'
import classes from './OutcomeSheet.module.css'

/** Stands between the card payment and the server's answer: the payment is being recorded, or it is not clear yet. It is never called failed. Specification, section 8. */
export function OutcomeSheet({
  isFinishing,
  isAsking,
  told,
  returnTo,
  onAsk,
  onLeave,
}: {
  /** The first answer is still awaited. */
  isFinishing: boolean
  isAsking: boolean
  told: CheckoutText | null
  /** What gets the focus afterwards: a busy button has lost it. */
  returnTo: string
  onAsk: () => void
  onLeave: () => void
}) {
  return (
    <Sheet
      title={isFinishing ? <Trans>Un instant…</Trans> : <Trans>Paiement en vérification</Trans>}
      onClose={onLeave}
      isClosable={!isFinishing}
      returnTo={returnTo}
    >
      <div className={classes.waiting}>
        <div aria-live="polite">
          {isFinishing ? (
            <p className={classes.progress}>
              <Loader size="sm" /> <Trans>Nous regardons où en est votre paiement…</Trans>
            </p>
          ) : (
            told && <Notice kind={told.kind}>{told.text}</Notice>
          )}
        </div>
        {/* They stand outside of what is read aloud, so that a button whose words change is not read again each time. */}
        {!isFinishing && told && (
          <>
            {/* It is asked again by itself too, and a disabled button would lose the focus. */}
            <Button aria-disabled={isAsking} onClick={() => !isAsking && onAsk()}>
              {isAsking ? <Trans>Nous vérifions…</Trans> : <Trans>Vérifier maintenant</Trans>}
            </Button>
            <Button variant="subtle" onClick={onLeave}>
              <Trans>Continuer sans attendre</Trans>
            </Button>
          </>
        )}
      </div>
    </Sheet>
  )
}
