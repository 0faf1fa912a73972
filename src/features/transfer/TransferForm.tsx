import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Checkbox } from '@mantine/core'
import {
  type FormEvent,
  memo,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type CountryCode, DESTINATIONS, destinationByCode } from '../../../domain/destinations.ts'
import { formatMoney, type Money, type SourceCurrency } from '../../../domain/money.ts'
import { normalisePhone } from '../../../domain/phone.ts'
import {
  checkTransfer,
  quoteDraft,
  type TransferContext,
  type TransferDraft,
  type TransferProblem,
} from '../../../domain/transfer.ts'
import { afterPress } from '../../browser/press.ts'
import { promisedTo } from '../../services/longest.ts'
import check from '../../ui/Check.module.css'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { ClosedForm } from '../../ui/payment/ClosedForm.tsx'
import { QuoteBridge } from '../../ui/quote/QuoteBridge.tsx'
import { useAmounts } from '../../ui/quote/useAmounts.ts'
import { useFocusBack } from '../../ui/useFocusBack.ts'
import { focusField } from '../../ui/useForm.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { Coupon } from './Coupon.tsx'
import { formMessage, missingText } from './formMessages.ts'
import type { Instead } from './instead.ts'
import { Recipient } from './Recipient.tsx'
import classes from './TransferForm.module.css'

type Field = TransferProblem['field']

const RECIPIENT = 'recipient'

