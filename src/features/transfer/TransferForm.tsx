import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { shallowEqual, useSelector } from '@xstate/react'
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
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { cleanCode } from '../../../domain/common/clean.ts'
import {
  formatAmountInput,
  formatMoney,
  type Money,
  type SourceCurrency,
} from '../../../domain/money/money.ts'
import { type CountryCode, DESTINATIONS, getDestination } from '../../../domain/numbers/destinations.ts'
import type { Quote } from '../../../domain/prices/quote.ts'
import type { RecentTransfer } from '../../../domain/transfers/recentTransfers.ts'
import type { TransferDraft } from '../../../domain/transfers/shapes/draftSchema.ts'
import {
  checkTransfer,
  quoteDraft,
  quoteLeast,
  type TransferContext,
  type TransferProblem,
} from '../../../domain/transfers/transfer.ts'
import type { transferMachine } from '../../../machines/transfer.ts'
import { runAfterNetworkCheck } from '../../browser/network.ts'
import { runAfterPress } from '../../browser/press.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { getPromisedMinutes } from '../../services/promisedMinutes.ts'
import { focusHeading } from '../../ui/focusHeading.ts'
import { loadWithPageMessages } from '../../ui/i18n.ts'
import { createLazyComponent, useLazyComponent } from '../../ui/lazyComponent.ts'
import { Notice } from '../../ui/Notice.tsx'
import { FormClosedNotice } from '../../ui/payment/FormClosedNotice.tsx'
import { QuoteBridge } from '../../ui/quote/QuoteBridge.tsx'
import { useAmounts } from '../../ui/quote/useAmounts.ts'
import { focusField } from '../../ui/useForm.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useRestoreFocus } from '../../ui/useRestoreFocus.ts'
import { getAlternativeAction } from './alternativeAction.ts'
import { getMissingFieldHint, getTransferProblemText } from './formMessages.ts'
import { findNamedProblem, isConfirmationNext } from './missingField.ts'
import pair from './RecipientFields.module.css'
import { PhoneConfirmation, PhoneField, RECIPIENT_FACTS_ID, WalletChoice } from './RecipientFields.tsx'
import classes from './TransferForm.module.css'
import { useConfirmationInView } from './useConfirmationInView.ts'

type Field = TransferProblem['field']

/** More typing can't solve these problems. */
const SHOWN_AT_ONCE: readonly TransferProblem['kind'][] = ['amountTooHigh', 'walletLimitExceeded']

export const loadFormParts = () => loadWithPageMessages(import('./formParts.ts'))
const PriceSheet = createLazyComponent(async () => (await loadFormParts()).PriceSheet)
const loadCashOut = async () => (await loadFormParts()).CashOut
const RecipientName = createLazyComponent(async () => (await import('./recipientParts.ts')).RecipientName)

function selectForm(state: SnapshotFrom<typeof transferMachine>) {
  const { draft, origin, unclearDraftId, problem, problems } = state.context
  return {
    draft,
    problem,
    /** From then on every problem is shown, not only those of fields already left. */
    isSubmitted: problems.length > 0,
    /** The refused field gets the focus. */
    refused: problems.find(({ kind }) => kind === 'couponEnded')?.field ?? null,
    /** Only the server can tell that the restored form was not paid. */
    isRestored: origin === 'restored' && unclearDraftId === null,
    /** Changes would be lost. The focused field keeps the focus and can be read. */
    isClosed: !state.hasTag('open'),
    isWaiting: state.hasTag('busy') || state.hasTag('paying'),
  }
}

