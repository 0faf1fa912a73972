import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import classes from './BottomBar.module.css'
import type { Destination, PageName } from './pageNames.ts'

/** The bar at the bottom of a phone, in reach of the thumb, with the parts of the app. Specification, section 2. */
export function BottomBar({ page, onGo }: { page: PageName | null; onGo: (to: Destination) => void }) {
  const { t } = useLingui()
  const entry = (to: Destination, drawing: string, label: ReactNode) => (
    <button
      type="button"
      aria-current={to === (page ?? 'send') ? 'page' : undefined}
      onClick={() => onGo(to)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={drawing} />
      </svg>
      {label}
    </button>
  )
  return (
    <nav className={classes.bar} aria-label={t`Navigation`}>
      {entry('send', 'M4 12h15m-6-6 6 6-6 6', <Trans>Envoyer</Trans>)}
      {entry('invoices', 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6', <Trans>Factures</Trans>)}
      {entry('wallet', 'M5 7h15v12H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1h12M15 13h2', <Trans>Portefeuille</Trans>)}
      {entry('history', 'M5 6h14M5 12h14M5 18h9', <Trans>Activité</Trans>)}
    </nav>
  )
}
