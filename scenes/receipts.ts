import { transaction } from '../machines/testing/transferSituations.ts'
import { AWA, CONTACTS } from './fixtures.ts'
import { walkTo } from './machines.ts'
import { IN_APP_STATES, type Scene } from './scene.ts'
import { buildPaidTransfer, DELIVERIES, HISTORY } from './transactions.ts'

const account = AWA
const opened = (id: string) => ({ at: IN_APP_STATES, account, path: `/?transaction=${id}` })

const [COMPLETED, PENDING] = HISTORY
const ofHistory = (id: string) => ({ ...opened(id), rows: { transactions: HISTORY } })

const OVERDUE = buildPaidTransfer(2, { id: COMPLETED.id })

const ofDelivery = ({ id }: { readonly id: string }) => ({
  ...opened(id),
  rows: { transactions: Object.values(DELIVERIES) },
})

export const RECEIPTS_SCENES: readonly Scene[] = [
  {
    name: 'receipt-new',
    at: { ...IN_APP_STATES, transfer: 'receipt' },
    account,
    rows: { transactions: [transaction] },
    snapshots: { transfer: walkTo('receipt') },
  },
  { name: 'receipt', ...ofHistory(COMPLETED.id) },
  { name: 'receipt-overdue', ...opened(OVERDUE.id), rows: { transactions: [OVERDUE] } },
  {
    name: 'receipt-named',
    ...opened(PENDING.id),
    rows: { transactions: HISTORY, contacts: CONTACTS },
  },
  {
    name: 'receipt-add-contact',
    ...ofHistory(COMPLETED.id),
    act: ({ press }) => press('Ajouter aux contacts'),
  },
  { name: 'receipt-handed-over', ...ofDelivery(DELIVERIES.handedOver) },
  { name: 'receipt-delivered', ...ofDelivery(DELIVERIES.delivered) },
  { name: 'receipt-late', ...ofDelivery(DELIVERIES.late) },
  { name: 'receipt-not-delivered', ...ofDelivery(DELIVERIES.failed) },
  { name: 'receipt-paid-back', ...ofDelivery(DELIVERIES.paidBack) },
]
