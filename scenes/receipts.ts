import type { Transaction } from '../domain/transfers/transaction.ts'
import { transaction } from '../machines/testing/transferSituations.ts'
import { AWA, CONTACTS, failWith, neverAnswer, refuseWith } from './fixtures.ts'
import type { User } from './frame/user.ts'
import { showTransfer } from './machines.ts'
import { IN_APP_STATES, type Scene } from './scene.ts'
import { buildPaidTransfer, CANCELLATIONS, DELIVERIES, HISTORY } from './transactions.ts'

const opened = (id: string) => ({ at: IN_APP_STATES, account: AWA, path: `/?transaction=${id}` })

const [COMPLETED, PENDING] = HISTORY
const ofHistory = (id: string) => ({ ...opened(id), rows: { transactions: HISTORY } })

const OVERDUE = buildPaidTransfer(2, { id: COMPLETED.id })

const ofDelivery = ({ id }: { readonly id: string }) => ({
  ...opened(id),
  rows: { transactions: Object.values(DELIVERIES) },
})

const ofCancellation = (transaction: Transaction) => ({
  ...opened(transaction.id),
  rows: { transactions: [transaction] },
})
const canceling = (answer: () => Promise<never>, text = '') => ({
  ...ofCancellation(CANCELLATIONS.timed),
  answers: { cancellations: { requestCancellation: answer } },
  act: ({ press }: User) => press('Annuler le transfert', 'Oui, annuler le transfert'),
  shows: text,
})

const mailing = (mailReceipt: () => Promise<string>, text: string) => ({
  ...ofHistory(COMPLETED.id),
  answers: { mailedReceipts: { mailReceipt } },
  act: ({ press }: User) => press('Partager', 'Recevoir par e-mail'),
  shows: text,
})

export const RECEIPTS_SCENES: readonly Scene[] = [
  {
    name: 'receipt-new',
    ...showTransfer('receipt'),
    rows: { transactions: [transaction] },
  },
  { name: 'receipt', ...ofHistory(COMPLETED.id) },
  { name: 'receipt-overdue', ...opened(OVERDUE.id), rows: { transactions: [OVERDUE] } },
  {
    name: 'receipt-named',
    ...opened(PENDING.id),
    rows: { transactions: [{ ...PENDING, recipientName: 'Mariama Bah' }], contacts: CONTACTS },
  },
  {
    name: 'receipt-add-contact',
    ...ofHistory(COMPLETED.id),
    act: ({ press }) => press('Ajouter aux contacts'),
  },
  { name: 'receipt-mailed', ...mailing(async () => 'awa@example.com', 'awa@example.com') },
  {
    name: 'receipt-not-mailed',
    ...mailing(
      refuseWith('mailNotSent'),
      'L’e-mail n’est pas parti. Votre paiement n’est pas touché : réessayez plus tard, ou téléchargez le reçu.',
    ),
  },
  { name: 'receipt-handed-over', ...ofDelivery(DELIVERIES.handedOver) },
  { name: 'receipt-delivered', ...ofDelivery(DELIVERIES.delivered) },
  { name: 'receipt-late', ...ofDelivery(DELIVERIES.late) },
  { name: 'receipt-checked', ...ofDelivery(DELIVERIES.screened) },
  { name: 'receipt-not-delivered', ...ofDelivery(DELIVERIES.failed) },
  { name: 'receipt-paid-back', ...ofDelivery(DELIVERIES.paidBack) },
  { name: 'receipt-cancelable', ...ofCancellation(CANCELLATIONS.timed) },
  { name: 'receipt-cancelable-by-hand', ...ofCancellation(CANCELLATIONS.byHand) },
  { name: 'receipt-cancelable-offline', ...ofCancellation(CANCELLATIONS.timed), isOffline: true },
  {
    name: 'receipt-cancel-question',
    ...ofCancellation(CANCELLATIONS.timed),
    act: ({ press }) => press('Annuler le transfert'),
  },
  { name: 'receipt-canceling', ...canceling(neverAnswer), isBrief: true },
  {
    name: 'receipt-cancel-unclear',
    ...canceling(
      failWith({ kind: 'network' }),
      'Nous ne savons pas si le transfert est annulé. Réessayez : c’est sans risque.',
    ),
  },
  {
    name: 'receipt-cancel-too-late',
    ...canceling(refuseWith('cancellationTooLate'), 'Ce transfert ne peut plus être annulé.'),
  },
  { name: 'receipt-canceled', ...ofCancellation(CANCELLATIONS.canceled) },
  { name: 'receipt-canceled-refunded', ...ofCancellation(CANCELLATIONS.refunded) },
]
