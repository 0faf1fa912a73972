import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button, NativeSelect } from '@mantine/core'
import { useCallback, useMemo, useState } from 'react'
import { formatLocalMinute } from '../../../domain/common/localDay.ts'
import { toLocalMonth } from '../../../domain/common/localFields.ts'
import {
  buildStatement,
  getLocalMonthRange,
  getStatementCoverage,
  isProvisional,
  type KnownPayments,
  listMonths,
} from '../../../domain/records/statement.ts'
import type { TextRenderer } from '../../../print/receiptPdf.ts'
import { isStandalone } from '../../browser/isStandalone.ts'
import { saveFile } from '../../browser/saveFile.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { shareFile } from '../../browser/shareFile.ts'
import { type UserDatabase, withRows } from '../../cache/database.ts'
import { countUnread } from '../../cache/queries.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { StaleNotice } from '../../ui/StaleNotice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import { useRefresh } from '../../ui/useRefresh.ts'
import { useSubmit } from '../../ui/useSubmit.ts'
import classes from './Statement.module.css'
import { formatMonth, listTotals, TOTALS_NOTE } from './statementContent.ts'

const NO_FILE = msg`Le relevé n’a pas pu être créé. Réessayez.`

/** Makes no statement if the device knows that it lacks payments of the month. */
export function StatementSheet({
  uid,
  userName,
  fetchPayments,
  loadTextRenderer,
  onClose,
}: {
  uid: string
  userName: string
  /** Stops when `isComplete`, or when the server has no more payments. */
  fetchPayments: (uid: string, isComplete: () => Promise<boolean>) => Promise<void>
  loadTextRenderer: () => Promise<TextRenderer>
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  const language = useLanguage()
  const [now] = useState(serverNow)
  const [month, setMonth] = useState(() => toLocalMonth(getLocalMonthRange(toLocalMonth(now)).start - 1))
  const payments = useLiveQuery(uid, readPayments)
  const { isAsking, isFetched, ask } = useRefresh(
    useCallback(
      () =>
        fetchPayments(uid, async () => {
          const stored = await withRows(uid, readPayments)
          return getStatementCoverage(stored, month).kind !== 'missing'
        }),
      [uid, month, fetchPayments],
    ),
  )
  const statement = useMemo(
    () => payments && buildStatement(month, payments.transactions, payments.invoicePayments),
    [payments, month],
  )
  const coverage = payments && getStatementCoverage(payments, month)
  const asOf = coverage?.kind === 'known' ? coverage.asOf : null
  const months = listMonths(Math.min(payments?.oldest ?? now, getLocalMonthRange(month).start), now)
  const [output, setOutput] = useState<{ month: string; file: File } | null>(null)
  const file = output?.month === month ? output.file : null

  /** The installed app on iOS can't save a file. */
  const handOver = async (file: File) => {
    if (!isStandalone()) saveFile(file, file.name)
    else if ((await shareFile(file).catch(() => 'ready')) === 'ready') return setOutput({ month, file })
    setOutput(null)
  }
  const make = async (kind: 'pdf' | 'csv') => {
    if (!statement || asOf === null) return
    const { createStatementFile } = await import('./statementFile.ts')
    const view = { i18n, language, asOf, userName, loadTextRenderer }
    // Not awaited, because in some browsers the share promise never settles.
    handOver(await createStatementFile(kind, statement, view))
  }
  const pdf = useSubmit(() => make('pdf'), NO_FILE)
  const csv = useSubmit(() => make('csv'), NO_FILE)
  const problem = pdf.problem ?? csv.problem
  const until = asOf !== null && isProvisional(month, asOf) && formatLocalMinute(asOf, language)
  return (
    <Sheet
      title={<Trans>Relevé mensuel</Trans>}
      onClose={onClose}
      foot={
        asOf !== null &&
        (file ? (
          <Button variant="light" onClick={() => handOver(file)} fullWidth>
            <Trans>Enregistrer le fichier</Trans>
          </Button>
        ) : (
          <>
            <Button variant="light" onClick={pdf.submit} loading={pdf.isBusy} fullWidth>
              <Trans>Télécharger le relevé (PDF)</Trans>
            </Button>
            <Button variant="light" onClick={csv.submit} loading={csv.isBusy} fullWidth>
              <Trans>Télécharger pour un tableur (CSV)</Trans>
            </Button>
          </>
        ))
      }
    >
      <NativeSelect
        label={t`Mois`}
        value={month}
        data={months.map((value) => ({ value, label: formatMonth(value, language) }))}
        onChange={({ currentTarget: { value } }) => setMonth(value)}
      />
      {coverage?.kind === 'missing' &&
        (isFetched && !isAsking ? (
          <StaleNotice title={<Trans>Ce relevé serait incomplet</Trans>} isAsking={isAsking} onRetry={ask}>
            <Trans>
              Cet appareil n’a pas tous vos paiements de ce mois. Ils seront lus dès que le réseau le permet.
            </Trans>
          </StaleNotice>
        ) : (
          <p role="status">
            <Trans>Lecture de vos paiements…</Trans>
          </p>
        ))}
      {coverage?.kind === 'unreadable' && (
        <Notice kind="warning" title={<Trans>Ce relevé serait incomplet</Trans>}>
          <p>
            <Trans>
              Cette version de l’application ne peut pas lire tous vos paiements. Mettez-la à jour, puis
              réessayez.
            </Trans>
          </p>
        </Notice>
      )}
      {until && (
        <p>
          <Trans>Relevé provisoire : paiements connus le {until}.</Trans>
        </p>
      )}
      {statement && asOf !== null && (
        <>
          <p>
            {statement.entries.length === 0 ? (
              <Trans>Aucun paiement ce mois-ci.</Trans>
            ) : (
              <Plural
                value={statement.entries.length}
                one="# paiement dans ce relevé"
                other="# paiements dans ce relevé"
              />
            )}
          </p>
          {listTotals(statement, { i18n, language }).map((sums) => (
            <Facts key={sums.map(({ value }) => value).join()}>
              {sums.map(({ name, label, value }) => (
                <Fact key={name} label={label}>
                  {value}
                </Fact>
              ))}
            </Facts>
          ))}
          {statement.entries.length > 0 && <p className={classes.note}>{i18n._(TOTALS_NOTE)}</p>}
        </>
      )}
      {file && (
        <p role="status">
          <Trans>Le fichier est prêt.</Trans>
        </p>
      )}
      {problem && <Notice kind="error">{problem}</Notice>}
    </Sheet>
  )
}

async function readPayments(database: UserDatabase) {
  const [transactions, invoicePayments, history, invoices, ...unread] = await Promise.all([
    database.transactions.toArray(),
    database.invoicePayments.toArray(),
    database.sync.get('history'),
    database.fetched.get('invoicePayments'),
    countUnread(database, 'transactions'),
    countUnread(database, 'invoicePayments'),
  ])
  const oldest = [...transactions, ...invoicePayments].reduce(
    (least, { createdAt }) => Math.min(least, createdAt),
    Number.POSITIVE_INFINITY,
  )
  const [ofTransfers, ofInvoices] = unread
  const knowledge: KnownPayments = {
    history,
    invoicesAsOf: invoices?.asOf,
    unread: ofTransfers + ofInvoices,
  }
  return { ...knowledge, transactions, invoicePayments, oldest }
}
