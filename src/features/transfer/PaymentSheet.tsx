import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Loader, useComputedColorScheme } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { CheckoutProblem, Payment } from '../../../machines/transfer.ts'
import { formatMoney } from '../../domain/money.ts'
import { groupPhone } from '../../domain/phone.ts'
import type { CheckedTransfer } from '../../domain/transfer.ts'
import { WALLET_NAMES } from '../../domain/wallets.ts'
import type { CardFormState } from '../../services/cardPayments.ts'
import { currentLanguage } from '../../ui/i18n.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { checkoutText } from './checkoutMessages.ts'
import classes from './PaymentSheet.module.css'

/** The card payment of one transfer, with what it is for once more in sight. Specification, sections 4 and 7. */
export function PaymentSheet({
  transfer,
  payment,
  isBusy,
  problem,
  onSubmit,
  onClose,
}: {
  transfer: CheckedTransfer
  payment: Payment
  isBusy: boolean
  problem: CheckoutProblem | null
  onSubmit: () => void
  onClose: () => void
}) {
  const { i18n } = useLingui()
  const language = currentLanguage()
  const [formState, setFormState] = useState<CardFormState>('loading')
  const [tries, setTries] = useState(0)
  // Kept as state: the sheet puts its content into the page later than it renders.
  const [holder, setHolder] = useState<HTMLDivElement | null>(null)
  const isNight = useComputedColorScheme('light') === 'dark'
  const { clientSecret } = payment

  // Another try opens the form anew. Another language or colour scheme does not: it would lose the card that is typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!holder) return
    let close = () => {}
    let isGone = false
    import('../../services/cardPayments.ts')
      .then(({ openCardForm }) => {
        if (!isGone)
          close = openCardForm(
            holder,
            { clientSecret, language, look: lookOf(holder, isNight) },
            setFormState,
          )
      })
      .catch(() => setFormState('failed'))
    return () => {
      isGone = true
      close()
    }
  }, [holder, clientSecret, tries])

  const gross = formatMoney(transfer.quote.gross, language)
  const told = problem && checkoutText(problem, i18n)
  return (
    <Sheet
      title={<Trans>Payer {gross}</Trans>}
      onClose={onClose}
      isClosable={!isBusy}
      isFocusFree={isBusy}
      returnTo="form [type=submit]"
    >
      <div className={classes.sheet}>
        <dl className={classes.recap}>
          <div>
            <dt>
              <Trans>Vers</Trans>
            </dt>
            <dd className={classes.phone}>{groupPhone(transfer.phone)}</dd>
            <dd>{WALLET_NAMES[transfer.receivingMethod]}</dd>
          </div>
          <div>
            <dt>
              <Trans>À recevoir</Trans>
            </dt>
            <dd>{formatMoney(transfer.quote.converted, language)}</dd>
          </div>
        </dl>
        {told && (
          <Notice kind={told.kind} title={told.title} isCalling>
            {told.text}
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
          <Trans>Revenir au transfert</Trans>
        </Button>
        <p className={classes.promise}>
          <Trans>
            Votre numéro de carte va directement à notre prestataire de paiement. Vous n’êtes débité qu’une
            fois.
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
