import { EMPTY_SUBSCRIPTION } from '../../domain/prices/plans.ts'
import type { Answers, Scene, SceneRows } from '../scene.ts'
import { drawCardForm, translateCardForm } from './cardForm.ts'

/** Builds the responses of services that work. They contain the rows that the scene's device has. */
export const buildBaseAnswers = ({ account, rows = {} }: Scene): Answers => ({
  accountChanges: {
    listSignInMethods: async () => [
      account?.usesPassword ? 'password' : account?.phone ? 'phone' : 'google.com',
    ],
  },
  addressBook: { hasAddressBook: () => false },
  auth: {
    watchAccount(listener) {
      listener(account)
      return () => {}
    },
  },
  cardPayments: { openCardForm: drawCardForm, updateCardForm: translateCardForm },
  contacts: { fetchContacts: async () => rows.contacts ?? [] },
  functions: { 'latest-attempt': async () => ({ attempt: null }) },
  holders: { fetchWalletHolder: async () => ({ kind: 'silent' }) },
  identityFiles: {
    fetchIdentityFiles: async () => rows.identity?.[0]?.files ?? [],
    fetchLastSubmission: async () => null,
  },
  identityLimit: { getIdentityLimit: () => null },
  invoices: {
    fetchInvoicePayments: async () => ({
      payments: rows.invoicePayments ?? [],
      unreadIds: listUnread(rows, 'invoicePayments'),
      next: null,
    }),
  },
  ledgers: {
    fetchLedger: async (_uid, month) =>
      rows.ledgers?.[0] ?? { month, recordedCents: 0, reservedCents: 0, reservedSlots: 0 },
  },
  profiles: {
    fetchProfile: async (uid) =>
      account && {
        name: 'Awa Diallo',
        email: account.email,
        phone: account.phone,
        subscription: EMPTY_SUBSCRIPTION,
        ...rows.profiles?.[0],
        uid,
        madeWith: 'address',
        verifiedAddress: account.email,
      },
    saveProfile: async () => {},
  },
  subscriptions: { requestPlanRefresh: async () => {} },
  transactions: {
    fetchHistory: async () => ({
      transactions: [...(rows.transactions ?? [])].sort((one, other) => other.createdAt - one.createdAt),
      unreadIds: listUnread(rows, 'transactions'),
      stretch: { after: null, newest: null, oldest: null },
    }),
    fetchTransaction: async (id) => rows.transactions?.find((one) => one.id === id) ?? null,
  },
  walletTariffs: { getWalletTariffs: () => ({}) },
})

const listUnread = ({ unread = [] }: SceneRows, wanted: 'transactions' | 'invoicePayments') =>
  unread.flatMap(({ id, list }) => (list === wanted ? id : []))
