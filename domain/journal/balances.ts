import type { Entry, JournalAccount, JournalDocument } from './entry.ts'

/** Minor units by currency and account. Debits are positive, so assets are, and liabilities are negative. */
export type Balances = ReadonlyMap<string, ReadonlyMap<JournalAccount, number>>

/** `before`: the balances to which the entries are added. Accounts without a balance are left out. */
export function sumEntries(entries: Iterable<Entry>, before: Balances = new Map()): Balances {
  const sums = new Map([...before].map(([currency, accounts]) => [currency, new Map(accounts)]))
  for (const { lines } of entries)
    for (const { debit, credit, minor, currency } of lines) {
      const accounts = sums.get(currency) ?? new Map<JournalAccount, number>()
      sums.set(currency, accounts)
      accounts.set(debit, (accounts.get(debit) ?? 0) + minor)
      accounts.set(credit, (accounts.get(credit) ?? 0) - minor)
    }
  for (const accounts of sums.values())
    for (const [account, minor] of accounts) if (minor === 0) accounts.delete(account)
  return sums
}

export const listEntries = (documents: Iterable<JournalDocument>): readonly Entry[] =>
  [...documents].flatMap(({ entries }) => entries)

export const getBalance = (balances: Balances, currency: string, account: JournalAccount): number =>
  balances.get(currency)?.get(account) ?? 0
