import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import {
  type FormEvent,
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { cleanCode } from '../../../domain/clean.ts'
import { type CountryCode, DESTINATIONS, getDestination } from '../../../domain/destinations.ts'
import { formatMoney, type Money, type SourceCurrency } from '../../../domain/money.ts'
import {
  checkTransfer,
  quoteDraft,
  quoteLeast,
  type TransferContext,
  type TransferDraft,
  type TransferProblem,
} from '../../../domain/transfer.ts'
import { runAfterPress } from '../../browser/press.ts'
import { getPromisedMinutes } from '../../services/promisedMinutes.ts'
import { loadWithPageMessages } from '../../ui/i18n.ts'
import { UpIcon } from '../../ui/icons/common.ts'
import { createLazyComponent } from '../../ui/lazyComponent.ts'
import { Notice } from '../../ui/Notice.tsx'
import { FormClosedNotice } from '../../ui/payment/FormClosedNotice.tsx'
import { QuoteBridge } from '../../ui/quote/QuoteBridge.tsx'
import { useAmounts } from '../../ui/quote/useAmounts.ts'
import { focusField } from '../../ui/useForm.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useRestoreFocus } from '../../ui/useRestoreFocus.ts'
import type { AlternativeAction } from './alternativeAction.ts'
import { missingFieldHint, transferProblemText } from './formMessages.ts'
import { findNamedProblem, isConfirmationNext } from './missingField.ts'
import pair from './RecipientFields.module.css'
import { PhoneConfirmation, PhoneField, RECIPIENT_FACTS_ID, WalletChoice } from './RecipientFields.tsx'
import classes from './TransferForm.module.css'
import { useIsInView } from './useIsInView.ts'

type Field = TransferProblem['field']

const PriceSheet = createLazyComponent(
  async () => (await loadWithPageMessages(import('./PriceSheet.tsx'))).PriceSheet,
)

const RecipientName = createLazyComponent(async () => (await import('./recipientParts.ts')).RecipientName)

/** Form to send money, whose quote follows each keystroke. Specification, sections 2, 4 and 5. */
export function TransferForm({
  draft,
  pricing,
  isPlanRead,
  isBusy,
  isClosed,
  isQuestioned,
  isAsked,
  refused,
  isRestored,
  people,
  recipient,
  capLeftOf: renderCapLeft,
  capWarningOf: renderCapWarning,
  notice,
  instead,
  isRetry,
  onChange,
  onContacts,
  onClear,
  onConfirm,
}: {
  draft: TransferDraft
  /** Facts on which the quote depends, besides the form. */
  pricing: TransferContext
  /** Whether the user's plan is known. Until then the form shows no fee and no amount that arrives. */
  isPlanRead: boolean
  isBusy: boolean
  /**
   * Whether the form is locked, because changes would be lost. The focused field keeps the focus and can be
   * read.
   */
  isClosed: boolean
  /** Whether a question about the recipient's number is open. */
  isQuestioned: boolean
  /**
   * Whether the user has pressed the button to pay. From then on every problem is shown, not only those of
   * fields already left.
   */
  isAsked: boolean
  /** The field whose value the server refused, which gets the focus. */
  refused: Field | null
  /** Whether the form was restored from the device and nothing of it was paid. */
  isRestored: boolean
  /** Known recipients, which one tap fills in. */
  people: ReactNode
  /** Facts about the recipient's number, shown right above its confirmation. */
  recipient: ReactNode
  /** Renders what is left of the monthly cap. */
  capLeftOf: (currency: SourceCurrency) => ReactNode
  /** Renders a warning if the amount exceeds what is left of the monthly cap. */
  capWarningOf: (gross: Money<SourceCurrency>) => ReactNode
  notice: ReactNode
  /** The main button's action if it doesn't pay. */
  instead: AlternativeAction | null
  /** Whether the payment could not be prepared, so that the main button retries. */
  isRetry: boolean
  onChange: (patch: Partial<TransferDraft>) => void
  onContacts: () => void
  onClear: () => void
  onConfirm: () => void
}) {
  const { i18n } = useLingui()
  const language = useLanguage()
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set())
  const form = useRef<HTMLFormElement>(null)

  const quote = useMemo(() => {
    const quoted = quoteDraft(draft, pricing)
    return quoted.ok ? quoted.value : null
  }, [draft, pricing])
  // A keystroke updates the quote first. Problems, the cap and the button's amount follow in a deferred
  // render.
  const settled = useDeferredValue(draft)
  const settledQuote = useDeferredValue(quote)
  const problems = useMemo(() => {
    const checked = checkTransfer(settled, pricing)
    return checked.ok ? [] : checked.error
  }, [settled, pricing])
  const capWarning = useMemo(
    () => settledQuote && renderCapWarning(settledQuote.gross),
    [settledQuote, renderCapWarning],
  )
  const least = useMemo(() => quoteLeast(draft, pricing), [draft, pricing])

  const leave = useCallback(
    (field: Field) => runAfterPress(() => setLeft((fields) => new Set([...fields, field]))),
    [],
  )
  const shown = (field: Field): TransferProblem | undefined =>
    problems.find(
      (problem) =>
        problem.field === field && (isAsked || left.has(field) || problem.kind === 'amountTooHigh'),
    )
  const textOf = (field: Field) => {
    const problem = shown(field)
    return problem && transferProblemText(problem, i18n)
  }

  const isConfirmationInView = useIsInView(form, '[name=phoneConfirmed]')
  const named = instead ? null : findNamedProblem(problems, isConfirmationInView)

  const amounts = useAmounts(draft, pricing, onChange)
  const chooseCountry = (country: CountryCode) => {
    const { phonePrefix } = getDestination(country)
    const isOnlyPrefix = DESTINATIONS.some((known) => known.phonePrefix === cleanCode(draft.phone))
    onChange(isOnlyPrefix ? { country, phone: `${phonePrefix} ` } : { country })
  }

  const [isPriceOpen, setPriceOpen] = useState(false)
  const goTo = useCallback((field: string) => {
    if (field === 'coupon') setPriceOpen(true)
    else focusField(form.current, field)
  }, [])

  useEffect(() => {
    if (refused) goTo(refused)
  }, [refused, goTo])

  const noteFocus = useRestoreFocus(isBusy)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (instead?.kind === 'nothing') return
    noteFocus()
    onConfirm()
    if (!instead && problems[0]) goTo(problems[0].field)
  }

  const minutes = getPromisedMinutes(draft.receivingMethod)
  return (
    <>
      <form
        ref={form}
        className={classes.form}
        onSubmit={submit}
        noValidate
        aria-labelledby="send"
        data-closed={isClosed || undefined}
      >
        <QuoteBridge
          draft={draft}
          quote={isPlanRead ? quote : null}
          isPlanRead={isPlanRead}
          least={least}
          wanted={amounts.wanted}
          minutes={minutes}
          problem={textOf('amount')}
          isClosed={isClosed}
          onAmount={(amount) => onChange({ amount })}
          onArrives={amounts.typeArrives}
          onCurrency={(currency) => amounts.reprice({ currency })}
          onCountry={chooseCountry}
          onLeave={() => leave('amount')}
          onToll={() => setPriceOpen(true)}
        />
        {isRestored && (
          <Notice kind="info" title={<Trans>Votre transfert est toujours là</Trans>}>
            <Trans>Rien n’a été payé. Le montant à recevoir est calculé au tarif actuel.</Trans>
            <Button variant="subtle" disabled={isClosed} onClick={onClear}>
              <Trans>Effacer et recommencer</Trans>
            </Button>
          </Notice>
        )}
        {people}
        <div className={classes.who}>
          <WalletChoice
            country={draft.country}
            receivingMethod={draft.receivingMethod}
            problem={shown('receivingMethod')}
            isClosed={isClosed}
            onChange={onChange}
          />
          <div className={pair.pair} data-pair data-confirmed={draft.phoneConfirmed || undefined}>
            <PhoneField
              country={draft.country}
              phone={draft.phone}
              problem={shown('phone')}
              isClosed={isClosed}
              onChange={onChange}
              onLeave={leave}
              onContacts={onContacts}
            />
            <div id={RECIPIENT_FACTS_ID} className={pair.facts} data-passing>
              {recipient}
            </div>
            <Suspense>
              <RecipientName
                phone={draft.phone}
                country={draft.country}
                name={draft.recipientName}
                facts={pricing.recipient ?? null}
                problem={shown('recipientName')}
                isClosed={isClosed}
                onChange={onChange}
                onLeave={leave}
              />
            </Suspense>
            <PhoneConfirmation
              checked={draft.phoneConfirmed}
              isNext={isConfirmationNext(problems)}
              isClosed={isClosed}
              onChange={onChange}
            />
          </div>
        </div>
        <div className={classes.dock} data-pinned="dock">
          {notice || capWarning}
          {named && (
            <button type="button" className={classes.hint} translate="no" onClick={() => goTo(named.field)}>
              {missingFieldHint(named, i18n)}
              <UpIcon isSmall />
            </button>
          )}
          <FormClosedNotice isClosed={isClosed} />
          <PayButton
            amount={settledQuote && formatMoney(settledQuote.gross, language)}
            instead={instead?.kind ?? null}
            isRetry={isRetry}
            lower={instead?.kind === 'lower' ? formatMoney(instead.to, language) : null}
            isBusy={isBusy}
            // Checking a payment needs no confirmation.
            isDisabled={!instead && (!draft.phoneConfirmed || isQuestioned)}
          />
        </div>
      </form>
      <Suspense>
        {isPriceOpen && (
          <PriceSheet
            quote={isPlanRead ? settledQuote : null}
            isPlanRead={isPlanRead}
            least={least}
            minutes={minutes}
            coupon={draft.coupon}
            couponProblem={textOf('coupon')}
            isClosed={isClosed}
            capLeft={renderCapLeft(draft.currency)}
            onCoupon={(coupon) => amounts.reprice({ coupon })}
            onLeaveCoupon={() => leave('coupon')}
            onClose={() => setPriceOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}

const PayButton = memo(function PayButton({
  amount: amountToPay,
  instead,
  isRetry,
  lower: lowerAmount,
  isBusy,
  isDisabled,
}: {
  amount: string | null
  instead: AlternativeAction['kind'] | null
  isRetry: boolean
  lower: string | null
  isBusy: boolean
  isDisabled: boolean
}) {
  // The user has just pressed this button, and a disabled one would lose the focus.
  const isStopped = instead === 'nothing'
  return (
    <Button
      type="submit"
      fullWidth
      loading={isBusy}
      disabled={isDisabled}
      aria-disabled={isStopped || undefined}
      data-disabled={isStopped}
    >
      {instead === 'ask' ? (
        <Trans>Vérifier ce paiement</Trans>
      ) : lowerAmount ? (
        <Trans>Choisir plutôt {lowerAmount}</Trans>
      ) : isRetry ? (
        <Trans>Réessayer</Trans>
      ) : amountToPay ? (
        <Trans>Payer {amountToPay}</Trans>
      ) : (
        <Trans>Payer par carte</Trans>
      )}
    </Button>
  )
})
