import { Trans } from '@lingui/react/macro'
import { Button, Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatMoney } from '../../../domain/money/money.ts'
import type { OpenCardPayment } from '../../../machines/checkoutTypes.ts'
import { runAfterNetworkCheck } from '../../browser/network.ts'
import { withTimeout } from '../../browser/withTimeout.ts'
import type { CardFormState } from '../../services/cardPayments.ts'
import { useIsDark } from '../colorScheme.ts'
import { LockIcon } from '../icons/common.ts'
import { Notice } from '../Notice.tsx'
import { Sheet } from '../Sheet.tsx'
import { useLanguage } from '../useLanguage.ts'
import classes from './PaymentSheet.module.css'
import type { CheckoutProps } from './useCheckout.ts'

/** In milliseconds. `openCardForm` has its own timeout. */
const LOAD_TIMEOUT = 20_000

/** Specification, sections 4 and 7. */
export function PaymentSheet({
  state,
  send,
  amount,
  recap,
  payment: { clientSecret, customerSession },
  explanation,
  returnTo,
}: CheckoutProps & { payment: OpenCardPayment }) {
  const isBusy = state.hasTag('busy')
  // The user may stop waiting for a slow bank.
  const isBankSlow = state.matches({ confirmingCard: 'overdue' })
  const ask = () => send({ type: 'outcome.check' })
  const language = useLanguage()
  const [formState, setFormState] = useState<CardFormState>('loading')
  const [tries, setTries] = useState(0)
  // The sheet mounts its content after the first render.
  const [holder, setHolder] = useState<HTMLDivElement | null>(null)
  const isNight = useIsDark()

  // Another language or color scheme updates the open form, so that a typed card stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!holder) return
    setFormState('loading')
    let close = () => {}
    let isGone = false
    withTimeout(import('../../services/cardPayments.ts'), LOAD_TIMEOUT)
      .then(({ openCardForm }) => {
        if (!isGone)
          close = openCardForm(
            holder,
            { clientSecret, customerSession, language, look: readCardFormLook(holder, isNight) },
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
        .then(({ updateCardForm }) => updateCardForm({ language, look: readCardFormLook(holder, isNight) }))
        .catch(() => undefined)
  }, [holder, formState, language, isNight])

  const gross = formatMoney(amount, language)
  return (
    <Sheet
      title={<Trans>Payer par carte</Trans>}
      onClose={isBankSlow ? ask : () => send({ type: 'payment.close' })}
      isClosable={!isBusy || isBankSlow}
      isFocusFree={isBusy}
      returnTo={returnTo}
      foot={
        <>
          <Button
            onClick={() => runAfterNetworkCheck(() => send({ type: 'payment.submit' }))}
            loading={isBusy}
            disabled={formState !== 'ready'}
          >
            <Trans>Payer {gross}</Trans>
          </Button>
          <p className={classes.promise}>
            <LockIcon isSmall />
            <span>
              <Trans>Votre carte n’est débitée qu’une fois. Son numéro va droit à notre prestataire.</Trans>
            </span>
          </p>
        </>
      }
    >
      <section className={classes.recap} translate="no">
        <div className={classes.payee}>
          {recap.picture}
          <p>
            <strong>{recap.payee}</strong>
            <span>{recap.about}</span>
          </p>
        </div>
        <p className={classes.total}>{formatMoney(recap.total, language).replaceAll('\u202f', '\u00a0')}</p>
        <p>{recap.note}</p>
      </section>
      {explanation && (
        <Notice kind={explanation.kind} title={explanation.title} isCalling>
          {explanation.text}
        </Notice>
      )}
      {isBankSlow && (
        <Notice
          kind="warning"
          title={<Trans>Votre banque n’a pas encore répondu</Trans>}
          isCalling
          action={
            <Button variant="light" onClick={ask} fullWidth>
              <Trans>Ne plus attendre ici</Trans>
            </Button>
          }
        >
          <Trans>
            Nous ne savons pas encore si votre carte a été débitée. Si votre banque vous demande de confirmer,
            par exemple dans son application, répondez-lui. Ne payez pas une seconde fois, ni ici ni ailleurs.
            Vous pouvez quitter cet écran : nous vérifierons où en est ce paiement.
          </Trans>
        </Notice>
      )}
      {formState === 'failed' ? (
        <Notice kind="error" title={<Trans>Le formulaire de carte n’a pas pu s’ouvrir</Trans>}>
          <Trans>Votre carte n’a pas été débitée. Vérifiez votre connexion, puis réessayez.</Trans>
          <Button variant="light" onClick={() => setTries(tries + 1)} fullWidth>
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
    </Sheet>
  )
}

function readCardFormLook(element: HTMLElement, night: boolean) {
  const styles = getComputedStyle(element)
  const token = (name: string) => styles.getPropertyValue(name).trim()
  return {
    night,
    primary: token('--river-ink'),
    background: token('--field'),
    text: token('--ink'),
    line: token('--line-strong'),
    danger: token('--danger'),
    radius: token('--radius-field'),
    font: token('--font-text'),
  }
}
