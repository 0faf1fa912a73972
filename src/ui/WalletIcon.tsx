import type { ReceivingMethod } from '../../domain/numbers/wallets.ts'
import classes from './WalletIcon.module.css'

const DARK = '#17302b'
const LIGHT = '#f8f5ee'

/** Our own logos: the path `mark` on a 20 by 20 grid, in `ink` on `color`. */
export const WALLET_LOGOS: Readonly<
  Record<ReceivingMethod, { readonly color: string; readonly ink: string; readonly mark: string }>
> = {
  orange_money: { color: '#ff8a3d', ink: DARK, mark: 'M6 14 14 6M8 6h6v6' },
  mtn_money: { color: '#ffcf33', ink: DARK, mark: 'M4 10a6 4.5 0 1 0 12 0 6 4.5 0 1 0-12 0' },
  paylib: { color: '#2457a6', ink: LIGHT, mark: 'M7 16V5h4a3.5 3.5 0 0 1 0 7H7' },
  wero: { color: '#ffcf33', ink: DARK, mark: 'M4 6l3 8 3-7 3 7 3-8' },
  interac: { color: '#2457a6', ink: LIGHT, mark: 'M5 8h10l-3-3M15 12H5l3 3' },
}

/** Decorative, because the wallet's name is next to it. */
export function WalletIcon({ method }: { method: ReceivingMethod }) {
  const { color, ink, mark } = WALLET_LOGOS[method]
  return (
    <svg viewBox="0 0 20 20" className={classes.icon} aria-hidden="true">
      <rect width="20" height="20" rx="5" fill={color} />
      <path d={mark} fill="none" stroke={ink} strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
