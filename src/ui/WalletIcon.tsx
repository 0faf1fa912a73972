import type { ReceivingMethod } from '../../domain/wallets.ts'
import classes from './WalletIcon.module.css'

const MARKS: Record<ReceivingMethod, string> = {
  orange_money: 'M6 14 14 6M8 6h6v6',
  mtn_money: 'M4 10a6 4.5 0 1 0 12 0a6 4.5 0 1 0-12 0',
  paylib: 'M7 16V5h4a3.500 3.500 0 0 1 0 7H7',
  wero: 'M4 6l3 8 3-7 3 7 3-8',
  interac: 'M5 8h10l-3-3M15 12H5l3 3',
}

/** A wallet's sign in our own drawing. It is decoration: the wallet's name stands beside it. */
export function WalletIcon({ wallet }: { wallet: ReceivingMethod }) {
  return (
    <svg viewBox="0 0 20 20" className={classes.icon} data-wallet={wallet} aria-hidden="true">
      <rect width="20" height="20" rx="5" />
      <path d={MARKS[wallet]} />
    </svg>
  )
}
