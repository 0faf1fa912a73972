import { Trans, useLingui } from '@lingui/react/macro'
import { useDebouncedValue } from '@mantine/hooks'
import { type ComponentProps, type CSSProperties, type InputEvent, type ReactNode, useState } from 'react'
import type { Language } from '../../../domain/common/language.ts'
import { formatWait } from '../../../domain/common/wait.ts'
import { cleanAmount } from '../../../domain/money/cleanAmount.ts'
import {
  type Currency,
  formatMoney,
  formatMoneyShort,
  formatWithoutCurrency,
  getDecimals,
  money,
  SOURCE_CURRENCIES,
  type SourceCurrency,
} from '../../../domain/money/money.ts'
import { formatRate } from '../../../domain/money/rates.ts'
import { type CountryCode, DESTINATIONS, getDestination } from '../../../domain/numbers/destinations.ts'
import { getTransferLimits } from '../../../domain/prices/limits.ts'
import type { Quote } from '../../../domain/prices/quote.ts'
import type { PricedDraft } from '../../../domain/transfers/transfer.ts'
import { COUNTRY_NAMES } from '../countryNames.ts'
import { Flag, type FlagCode } from '../Flag.tsx'
import { AlertIcon, DownIcon } from '../icons/common.ts'
import { useLanguage } from '../useLanguage.ts'
import classes from './QuoteBridge.module.css'
import type { TypedAmount } from './useAmounts.ts'
import { useFeeReason } from './useFeeReason.ts'

// Pasted text stays whole and gets an error.
const ignoreInvalidKey = (event: InputEvent<HTMLInputElement>) =>
  /^[^\d.,]$/.test(cleanAmount(event.data ?? '')) && event.preventDefault()

const hasDecimals = (currency: Currency) => getDecimals(currency) > 0

// In a currency without decimals, every separator is one.
const removeGrouping = (text: string, currency: Currency, language: Language) =>
  hasDecimals(currency) ? text : text.replace(language === 'fr' ? /[\s.]/g : /[\s,]/g, '')

// The display font's narrow space is too narrow between groups of digits.
const widenGroups = (text: string) => text.replaceAll('\u202f', '\u00a0')

// CSS can't count the characters of a value. Each style attribute of the built page has a hash in its policy.
const length = ({ length }: string) => (length > 7 ? ({ '--length': length } as CSSProperties) : undefined)

/**
 * The fee is the toll on the arch of a footbridge, with both amounts on its banks. Specification, sections 2,
 * 4 and 5.
 */
