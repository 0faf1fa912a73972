import { Trans, useLingui } from '@lingui/react/macro'
import { useDebouncedValue } from '@mantine/hooks'
import type { CountryCode } from '../../../domain/destinations.ts'
import { DEFAULT_FEE_PERCENT, type FeeRule } from '../../../domain/fees.ts'
import { formatMoney } from '../../../domain/money.ts'
import type { Quote } from '../../../domain/quote.ts'
import { formatRate } from '../../../domain/rates.ts'
import { Flag } from '../../ui/Flag.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './QuoteBridge.module.css'

/**
 * The quote, drawn as the footbridge that the product is named after: what is paid on one bank, what arrives on
 * the other, what it costs on the deck between them.
 */
export function QuoteBridge({ quote, country }: { quote: Quote | null; country: CountryCode }) {
  const { t } = useLingui()
  const language = useLanguage()
  const shown = quote && {
    gross: formatMoney(quote.gross, language),
    fee: formatMoney(quote.fee, language),
    net: formatMoney(quote.net, language),
    rate: formatRate(quote.rate, language),
    converted: formatMoney(quote.converted, language),
  }
  // Screen readers hear it once the typing rests, not at each keystroke.
  const [spoken] = useDebouncedValue(shown ? t`Frais ${shown.fee}, à recevoir ${shown.converted}` : '', 900)
  return (
    <section className={classes.bridge} aria-label={t`Votre devis`} data-testid="quote">
      <svg viewBox="0 0 320 56" className={classes.arch} preserveAspectRatio="none" aria-hidden="true">
        <path d="M6 54C40 14 96 4 160 4s120 10 154 50" />
      </svg>
      <dl className={classes.ends}>
        <div>
          <dt>
            <Trans>Vous payez</Trans>
          </dt>
          <dd>{shown?.gross ?? '—'}</dd>
        </div>
        <div className={classes.arrives}>
          <dt>
            <Flag code={country} /> <Trans>À recevoir</Trans>
          </dt>
          <dd>{shown?.converted ?? '—'}</dd>
        </div>
      </dl>
      <dl className={classes.deck}>
        <div>
          <dt>
            <Trans>Frais</Trans> {quote && <FeeReason rule={quote.feeRule} />}
          </dt>
          <dd>{shown?.fee ?? '—'}</dd>
        </div>
        <div>
          <dt>
            <Trans>Montant envoyé</Trans>
          </dt>
          <dd>{shown?.net ?? '—'}</dd>
        </div>
        <div>
          <dt>
            <Trans>Taux</Trans>
          </dt>
          <dd>{shown?.rate ?? '—'}</dd>
        </div>
        <div>
          <dt>
            <Trans>Arrivée prévue</Trans>
          </dt>
          <dd>
            <Trans>dans 1 h environ</Trans>
          </dd>
        </div>
      </dl>
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
