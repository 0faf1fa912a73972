import { fetchOlderFromServer, refreshHistoryFromServer } from '../features/history/serverHistory.ts'
import { refreshInvoicePayments } from '../features/invoices/syncInvoices.ts'
import { StatementRow } from '../features/statement/StatementRow.tsx'

const PAGE = 250

async function fetchPayments(uid: string, isComplete: () => Promise<boolean>) {
  const invoices = await import('../services/invoices.ts')
  await Promise.all([refreshHistoryFromServer(uid), refreshInvoicePayments(uid, invoices)])
  while (!(await isComplete()) && (await fetchOlderFromServer(uid, PAGE)));
}

const loadTextRenderer = async () =>
  (await import('../features/receipt/pdf/receiptPicture.ts')).drawTextOnCanvas

export const MonthlyStatement = ({ uid, userName }: { uid: string; userName: string }) => (
  <StatementRow
    uid={uid}
    userName={userName}
    fetchPayments={fetchPayments}
    loadTextRenderer={loadTextRenderer}
  />
)
