import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, Suspense, useCallback, useState } from 'react'
import { paidAmountOf } from '../../../domain/invoice.ts'
import { localDay } from '../../../domain/localDay.ts'
import { formatMoney } from '../../../domain/money.ts'
import { supplierById } from '../../../domain/suppliers.ts'
import { failureOf } from '../../browser/failure.ts'
import type { KeptInvoicePayment, UserDatabase } from '../../cache/database.ts'
import { BridgeScene } from '../../ui/BridgeScene.tsx'
import { Freshness } from '../../ui/Freshness.tsx'
import { NotFresh } from '../../ui/NotFresh.tsx'
import { PassingButton } from '../../ui/PassingButton.tsx'
import rowButton from '../../ui/RowButton.module.css'
import { useCached } from '../../ui/useCached.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useOnline } from '../../ui/useOnline.ts'
import { useRefresh } from '../../ui/useRefresh.ts'
import classes from './InvoicesPage.module.css'
import { paidListText } from './invoiceMessages.ts'
import { TypeIcon } from './TypeIcon.tsx'

const SHOWN = 20

/** The invoices that this person paid, from the rows on this device; each opens its receipt, offline too. */
export function PaidInvoices({
  uid,
  receiptOf,
}: {
  uid: string
  receiptOf: (payment: KeptInvoicePayment, onClose: () => void) => ReactNode
}) {
  const { i18n } = useLingui()
  const language = useLanguage()
  const isOnline = useOnline()
  const { error, isFetched, isAsking, ask } = useRefresh(useCallback(() => refresh(uid), [uid]))
  const failure = error === null ? null : failureOf(error)
  const [most, setMost] = useState(SHOWN)
  const kept = useCached(
    uid,
    useCallback((database: UserDatabase) => readPaid(database, most), [most]),
  )
  const [opened, setOpened] = useState<KeptInvoicePayment | null>(null)
  return (
    <section className={classes.card} aria-labelledby="paid">
      <h2 id="paid">
        <Trans>Factures payées</Trans>
      </h2>
      <p className={classes.fresh}>
        <Freshness asOf={kept?.asOf ?? null} isOffline={!isOnline} isFresh={failure === null} />
      </p>
      {failure && isOnline && (
        <NotFresh isAsking={isAsking} onRetry={ask}>
          {i18n._(paidListText(failure))}
        </NotFresh>
      )}
      {kept && kept.rows.length > 0 ? (
        <>
          <ul className={classes.list}>
            {kept.rows.map((row) => (
              <li key={row.id}>
                <button type="button" className={rowButton.row} onClick={() => setOpened(row)}>
                  <TypeIcon type={row.type} />
                  <span className={classes.whom}>
                    <span className={classes.strong}>{supplierById(row.supplier)?.name ?? row.supplier}</span>
                    <span className={classes.small}>{row.reference}</span>
                  </span>
                  <span className={classes.figures}>
                    <span className={classes.strong}>{formatMoney(paidAmountOf(row), language)}</span>
                    <span className={classes.small}>{localDay(row.createdAt, language)}</span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {kept.total > kept.rows.length && (
            <PassingButton variant="default" onClick={() => setMost(most + SHOWN)}>
              <Plural
                value={kept.total - kept.rows.length}
                one="Montrer # facture plus ancienne"
                other="Montrer les # factures plus anciennes"
              />
            </PassingButton>
          )}
        </>
      ) : (
        (isFetched || !isOnline) &&
        !failure && (
          <div className={classes.empty}>
            <BridgeScene />
            <p>
              <Trans>Aucune facture payée pour l’instant. La première apparaîtra ici, avec son reçu.</Trans>
            </p>
          </div>
        )
      )}
      <Suspense>{opened && receiptOf(opened, () => setOpened(null))}</Suspense>
    </section>
  )
}

async function readPaid({ invoicePayments, fetched }: UserDatabase, most: number) {
  const [rows, total, state] = await Promise.all([
    invoicePayments.orderBy('createdAt').reverse().limit(most).toArray(),
    invoicePayments.count(),
    fetched.get('invoicePayments'),
  ])
  return { rows, total, asOf: state?.asOf ?? null }
}

async function refresh(uid: string) {
  const [{ refreshInvoices }, { fetchInvoicePayments }] = await Promise.all([
    import('./syncInvoices.ts'),
    import('../../services/invoices.ts'),
  ])
  await refreshInvoices(uid, { fetchInvoicePayments })
}
