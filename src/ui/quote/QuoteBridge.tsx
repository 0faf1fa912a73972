import { Trans, useLingui } from '@lingui/react/macro'
import { useDebouncedValue } from '@mantine/hooks'
import { type InputEvent, type ReactNode, useMemo, useState } from 'react'
import { type CountryCode, DESTINATIONS, destinationByCode } from '../../../domain/destinations.ts'
import { DEFAULT_FEE_PERCENT, type FeeRule } from '../../../domain/fees.ts'
import { type Language, localeOf } from '../../../domain/language.ts'
import { limitsIn } from '../../../domain/limits.ts'
import {
  type Currency,
  decimalsOf,
  formatFigure,
  formatMoney,
  formatMoneyShort,
  SOURCE_CURRENCIES,
  type SourceCurrency,
} from '../../../domain/money.ts'
import type { Quote } from '../../../domain/quote.ts'
import { formatRate } from '../../../domain/rates.ts'
import type { PricedDraft } from '../../../domain/transfer.ts'
import { formatWait } from '../../../domain/wait.ts'
import { COUNTRY_NAMES } from '../countryNames.ts'
import { Flag } from '../Flag.tsx'
import { useLanguage } from '../useLanguage.ts'
import classes from './QuoteBridge.module.css'
import type { Wanted } from './useAmounts.ts'

// A key that no amount contains does nothing. A pasted text stays whole, and is refused in words.
const refuseKey = (event: InputEvent<HTMLInputElement>) =>
  /^[^\d.,\s]$/.test(event.data) && event.preventDefault()

const hasDecimals = (currency: Currency) => decimalsOf(currency) > 0

// What is shown has its figures in groups, and somebody goes on from there. Without decimals what parts figures parts groups.
const ungrouped = (text: string, currency: Currency, language: Language) =>
  hasDecimals(currency) ? text : text.replace(language === 'fr' ? /[\s.]/g : /[\s,]/g, '')

/**
 * The quote, drawn as the footbridge that the product is named after: what is paid on one bank, what arrives on the other, both typed
 * into, and what it costs below the deck between them. Specification, sections 2, 4 and 5.
 */
