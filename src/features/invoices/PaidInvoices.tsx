import { Plural, Trans } from '@lingui/react/macro'
import { type ReactNode, useCallback, useState } from 'react'
import { formatLocalDay } from '../../../domain/common/localDay.ts'
import { getPaidAmount, type InvoicePayment } from '../../../domain/invoices/invoice.ts'
import { findSupplier } from '../../../domain/invoices/suppliers.ts'
import { formatMoney } from '../../../domain/money/money.ts'
import { toFailure } from '../../browser/failure.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { countUnread } from '../../cache/queries.ts'
import { DisappearingButton } from '../../ui/DisappearingButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Freshness } from '../../ui/Freshness.tsx'
import { Row, Rows } from '../../ui/Row.tsx'
import { ScreenPart } from '../../ui/ScreenPart.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RefreshProblem } from '../../ui/StaleNotice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import { useOnline } from '../../ui/useOnline.ts'
import { useRefresh } from '../../ui/useRefresh.ts'
import classes from './InvoicesPage.module.css'
import { getPaidInvoicesLoadFailureText } from './invoiceMessages.ts'
import { INVOICE_TYPE_ICONS } from './invoiceTypes.ts'
import { PaperBoat } from './PaperBoat.tsx'
import { refreshInvoicePayments } from './syncInvoices.ts'

const SHOWN = 20

/** Each row opens its receipt, even offline. */
export function PaidInvoices({
  uid,
  renderReceipt,
}: {
  uid: string
  renderReceipt: (payment: InvoicePayment, onClose: () => void) => ReactNode
}) {
  const language = useLanguage()
  const isOnline = useOnline()
  const { error, isFetched, isAsking, ask } = useRefresh(useCallback(() => refreshPaidInvoices(uid), [uid]))
  const failure = error === null ? null : toFailure(error)
  const [most, setMost] = useState(SHOWN)
  const list = useLiveQuery(
    uid,
    useCallback((database: UserDatabase) => readPaidInvoices(database, most), [most]),
  )
  const [payment, setPayment] = useState<InvoicePayment | null>(null)
  return (
    <section className={classes.paid} aria-labelledby="paid">
      <h2 id="paid">
        <Trans>Factures payées</Trans>
      </h2>
      <RefreshProblem
        problem={isOnline && failure && getPaidInvoicesLoadFailureText(failure)}
        isAsking={isAsking}
        onRetry={ask}
      />
      {list && list.rows.length > 0 ? (
        <>
          <Rows>
            {list.rows.map((row) => (
              <Row
                key={row.id}
                icon={INVOICE_TYPE_ICONS[row.type]}
                title={findSupplier(row.supplier)?.name ?? row.supplier}
                note={
                  <>
                    {formatLocalDay(row.createdAt, language)} ·{' '}
                    <span className={classes.reference}>{row.reference}</span>
                  </>
                }
                value={formatMoney(getPaidAmount(row), language)}
                hasArrow={false}
                onOpen={() => setPayment(row)}
              />
            ))}
          </Rows>
          {list.total > list.rows.length && (
            <DisappearingButton variant="light" onClick={() => setMost(most + SHOWN)}>
              <Plural
                value={list.total - list.rows.length}
                one="Montrer # facture plus ancienne"
                other="Montrer les # factures plus anciennes"
              />
            </DisappearingButton>
          )}
        </>
      ) : (
        !failure &&
        // Rows that were not read, and a list that was never fetched, don't prove that nothing was paid.
        (list && list.asOf !== null && (isFetched || !isOnline)
          ? list.unread === 0 && (
              <div className={classes.none}>
                <EmptyState drawing={<PaperBoat />} title={<Trans>Aucune facture payée</Trans>}>
                  <Trans>La première apparaîtra ici, avec son reçu.</Trans>
                </EmptyState>
              </div>
            )
          : isOnline && <Skeleton />)
      )}
      {list && list.unread > 0 && (
        <p className={classes.small}>
          <Plural
            value={list.unread}
            one="# facture payée ne peut pas être affichée par cette version de l’application."
            other="# factures payées ne peuvent pas être affichées par cette version de l’application."
          />
        </p>
      )}
      <p className={classes.small}>
        <Freshness asOf={list?.asOf ?? null} isOffline={!isOnline} isFresh={failure === null} />
      </p>
      {payment && (
        <ScreenPart key={payment.id} isPaid>
          {renderReceipt(payment, () => setPayment(null))}
        </ScreenPart>
      )}
    </section>
  )
}

async function readPaidInvoices(database: UserDatabase, most: number) {
  const { invoicePayments, fetched } = database
  const [rows, total, unread, state] = await Promise.all([
    invoicePayments.orderBy('createdAt').reverse().limit(most).toArray(),
    invoicePayments.count(),
    countUnread(database, 'invoicePayments'),
    fetched.get('invoicePayments'),
  ])
  return { rows, total, unread, asOf: state?.asOf ?? null }
}

const refreshPaidInvoices = async (uid: string) =>
  refreshInvoicePayments(uid, await import('../../services/invoices.ts'))