/** The send-money simulator: the quote follows each keystroke. Specification, sections 2, 4 and 5. */
export function TransferForm({
  draft,
  pricing,
  isBusy,
  isClosed,
  isQuestioned,
  isAsked,
  refused,
  isRestored,
  people,
  recipient,
  capLeftOf,
  notice,
  instead,
  onChange,
  onContacts,
  onClear,
  onConfirm,
}: {
  draft: TransferDraft
  /** What the quote depends on besides the form. */
  pricing: TransferContext
  isBusy: boolean
  /** Whether the form takes nothing, because what is typed would be lost. The field with the focus keeps it, and can be read. */
  isClosed: boolean
  /** Whether a question about the number is open. */
  isQuestioned: boolean
  /** Whether the person has pressed the button to pay. From then on every problem is shown, not only those of fields already left. */
  isAsked: boolean
  /** The field that the server refused: it is shown by itself. */
  refused: Field | null
  /** Whether the device had kept what is in the form, and nothing of it was sent. */
  isRestored: boolean
  /** Who may be sent to by one tap. */
  people: ReactNode
  /** What is known of the number, right before it is confirmed. */
  recipient: ReactNode
  capLeftOf: (gross: Money<SourceCurrency>) => ReactNode
  notice: ReactNode
  /** What the main button does instead of paying. */
  instead: Instead | null
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
  // A keystroke shows its quote first. What is wrong, the cap and the button's amount follow as soon as the processor is free.
  const settled = useDeferredValue(draft)
  const settledQuote = useDeferredValue(quote)
  const problems = useMemo(() => {
    const checked = checkTransfer(settled, pricing)
    return checked.ok ? [] : checked.error
  }, [settled, pricing])
  const capLeft = useMemo(() => settledQuote && capLeftOf(settledQuote.gross), [settledQuote, capLeftOf])

  const leave = useCallback(
    (field: Field) => afterPress(() => setLeft((fields) => new Set([...fields, field]))),
    [],
  )
  const shown = (field: Field): TransferProblem | undefined =>
    problems.find(
      (problem) =>
        problem.field === field && (isAsked || left.has(field) || problem.kind === 'amountTooHigh'),
    )
  const textOf = (field: Field) => {
    const problem = shown(field)
    return problem && formMessage(problem, i18n)
  }

  // What is listed above the form needs no second hint, but for the tick that closes the button.
  const missing = !instead && problems.find(({ field }) => !isAsked || field === 'phoneConfirmed')

  const amounts = useAmounts(draft, pricing, onChange)
  const chooseCountry = (country: CountryCode) => {
    const { phonePrefix } = destinationByCode(country)
    const isOnlyPrefix = DESTINATIONS.some((known) => known.phonePrefix === normalisePhone(draft.phone))
    onChange(isOnlyPrefix ? { country, phone: `${phonePrefix} ` } : { country })
  }
  const confirmPhone = useCallback((phoneConfirmed: boolean) => onChange({ phoneConfirmed }), [onChange])

  const goTo = (field: string) => focusField(form.current, field)

  useEffect(() => {
    if (refused) focusField(form.current, refused)
  }, [refused])

  const noteFocus = useFocusBack(isBusy)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (instead?.kind === 'nothing') return
    noteFocus()
    onConfirm()
    if (!instead && problems[0]) goTo(problems[0].field)
  }

  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={submit}
      noValidate
      aria-labelledby="send"
      data-closed={isClosed || undefined}
    >
      <h1 id="send" tabIndex={-1}>
        <Trans>Envoyer de l’argent</Trans>
      </h1>
      {people}
      <div className={classes.river}>
        <QuoteBridge
          draft={draft}
          quote={quote}
          wanted={amounts.wanted}
          minutes={promisedTo(draft.receivingMethod)}
          problem={textOf('amount')}
          isClosed={isClosed}
          onAmount={(amount) => onChange({ amount })}
          onArrives={amounts.typeArrives}
          onCurrency={(currency) => amounts.reprice({ currency })}
          onCountry={chooseCountry}
          onLeave={() => leave('amount')}
        />
      </div>
      {isRestored && (
        <Notice kind="info" title={<Trans>Votre transfert est resté là</Trans>}>
          <Trans>Rien n’a été payé. Le montant à recevoir est calculé au tarif de maintenant.</Trans>
          <Button variant="subtle" disabled={isClosed} onClick={onClear}>
            <Trans>Effacer et recommencer</Trans>
          </Button>
        </Notice>
      )}
      {isAsked && problems.length > 0 && (
        <ErrorSummary
          problems={problems.map((problem) => ({ field: problem.field, text: formMessage(problem, i18n) }))}
          onGo={goTo}
        />
      )}
      {capLeft}
      <Coupon
        coupon={draft.coupon}
        problem={textOf('coupon')}
        isClosed={isClosed}
        onChange={(coupon) => amounts.reprice({ coupon })}
        onLeave={() => leave('coupon')}
      />
      <Recipient
        country={draft.country}
        phone={draft.phone}
        receivingMethod={draft.receivingMethod}
        phoneProblem={shown('phone')}
        receivingMethodProblem={shown('receivingMethod')}
        isClosed={isClosed}
        onChange={onChange}
        onLeave={leave}
        onContacts={onContacts}
      />
      <div id={RECIPIENT} className={classes.recipient} data-passing>
        {recipient}
      </div>
      <PhoneConfirmation checked={draft.phoneConfirmed} isClosed={isClosed} onChange={confirmPhone} />
      {notice}
      <PayButton
        amount={settledQuote && formatMoney(settledQuote.gross, language)}
        instead={instead?.kind ?? null}
        lower={instead?.kind === 'lower' ? formatMoney(instead.to, language) : null}
        isBusy={isBusy}
        // To ask about a payment nothing has to be confirmed.
        isDisabled={!instead && (!draft.phoneConfirmed || isQuestioned)}
      />
      <ClosedForm isClosed={isClosed} />
      {missing && (
        <Button variant="subtle" className={classes.hint} onClick={() => goTo(missing.field)}>
          {missingText(missing, i18n)}
        </Button>
      )}
    </form>
  )
}

const PayButton = memo(function PayButton({
  amount: amountToPay,
  instead,
  lower: lowerAmount,
  isBusy,
  isDisabled,
}: {
  amount: string | null
  instead: Instead['kind'] | null
  lower: string | null
  isBusy: boolean
  isDisabled: boolean
}) {
  // It was pressed just now: a disabled button would lose the focus.
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
      ) : amountToPay ? (
        <Trans>Payer {amountToPay}</Trans>
      ) : (
        <Trans>Payer par carte</Trans>
      )}
    </Button>
  )
})

/** Renders apart from the amount, as the recipient does. */
const PhoneConfirmation = memo(function PhoneConfirmation({
  checked,
  isClosed,
  onChange,
}: {
  checked: boolean
  isClosed: boolean
  onChange: (isConfirmed: boolean) => void
}) {
  const { t } = useLingui()
  return (
    <Checkbox
      name="phoneConfirmed"
      aria-describedby={RECIPIENT}
      label={t`Je confirme que le numéro de téléphone est correct`}
      checked={checked}
      aria-disabled={isClosed}
      onChange={(event) => onChange(event.currentTarget.checked)}
      classNames={check}
    />
  )
})
