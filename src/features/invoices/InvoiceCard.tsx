import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatDay } from '../../../domain/common/month.ts'
import {
  deriveInvoiceStatus,
  estimateEuros,
  type Invoice,
  parseDueDay,
} from '../../../domain/invoices/invoice.ts'
import { findSupplier } from '../../../domain/invoices/suppliers.ts'
import { formatMoney } from '../../../domain/money/money.ts'
import { formatRate, getRate } from '../../../domain/money/rates.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { Badge } from '../../ui/Badge.tsx'
import { CheckIcon, ClockIcon } from '../../ui/icons/common.ts'
import { markUntranslated } from '../../ui/markUntranslated.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './InvoicesPage.module.css'
import { INVOICE_TYPE_ICONS } from './invoiceTypes.ts'

type Situation = ReturnType<typeof deriveInvoiceStatus>

const BADGES: Record<Situation, readonly ['success' | 'warning' | 'error', MessageDescriptor]> = {
  due: ['warning', msg`À payer`],
  overdue: ['error', msg`En retard`],
  processing: ['warning', msg`Paiement en cours`],
  paid: ['success', msg`Déjà payée`],
  seemsPaid: ['warning', msg`À vérifier`],
}

const NOTICES: Partial<Record<Situation, readonly [title: MessageDescriptor, text: MessageDescriptor]>> = {
  paid: [msg`Cette facture est déjà payée`, msg`Il n’y a plus rien à payer, et rien ne sera débité.`],
  seemsPaid: [
    msg`Cette facture semble déjà payée`,
    msg`Une facture avec ce numéro et une date limite proche a été payée ici. Il s’agit sans doute de la même. Rien ne sera débité. Si celle-ci en est une autre, écrivez à notre assistance avec ce numéro de référence.`,
  ],
  processing: [
    msg`Un paiement de cette facture est en cours`,
    msg`Il vient peut-être de vous, sur un autre appareil, ou d’un proche. Pour ne pas payer deux fois, consultez la facture à nouveau dans une demi-heure.`,
  ],
  overdue: [
    msg`La date limite est passée`,
    msg`Vous pouvez encore payer ici. Le fournisseur peut demander des frais de retard à part.`,
  ],
}

export function InvoiceCard({
  invoice,
  isBusy,
  isInDoubt,
  isRetry,
  refusal,
  onPay,
}: {
  invoice: Invoice
  isBusy: boolean
  /** An earlier payment has an unknown outcome, which is checked first. */
  isInDoubt: boolean
  isRetry: boolean
  refusal: ReactNode
  onPay: () => void
}) {
  const { i18n } = useLingui()
  const language = useLanguage()
  const { supplier, reference, type, amount, dueDate } = invoice
  const situation = deriveInvoiceStatus(invoice, serverNow())
  const [badge, label] = BADGES[situation]
  const [title, text] = NOTICES[situation] ?? []
  const gross = formatMoney(amount, language)
  const euros = estimateEuros(amount)
  const about = euros && markUntranslated(formatMoney(euros, language))
  const rate = markUntranslated(formatRate(getRate('EUR', 'GNF'), language))
  const TypeIcon = INVOICE_TYPE_ICONS[type]
  const day = formatDay(parseDueDay(dueDate), language)
  const heading = useRef<HTMLHeadingElement>(null)
  // The card appears below the pressed button, so it takes the focus and scrolls into view.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.closest('section')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section aria-labelledby="found">
      <div className={classes.bill}>
        <div className={classes.head}>
          <div>
            <h2 id="found" ref={heading} tabIndex={-1}>
              {findSupplier(supplier)?.name ?? supplier}
            </h2>
            <p className={classes.small}>
              <Trans>Référence {reference}</Trans>
            </p>
          </div>
          <span className={classes.picture}>
            <TypeIcon />
          </span>
        </div>
        <p className={classes.amount} translate="no">
          {gross}
        </p>
        {about && (
          <p className={classes.small}>
            <Trans>
              environ {about}, à {rate} ; votre banque applique son propre taux
            </Trans>
          </p>
        )}
        <p className={classes.due}>
          <Badge kind={badge} icon={situation === 'paid' ? CheckIcon : ClockIcon}>
            {i18n._(label)}
          </Badge>{' '}
          <span className={classes.small}>
            <Trans>Date limite : {day}</Trans>
          </span>
        </p>
      </div>
      <div className={classes.stub}>
        {title && text && (
          <Notice kind={situation === 'paid' ? 'success' : 'warning'} title={i18n._(title)}>
            {i18n._(text)}
          </Notice>
        )}
        {refusal}
        {(situation === 'due' || situation === 'overdue') && (
          <>
            <Button data-pay onClick={onPay} loading={isBusy}>
              {isInDoubt ? (
                <Trans>Vérifier ce paiement</Trans>
              ) : isRetry ? (
                <Trans>Réessayer</Trans>
              ) : (
                <Trans>Payer {gross}</Trans>
              )}
            </Button>
            <p className={classes.small}>
              <Trans>
                Sans frais : votre carte est débitée du montant de la facture, dans sa devise. Votre banque
                convertit s’il le faut. Votre plafond d’envoi n’est pas entamé.
              </Trans>
            </p>
          </>
        )}
      </div>
    </section>
  )
}
