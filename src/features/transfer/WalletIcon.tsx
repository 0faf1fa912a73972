import type { Wallet } from '../../../domain/numbers/wallets.ts'
import classes from './WalletIcon.module.css'

/** Decorative, because the wallet's name is next to it. */
export function WalletIcon({ wallet: { mark, color, ink } }: { wallet: Wallet }) {
  return (
    <svg viewBox="0 0 20 20" className={classes.icon} aria-hidden="true">
      <rect width="20" height="20" rx="5" fill={color} />
      <path d={mark} stroke={ink} />
    </svg>
  )
}