/** Specification, sections 2, 4 and 5. */
export function TransferForm({
  actor,
  pricing,
  recent,
  isPlanRead,
  isQuestioned,
  people,
  recipient,
  capLeft,
  renderCapWarning,
  notice,
  onChange,
  onContacts,
}: {
  actor: ActorRefFrom<typeof transferMachine>
  pricing: TransferContext
  /** Paying waits for these, to ask about a duplicate. */
  recent: readonly RecentTransfer[] | undefined
  /** Until the plan is known, the form shows no fee and no amount that arrives. */
  isPlanRead: boolean
  isQuestioned: boolean
  people: ReactNode
  recipient: ReactNode
  capLeft: ReactNode
  renderCapWarning: (gross: Money<SourceCurrency>) => ReactNode
  notice: ReactNode
  onChange: (patch: Partial<TransferDraft>) => void
  onContacts: () => void
}) {
  const { t, i18n } = useLingui()
  const language = useLanguage()
  const state = useSelector(actor, selectForm, shallowEqual)
  const { draft, problem, isSubmitted, refused, isRestored, isClosed } = state
  const isBusy = state.isWaiting || (recent === undefined && draft.phoneConfirmed)
  const [touched, setTouched] = useState<ReadonlySet<Field>>(new Set())
  const form = useRef<HTMLFormElement>(null)

  const quote = useMemo(() => {
    const result = quoteDraft(draft, pricing)
    return result.ok ? result.value : null
  }, [draft, pricing])
  // Problems, the cap and the button's amount follow in a deferred render.
  const deferredDraft = useDeferredValue(draft)
  const deferredQuote = useDeferredValue(quote)
  const problems = useMemo(() => {
    const result = checkTransfer(deferredDraft, pricing)
    return result.ok ? [] : result.error
  }, [deferredDraft, pricing])
  const capWarning = useMemo(
    () => deferredQuote && renderCapWarning(deferredQuote.gross),
    [deferredQuote, renderCapWarning],
  )
  const least = useMemo(() => quoteLeast(draft, pricing), [draft, pricing])

  const markTouched = useCallback(
    (field: Field) => runAfterPress(() => setTouched((fields) => new Set([...fields, field]))),
    [],
  )
  const findVisibleProblem = (field: Field): TransferProblem | undefined =>
    problems.find(
      (problem) =>
        problem.field === field &&
        (isSubmitted || touched.has(field) || SHOWN_AT_ONCE.includes(problem.kind)),
    )
  const getText = (field: Field) => {
    const problem = findVisibleProblem(field)
    return problem && getTransferProblemText(problem, i18n)
  }

  const overLimit = problems.find(({ kind }) => kind === 'walletLimitExceeded')
  const instead =
    getAlternativeAction(problem, draft.currency) ?? getAlternativeAction(overLimit ?? null, draft.currency)
  const isUnconfirmed = !draft.phoneConfirmed || isQuestioned

  const dock = useRef<HTMLDivElement>(null)
  const isNext = isConfirmationNext(problems)
  const isConfirmationInView = useConfirmationInView(form, dock)
  const hintProblem = isUnconfirmed && !instead ? findNamedProblem(problems, isConfirmationInView) : null

  const amounts = useAmounts(draft, pricing, onChange)
  const chooseCountry = (country: CountryCode) => {
    const { phonePrefix } = getDestination(country)
    const isOnlyPrefix = DESTINATIONS.some((country) => country.phonePrefix === cleanCode(draft.phone))
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
    if (hintProblem) return goTo(hintProblem.field)
    if (instead?.kind === 'nothing') return
    if (instead?.kind === 'lower') {
      onChange({ amount: formatAmountInput(instead.to, language) })
      // The pressed button becomes disabled, and would lose the focus.
      if (isUnconfirmed && document.activeElement instanceof HTMLButtonElement) focusHeading()
      return
    }
    noteFocus()
    if (instead?.kind === 'ask') return actor.send({ type: 'outcome.check' })
    runAfterNetworkCheck(() =>
      actor.send({
        type: 'form.confirm',
        attemptId: crypto.randomUUID(),
        at: serverNow(),
        recent: recent ?? [],
      }),
    )
    if (!instead && problems[0]) goTo(problems[0].field)
  }

  const amountToPay = deferredQuote && formatMoney(deferredQuote.gross, language)
  const lowerAmount = instead?.kind === 'lower' && formatMoney(instead.to, language)
  const getPayLabel = () => {
    // Leads to the first missing field, in place of a payment.
    if (hintProblem) return getMissingFieldHint(hintProblem, i18n)
    if (instead?.kind === 'ask') return t`Vérifier ce paiement`
    if (lowerAmount) return t`Choisir plutôt ${lowerAmount}`
    if (problem?.kind === 'initFailed') return t`Réessayer`
    return amountToPay ? t`Payer ${amountToPay}` : t`Payer par carte`
  }
  const part = { isClosed, onChange }
  const minutes = getPromisedMinutes(draft.receivingMethod)
  const tariff = draft.receivingMethod && pricing.walletTariffs?.[draft.receivingMethod]
  const CashOut = useLazyComponent(tariff?.cashOut ? loadCashOut : null)
  const renderInHand = (quote: Quote | null) =>
    CashOut &&
    tariff?.cashOut &&
    quote && <CashOut received={quote.converted} cashOut={tariff.cashOut} since={tariff.since} />
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
          inHand={renderInHand(quote)}
          problem={getText('amount')}
          isClosed={isClosed}
          onAmount={(amount) => onChange({ amount })}
          onArrives={amounts.typeArrives}
          onCurrency={(currency) => amounts.reprice({ currency })}
          onCountry={chooseCountry}
          onLeave={() => markTouched('amount')}
          onToll={() => setPriceOpen(true)}
        />
        {isRestored && (
          <Notice kind="info" title={<Trans>Votre transfert est toujours là</Trans>}>
            <Trans>Rien n’a été payé. Le montant à recevoir est calculé au tarif actuel.</Trans>
            <Button variant="subtle" disabled={isClosed} onClick={() => actor.send({ type: 'draft.clear' })}>
              <Trans>Effacer et recommencer</Trans>
            </Button>
          </Notice>
        )}
        {people}
        <div className={classes.who}>
          <WalletChoice
            country={draft.country}
            receivingMethod={draft.receivingMethod}
            problem={findVisibleProblem('receivingMethod')}
            {...part}
          />
          <div className={pair.pair} data-pair data-confirmed={draft.phoneConfirmed || undefined}>
            <PhoneField
              country={draft.country}
              phone={draft.phone}
              problem={findVisibleProblem('phone')}
              {...part}
              onLeave={markTouched}
              onContacts={onContacts}
            />
            <div id={RECIPIENT_FACTS_ID} className={pair.facts} data-passing>
              {recipient}
            </div>
            <PhoneConfirmation checked={draft.phoneConfirmed} isNext={isNext} {...part} />
            <Suspense>
              <RecipientName
                phone={draft.phone}
                country={draft.country}
                name={draft.recipientName}
                facts={pricing.recipient ?? null}
                problem={findVisibleProblem('recipientName')}
                // A restored form starts at its top.
                isConfirmationNext={isNext && !isRestored}
                {...part}
                onLeave={markTouched}
              />
            </Suspense>
          </div>
        </div>
        <div ref={dock} className={classes.dock} data-pinned="dock">
          {notice || capWarning}
          <FormClosedNotice isClosed={isClosed} />
          <PayButton
            label={getPayLabel()}
            isHint={hintProblem !== null}
            isStopped={instead?.kind === 'nothing'}
            isBusy={isBusy}
            // Checking a payment needs no confirmation.
            isDisabled={!instead && isUnconfirmed}
          />
        </div>
      </form>
      <Suspense>
        {isPriceOpen && (
          <PriceSheet
            quote={isPlanRead ? deferredQuote : null}
            isPlanRead={isPlanRead}
            least={least}
            minutes={minutes}
            inHand={renderInHand(deferredQuote)}
            coupon={draft.coupon}
            couponProblem={getText('coupon')}
            isClosed={isClosed}
            capLeft={capLeft}
            onCoupon={(coupon) => amounts.reprice({ coupon })}
            onLeaveCoupon={() => markTouched('coupon')}
            onClose={() => setPriceOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}

const PayButton = memo(function PayButton({
  label,
  isHint,
  isStopped,
  isBusy,
  isDisabled,
}: {
  label: string
  isHint: boolean
  /** A disabled button would lose the focus. */
  isStopped: boolean
  isBusy: boolean
  isDisabled: boolean
}) {
  return (
    <Button
      type="submit"
      fullWidth
      variant={isHint ? 'light' : 'filled'}
      className={isHint ? classes.hint : undefined}
      loading={isBusy}
      disabled={isDisabled && !isHint}
      aria-disabled={isStopped || undefined}
      data-disabled={isStopped}
    >
      {label}
    </Button>
  )
})