export function QuoteBridge({
  draft,
  quote,
  least,
  wanted,
  minutes,
  inHand,
  problem,
  isPlanRead = true,
  isClosed = false,
  onAmount,
  onArrives,
  onCurrency,
  onCountry,
  onLeave,
  onToll,
}: {
  draft: PricedDraft
  quote: Quote | null
  /** Shows the rate and the fee before an amount is typed. */
  least: Quote
  /** Set if the typed amount to receive sets the price. */
  wanted: TypedAmount | null
  /** Null if the time is only estimated. */
  minutes: number | null
  inHand?: ReactNode
  problem?: ReactNode
  /** The user's plan decides the fee. */
  isPlanRead?: boolean
  /** A focused field keeps the focus. */
  isClosed?: boolean
  onAmount: (typed: string) => void
  onArrives: (typed: string) => void
  onCurrency: (currency: SourceCurrency) => void
  onCountry: (country: CountryCode) => void
  onLeave?: () => void
  /** Without it, the toll is not a button. */
  onToll?: () => void
}) {
  const { t, i18n } = useLingui()
  const language = useLanguage()
  const [isTyping, setTyping] = useState(false)
  const converted = quote && formatMoney(quote.converted, language)
  const shown = quote ?? least
  const fee = formatMoney(shown.fee, language)
  const reason = useFeeReason(shown.feeRule, draft.coupon)
  const destination = getDestination(draft.country)
  const limits = getTransferLimits(draft.currency)
  const min = formatMoneyShort(limits.min, language)
  const max = formatMoneyShort(limits.max, language)
  const placeholder = formatWithoutCurrency(money(0, 'EUR'), language)
  const typesArrives = isTyping && wanted !== null
  const arrives =
    quote && !typesArrives
      ? widenGroups(formatWithoutCurrency(quote.converted, language))
      : (wanted?.text ?? '')
  const isMore = wanted?.amount && quote && quote.converted.minor !== wanted.amount.minor
  // Announced once the user pauses typing, not at each keystroke.
  const [announcement] = useDebouncedValue(quote ? t`Frais ${fee}, à recevoir ${converted}` : '', 900)
  const country = i18n._(COUNTRY_NAMES[draft.country])
  const [price] = useDebouncedValue(quote ? `${quote.gross.minor}-${quote.converted.minor}` : '', 400)
  const [firstPrice] = useState(price)
  const wait = minutes !== null && formatWait(minutes * 60, language)
  const toll = (
    <span className={classes.fee}>
      {!isPlanRead ? (
        <Trans>Frais : lecture du forfait…</Trans>
      ) : quote || shown.feeRule !== 'default' ? (
        <Trans>
          Frais {fee} · {reason}
        </Trans>
      ) : (
        // Without an amount, the default fee is a percentage only.
        <Trans>Frais {reason}</Trans>
      )}
      {onToll && <DownIcon isSmall />}
    </span>
  )
  return (
    <section aria-label={t`Votre devis`} data-testid="quote">
      <div className={classes.crossing}>
        <div className={classes.bank} data-wrong={problem ? true : undefined}>
          <AmountInput
            label={<Trans>Vous payez</Trans>}
            name="amount"
            inputMode="decimal"
            placeholder={placeholder}
            value={draft.amount}
            readOnly={isClosed}
            aria-invalid={problem ? true : undefined}
            onChange={(event) => onAmount(event.currentTarget.value)}
            onBlur={onLeave}
          />
          <Pill flag={draft.currency === 'EUR' ? 'EU' : 'CA'} code={draft.currency}>
            <select
              name="currency"
              aria-label={t`Devise`}
              value={draft.currency}
              aria-disabled={isClosed}
              onChange={(event) => onCurrency(event.currentTarget.value as SourceCurrency)}
            >
              {SOURCE_CURRENCIES.map((currency) => (
                <option key={currency}>{currency}</option>
              ))}
            </select>
          </Pill>
        </div>
        <div className={classes.gate}>
          {onToll ? (
            <button
              type="button"
              className={classes.toll}
              translate="no"
              aria-haspopup="dialog"
              onClick={onToll}
            >
              {toll}
            </button>
          ) : (
            <p className={classes.toll} translate="no">
              {toll}
            </p>
          )}
        </div>
        <div className={classes.bank} data-arrives>
          <svg viewBox="0 0 320 28" className={classes.arch} preserveAspectRatio="none" aria-hidden="true">
            <path d="M0 28Q160-25 320 28v2H0z" />
            <path d="M0 28Q160-25 320 28" />
            {price !== firstPrice && (
              <path
                key={price}
                className={classes.gleam}
                data-passing
                data-back={wanted ? true : undefined}
                d="M0 28Q160-25 320 28"
                pathLength="100"
              />
            )}
          </svg>
          <AmountInput
            label={<Trans>À recevoir · {country}</Trans>}
            name="arrives"
            inputMode={hasDecimals(destination.currency) ? 'decimal' : 'numeric'}
            placeholder={hasDecimals(destination.currency) ? placeholder : '0'}
            value={arrives}
            readOnly={isClosed}
            onChange={(event) => {
              setTyping(true)
              onArrives(removeGrouping(event.currentTarget.value, destination.currency, language))
            }}
            onBlur={() => {
              setTyping(false)
              onLeave?.()
            }}
          />
          <Pill flag={draft.country} code={destination.currency}>
            <select
              name="country"
              aria-label={t`Pays du bénéficiaire`}
              value={draft.country}
              aria-disabled={isClosed}
              onChange={(event) => onCountry(event.currentTarget.value as CountryCode)}
            >
              {DESTINATIONS.map(({ code, currency }) => (
                <option key={code} value={code}>
                  {`${i18n._(COUNTRY_NAMES[code])} · ${currency}`}
                </option>
              ))}
            </select>
          </Pill>
        </div>
      </div>
      <div className={classes.fine}>
        {!problem && inHand}
        {!problem && !isMore && <span translate="no">{formatRate(least.rate, language)}</span>}
        <span id="amount-said" className={problem ? classes.wrong : undefined}>
          {problem ? (
            <>
              <AlertIcon isSmall />
              <span>{problem}</span>
            </>
          ) : isMore ? (
            <Trans>Le bénéficiaire recevra {converted}, le montant possible juste au-dessus.</Trans>
          ) : quote && wait ? (
            <Trans>Arrivée prévue dans {wait} au plus</Trans>
          ) : quote ? (
            <Trans>Arrivée prévue dans 1 h environ</Trans>
          ) : (
            <Trans>
              De {min} à {max} par transfert
            </Trans>
          )}
        </span>
      </div>
      <p className="unseen" role="status">
        {announcement}
      </p>
    </section>
  )
}

function AmountInput({
  label,
  value,
  ...input
}: ComponentProps<'input'> & { label: ReactNode; value: string }) {
  return (
    <label className={classes.end}>
      <span>{label}</span>
      <span className={classes.line} style={length(value)}>
        <input
          autoComplete="off"
          aria-describedby="amount-said"
          maxLength={40}
          value={value}
          onBeforeInput={ignoreInvalidKey}
          {...input}
        />
      </span>
    </label>
  )
}

function Pill({ flag, code, children }: { flag: FlagCode; code: Currency; children: ReactNode }) {
  return (
    <span className={classes.currency}>
      {children}
      <span className={classes.face} aria-hidden="true">
        <Flag code={flag} />
        {code}
        <DownIcon isSmall />
      </span>
    </span>
  )
}
