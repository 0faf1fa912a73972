import { expect, test } from 'vitest'
import { EMPTY_SUBSCRIPTION } from '../prices/plans.ts'
import { ARRIVED_DELIVERY, SENT_TRANSFER } from '../transfers/transaction.samples.ts'
import type { OwnDataParts } from './ownData.ts'
import { buildOwnData } from './ownData.ts'

const NOW = Date.UTC(2026, 10, 23, 10)

const PARTS: OwnDataParts = {
  profile: {
    uid: 'ana',
    name: 'Ana',
    email: 'ana@example.com',
    phone: null,
    subscription: {
      ...EMPTY_SUBSCRIPTION,
      tier: 'basic',
      status: 'active',
      transactionsLeft: 1,
      startDate: Date.UTC(2026, 9, 1),
    },
  },
  ledger: { month: '2026-11', recordedCents: 15_000, reservedCents: 0, reservedSlots: 0 },
  contacts: [{ id: 'c', userId: 'ana', name: 'Mariama', phone: '+224620000000', createdAt: NOW }],
  transactions: [
    { ...SENT_TRANSFER, recipientName: 'Mariama Bah' },
    { ...SENT_TRANSFER, id: 'pi_d', delivery: ARRIVED_DELIVERY },
  ],
  invoicePayments: [
    {
      id: 'pi_i',
      payerId: 'ana',
      payerName: 'Ana',
      supplier: 'edg',
      reference: 'EDG-1',
      type: 'electricity',
      amount: 450_000,
      currency: 'GNF',
      dueDate: '2026-12-01',
      status: 'completed',
      description: 'Invoice',
      paymentMethod: 'card',
      createdAt: NOW,
      settledAt: NOW,
    },
  ],
  identityFiles: [
    {
      id: 'f',
      fileName: 'passport.png',
      status: 'rejected',
      rejectedItem: 'document',
      rejectionReason: 'La photo est floue.',
      expirationDate: '2035-01-31',
      createdAt: NOW,
    },
  ],
  announcements: { arrival: true, version: false },
}

const written = buildOwnData(
  PARTS,
  { ofTransfer: ({ id }) => `receipt of ${id}`, ofInvoice: ({ id }) => `receipt of ${id}` },
  { now: NOW },
)

test('exports amounts in minor units with currency, and instants in UTC', () => {
  expect(written).toMatchObject({
    format: 'passerelle.own-data',
    version: 1,
    createdAt: '2026-11-23T10:00:00.000Z',
    profile: { id: 'ana', name: 'Ana', email: 'ana@example.com', phone: null },
    plan: { tier: 'basic', transactionsLeft: 1, startDate: '2026-10-01T00:00:00.000Z', cancelAt: null },
    monthlyLimit: { month: '2026-11', sent: { minor: 15_000, currency: 'EUR' } },
    contacts: [{ name: 'Mariama', phone: '+224620000000' }],
    transfers: [
      {
        id: SENT_TRANSFER.id,
        sender: { name: 'Aïssatou Bâ' },
        recipient: { name: 'Mariama Bah', phone: '+224620000000' },
        paid: { minor: 15_000, currency: 'EUR' },
        fee: { minor: 450, currency: 'EUR' },
        sent: { minor: 14_550, currency: 'EUR' },
        toReceive: { minor: 1_542_300, currency: 'GNF' },
        createdAt: '2026-11-20T14:05:00.000Z',
        settledAt: '2026-11-20T14:05:00.000Z',
        delivery: null,
        receipt: `receipt of ${SENT_TRANSFER.id}`,
      },
      {
        id: 'pi_d',
        delivery: {
          stage: 'delivered',
          by: 'mtn',
          handedOverAt: '2026-11-20T14:05:05.000Z',
          deliveredAt: '2026-11-20T14:07:00.000Z',
          proof: '363440463',
        },
      },
    ],
    invoices: [
      {
        id: 'pi_i',
        payer: { name: 'Ana' },
        paid: { minor: 450_000, currency: 'GNF' },
        receipt: 'receipt of pi_i',
      },
    ],
    identity: [{ status: 'rejected', rejectionReason: 'La photo est floue.' }],
    notifications: { arrival: true, version: false },
  })
})

test('the exported data survive a round trip through JSON', () => {
  expect(JSON.parse(JSON.stringify(written))).toEqual(written)
})
