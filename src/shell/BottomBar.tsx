import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Icon as IconType } from '../ui/icons/createIcon.tsx'
import { ActivityIcon, InvoiceIcon, SendIcon, WalletPageIcon } from '../ui/icons/navigation.ts'
import classes from './BottomBar.module.css'
import type { NavigationTarget, PageName } from './pageNames.ts'

/** Specification, section 2. */
export function BottomBar({ page, onGo }: { page: PageName | null; onGo: (to: NavigationTarget) => void }) {
  const { t } = useLingui()
  const entry = (to: NavigationTarget, Icon: IconType, label: ReactNode) => (
    <button
      type="button"
      translate="no"
      aria-current={to === (page ?? 'send') ? 'page' : undefined}
      onClick={() => onGo(to)}
    >
      <span className={classes.pill}>
        <Icon />
      </span>
      {label}
    </button>
  )
  return (
    <nav className={classes.bar} data-pinned="bar" aria-label={t`Navigation`}>
      {entry('send', SendIcon, <Trans>Envoyer</Trans>)}
      {entry('invoices', InvoiceIcon, <Trans>Factures</Trans>)}
      {entry('wallet', WalletPageIcon, <Trans>Portefeuille</Trans>)}
      {entry('history', ActivityIcon, <Trans>Activité</Trans>)}
    </nav>
  )
}
