import { Trans } from '@lingui/react/macro'
import { Button, Loader, useComputedColorScheme } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { formatMoney, type Money } from '../../../domain/money.ts'
import type { Payment } from '../../../machines/checkoutTypes.ts'
import { withTimeout } from '../../browser/withTimeout.ts'
import type { CardFormState } from '../../services/cardPayments.ts'
import { Notice } from '../Notice.tsx'
import { Sheet } from '../Sheet.tsx'
import { useLanguage } from '../useLanguage.ts'
import type { CheckoutText } from './checkoutText.ts'
import classes from './PaymentSheet.module.css'

export interface RecapLine {
  /** `to` is whom the money goes to: people look twice at that line. */
  readonly name: 'to' | 'what'
  readonly term: ReactNode
  readonly value: ReactNode
  readonly more?: ReactNode
}

/** How long the code of the form may take, in milliseconds. `openCardForm` has a limit of its own for the form itself. */
const PATIENCE = 20_000

/** The card payment, with what it is for once more in sight. Specification, sections 4 and 7. */
export function PaymentSheet({
  amount,
  recap,
  backLabel,
  payment,
  isBusy,
  isBankSlow,
  told,
  returnTo,
  onSubmit,
  onAsk,
  onClose,
}: {
  amount: Money
  recap: readonly RecapLine[]
  /** What leads back to the form. */
  backLabel: ReactNode
  payment: Payment
  isBusy: boolean
  /** Whether the bank has not answered for a while. The person then need not wait any longer. */
  isBankSlow: boolean
  told: CheckoutText | null
  /** What gets the focus afterwards: a busy button has lost it. */
  returnTo: string
  onSubmit: () => void
  /** Leaves the bank to itself, and asks the server where the payment stands. */
  onAsk: () => void
  onClose: () => void
}) {
  const language = useLanguage()
  const [formState, setFormState] = useState<CardFormState>('loading')
  const [tries, setTries] = useState(0)
  // The element is kept as state, because the sheet puts its content into the page later than it renders.
  const [holder, setHolder] = useState<HTMLDivElement | null>(null)
  const isNight = useComputedColorScheme('light') === 'dark'
  const { clientSecret, customerSession } = payment

  // Another try opens the form anew. Another language or colour scheme is told to the open one: the card that is typed stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!holder) return
    setFormState('loading')
    let close = () => {}
    let isGone = false
    withTimeout(import('../../services/cardPayments.ts'), PATIENCE)
      .then(({ openCardForm }) => {
        if (!isGone)
          close = openCardForm(
            holder,
            { clientSecret, customerSession, language, look: lookOf(holder, isNight) },
            setFormState,
          )
      })
      .catch(() => !isGone && setFormState('failed'))
    return () => {
      isGone = true
      close()
    }
  }, [holder, clientSecret, tries])

  useEffect(() => {
    if (holder && formState === 'ready')
      import('../../services/cardPayments.ts')
        .then(({ updateCardForm }) => updateCardForm({ language, look: lookOf(holder, isNight) }))
        // The form stays as it looks.
        .catch(() => undefined)
  }, [holder, formState, language, isNight])

  const gross = formatMoney(amount, language)
  return (
    <Sheet
      title={<Trans>Payer {gross}</Trans>}
      onClose={isBankSlow ? onAsk : onClose}
      isClosable={!isBusy || isBankSlow}
      isFocusFree={isBusy}
      returnTo={returnTo}
    >
      <div className={classes.sheet}>
        <dl className={classes.recap}>
          {recap.map(({ name, term, value, more }) => (
            <div key={name} data-is={name}>
              <dt>{term}</dt>
              <dd>{value}</dd>
              {more && <dd>{more}</dd>}
            </div>
          ))}
        </dl>
        {told && (
          <Notice kind={told.kind} title={told.title} isCalling>
            {told.text}
          </Notice>
        )}
        {isBankSlow && (
          <Notice
            kind="warning"
            title={<Trans>Votre banque n’a pas encore répondu</Trans>}
            isCalling
            action={
              <Button variant="default" onClick={onAsk} fullWidth>
                <Trans>Ne plus attendre ici</Trans>
              </Button>
            }
          >
            <Trans>
              On ne sait pas encore si votre carte a été débitée. Si votre banque vous demande de confirmer,
              par exemple dans son application, répondez-lui. Ne payez pas une seconde fois, ni ici ni
              ailleurs. Vous pouvez quitter cet écran : nous demanderons où en est ce paiement.
            </Trans>
          </Notice>
        )}
        {formState === 'failed' ? (
          <Notice kind="error" title={<Trans>Le formulaire de carte n’a pas pu s’ouvrir</Trans>}>
            <Trans>Votre carte n’a pas été débitée. Vérifiez votre connexion, puis réessayez.</Trans>
            <Button variant="default" onClick={() => setTries(tries + 1)} fullWidth>
              <Trans>Réessayer</Trans>
            </Button>
          </Notice>
        ) : (
          formState === 'loading' && (
            <p className={classes.loading} role="status">
              <Loader size="sm" /> <Trans>Ouverture du formulaire sécurisé…</Trans>
            </p>
          )
        )}
        <div ref={setHolder} className={classes.card} />
        <Button onClick={onSubmit} loading={isBusy} disabled={formState !== 'ready'}>
          <Trans>Payer {gross}</Trans>
        </Button>
        <Button variant="subtle" onClick={onClose} disabled={isBusy}>
          {backLabel}
        </Button>
        <p className={classes.promise}>
          <Trans>
            Votre numéro de carte va directement à notre prestataire de paiement. Votre carte n’est débitée
            qu’une fois.
          </Trans>
        </p>
      </div>
    </Sheet>
  )
}

function lookOf(element: HTMLElement, night: boolean) {
  const styles = getComputedStyle(element)
  const token = (name: string) => styles.getPropertyValue(name).trim()
  return {
    night,
    primary: token('--action'),
    background: token('--surface'),
    text: token('--ink'),
    danger: token('--danger'),
    radius: token('--radius'),
    font: token('--font-text'),
  }
}
