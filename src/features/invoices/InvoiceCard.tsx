import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { dayOf, type Invoice, situationOf } from '../../../domain/invoice.ts'
import { formatMoney } from '../../../domain/money.ts'
import { formatDay } from '../../../domain/month.ts'
import { supplierById } from '../../../domain/suppliers.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { INVOICE_TYPE_NAMES } from '../../ui/invoiceTypes.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './InvoicesPage.module.css'

const SITUATIONS: Record<ReturnType<typeof situationOf>, MessageDescriptor> = {
  due: msg`À payer`,
  overdue: msg`En retard`,
  processing: msg`Paiement en cours`,
  paid: msg`Déjà payée`,
  seemsPaid: msg`À vérifier`,
}

/** An invoice as it stands, before anything is paid: what, how much, by when, and whether there is anything to pay. */
export function InvoiceCard({
  invoice,
  isBusy,
  isInDoubt,
  onPay,
}: {
  invoice: Invoice
  isBusy: boolean
  /** Whether a payment of it was left while nobody knew its outcome: it is asked about first. */
  isInDoubt: boolean
  onPay: () => void
}) {
  const { i18n } = useLingui()
  const language = useLanguage()
  const { supplier, reference, type, amount, dueDate } = invoice
  const situation = situationOf(invoice, serverNow())
  const gross = formatMoney(amount, language)
  const day = formatDay(dayOf(dueDate), language)
  const heading = useRef<HTMLHeadingElement>(null)
  // The card answers what was just asked, and stands below the button that was pressed.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.closest('section')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section className={classes.invoice} aria-labelledby="found">
      <div className={classes.head}>
        <h2 id="found" ref={heading} tabIndex={-1}>
          {supplierById(supplier)?.name ?? supplier}
        </h2>
        <p className={classes.situation} data-situation={situation}>
          {i18n._(SITUATIONS[situation])}
        </p>
      </div>
      <p className={classes.amount}>{gross}</p>
      <dl className={classes.details}>
        <div>
          <dt>
            <Trans>Date limite</Trans>
          </dt>
          <dd>{day}</dd>
        </div>
        <div>
          <dt>
            <Trans>Numéro de référence</Trans>
          </dt>
          <dd>{reference}</dd>
        </div>
        <div>
          <dt>
            <Trans>Type de facture</Trans>
          </dt>
          <dd>{i18n._(INVOICE_TYPE_NAMES[type])}</dd>
        </div>
      </dl>
      {situation === 'paid' && (
        <Notice kind="success" title={<Trans>Cette facture est déjà payée</Trans>}>
          <Trans>Il n’y a plus rien à payer, et rien ne sera débité.</Trans>
        </Notice>
      )}
      {situation === 'seemsPaid' && (
        <Notice kind="warning" title={<Trans>Cette facture semble déjà payée</Trans>}>
          <Trans>
            Une facture avec ce numéro et une date limite proche a été payée ici. Il s’agit sans doute de la
            même. Rien ne sera débité. Si celle-ci en est une autre, écrivez au support avec ce numéro de
            référence.
          </Trans>
        </Notice>
      )}
      {situation === 'processing' && (
        <Notice kind="warning" title={<Trans>Un paiement de cette facture est en cours</Trans>}>
          <Trans>
            Il vient peut-être de vous, sur un autre appareil, ou d’un proche. Pour ne pas payer deux fois,
            consultez la facture à nouveau dans une demi-heure.
          </Trans>
        </Notice>
      )}
      {situation === 'overdue' && (
        <Notice kind="warning" title={<Trans>La date limite est passée</Trans>}>
          <Trans>
            Vous pouvez encore payer ici. Le fournisseur peut demander des frais de retard à part.
          </Trans>
        </Notice>
      )}
      {(situation === 'due' || situation === 'overdue') && (
        <>
          <Button data-pay onClick={onPay} loading={isBusy}>
            {isInDoubt ? <Trans>Vérifier ce paiement</Trans> : <Trans>Payer {gross}</Trans>}
          </Button>
          <p className={classes.hint}>
            <Trans>
              Sans frais : votre carte est débitée du montant de la facture, dans sa devise. Votre banque
              convertit s’il le faut. Votre plafond d’envoi n’est pas entamé.
            </Trans>
          </p>
        </>
      )}
    </section>
  )
}