export function QuoteBridge({
  draft,
  quote,
  wanted,
  minutes,
  problem,
  isClosed = false,
  onAmount,
  onArrives,
  onCurrency,
  onCountry,
  onLeave,
}: {
  draft: PricedDraft
  quote: Quote | null
  /** What leads when it is not the amount. */
  wanted: Wanted | null
  /** Within how many minutes it is promised to arrive; null where that is only estimated. */
  minutes: number | null
  /** What is wrong with the amount. */
  problem?: ReactNode
  /** Whether it takes nothing for now; what has the focus keeps it. */
  isClosed?: boolean
  onAmount: (typed: string) => void
  onArrives: (typed: string) => void
  onCurrency: (currency: SourceCurrency) => void
  onCountry: (country: CountryCode) => void
  onLeave?: () => void
}) {
  const { t, i18n } = useLingui()
  const language = useLanguage()
  const [isTyping, setTyping] = useState(false)
  const converted = quote && formatMoney(quote.converted, language)
  const fee = quote && formatMoney(quote.fee, language)
  const destination = destinationByCode(draft.country)
  const limits = limitsIn(draft.currency)
  const min = formatMoneyShort(limits.min, language)
  const max = formatMoneyShort(limits.max, language)
  const placeholder = useMemo(
    () => (0).toLocaleString(localeOf(language), { minimumFractionDigits: 2 }),
    [language],
  )
  const typesArrives = isTyping && wanted !== null
  const arrives = quote && !typesArrives ? formatFigure(quote.converted, language) : (wanted?.text ?? '')
  const isMore = wanted?.amount && quote && quote.converted.minor !== wanted.amount.minor
  // Screen readers hear it once the typing rests, not at each keystroke.
  const [spoken] = useDebouncedValue(quote ? t`Frais ${fee}, à recevoir ${converted}` : '', 900)
  return (
    <section className={classes.bridge} aria-label={t`Votre devis`} data-testid="quote">
      <div className={classes.span}>
        <svg viewBox="0 0 320 100" className={classes.arch} preserveAspectRatio="none" aria-hidden="true">
          <path d="M3 100V54C3 18 44 3 160 3s157 15 157 51v46" />
        </svg>
        <label className={classes.end}>
          <span>
            <Trans>Vous payez</Trans>
          </span>
          <input
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            placeholder={placeholder}
            value={draft.amount}
            readOnly={isClosed}
            aria-invalid={problem ? true : undefined}
            aria-describedby="amount-said"
            onBeforeInput={refuseKey}
            onChange={(event) => onAmount(event.currentTarget.value)}
            onBlur={onLeave}
            maxLength={40}
          />
        </label>
        <label className={classes.end} data-arrives>
          <span>
            <Trans>À recevoir</Trans>
          </span>
          <input
            name="arrives"
            inputMode={hasDecimals(destination.currency) ? 'decimal' : 'numeric'}
            autoComplete="off"
            placeholder={hasDecimals(destination.currency) ? placeholder : '0'}
            value={arrives}
            readOnly={isClosed}
            aria-describedby="amount-said"
            onBeforeInput={refuseKey}
            onChange={(event) => {
              setTyping(true)
              onArrives(ungrouped(event.currentTarget.value, destination.currency, language))
            }}
            onBlur={() => {
              setTyping(false)
              onLeave?.()
            }}
            maxLength={40}
          />
        </label>
      </div>
      <div className={classes.banks}>
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
        <span className={classes.country}>
          <Flag code={draft.country} />
          <select
            name="country"
            aria-label={t`Pays du bénéficiaire`}
            value={draft.country}
            aria-disabled={isClosed}
            onChange={(event) => onCountry(event.currentTarget.value as CountryCode)}
          >
            {DESTINATIONS.map(({ code, currency }) => (
              <option key={code} value={code}>
                {i18n._(COUNTRY_NAMES[code])} · {currency}
              </option>
            ))}
          </select>
        </span>
      </div>
      <div id="amount-said" className={classes.said}>
        {problem ? (
          <p className={classes.problem}>{problem}</p>
        ) : isMore ? (
          <p>
            <Trans>Il arrivera {converted} : le montant possible juste au-dessus.</Trans>
          </p>
        ) : quote ? null : (
          <p>
            <Trans>
              De {min} à {max} par transfert
            </Trans>
          </p>
        )}
      </div>
      {quote && (
        <dl className={classes.deck}>
          <div>
            <dt>
              <Trans>Frais</Trans> <FeeReason rule={quote.feeRule} />
            </dt>
            <dd>{fee}</dd>
          </div>
          <div>
            <dt>
              <Trans>Montant envoyé</Trans>
            </dt>
            <dd>{formatMoney(quote.net, language)}</dd>
          </div>
          <div>
            <dt>
              <Trans>Taux</Trans>
            </dt>
            <dd>{formatRate(quote.rate, language)}</dd>
          </div>
          <div>
            <dt>
              <Trans>Arrivée prévue</Trans>
            </dt>
            <dd>
              {minutes === null ? (
                <Trans>dans 1 h environ</Trans>
              ) : (
                <Trans>au plus tard dans {formatWait(minutes * 60, language)}</Trans>
              )}
            </dd>
          </div>
        </dl>
      )}
      <p className="unseen" role="status">
        {spoken}
      </p>
    </section>
  )
}

function FeeReason({ rule }: { rule: FeeRule }) {
  switch (rule) {
    case 'coupon':
      return <Trans>(code promo)</Trans>
    case 'premium':
      return <Trans>(forfait Premium)</Trans>
    case 'basic':
      return <Trans>(forfait Basic)</Trans>
    case 'default':
      return <Trans>({DEFAULT_FEE_PERCENT} %)</Trans>
  }
}
