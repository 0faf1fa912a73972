import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { TransferDraft } from '../../domain/transfers/shapes/draftSchema.ts'
import type { StoredTransaction } from '../cache/database.ts'
import { ContactsPage } from '../features/contacts/ContactsPage.tsx'
import { HistoryPage } from '../features/history/HistoryPage.tsx'
import { IdentityMark } from '../features/identity/IdentityMark.tsx'
import { IdentityPage } from '../features/identity/IdentityPage.tsx'
import { InvoicesPage } from '../features/invoices/InvoicesPage.tsx'
import { CapSummary, PlanSummary } from '../features/plans/PlanSummaries.tsx'
import { WalletPage } from '../features/plans/WalletPage.tsx'
import { ProfilePage } from '../features/profile/ProfilePage.tsx'
import { InvoiceReceiptSheet } from '../features/receipt/InvoiceReceiptSheet.tsx'
import { NotificationsPage } from '../features/settings/NotificationsPage.tsx'
import { OwnDataExport } from '../features/settings/OwnDataExport.tsx'
import { SecurityPage } from '../features/settings/SecurityPage.tsx'
import { SettingsPage } from '../features/settings/SettingsPage.tsx'
import { MonthlyStatement } from './MonthlyStatement.tsx'
import { Page } from './Page.tsx'
import type { PageName } from './pageNames.ts'

export function Pages({
  page,
  uid,
  name,
  email,
  phone,
  onOpenTransaction,
  onOpenAbove,
  onContact,
  onSend,
  onSignOut,
  onPlans,
  onClose,
}: {
  page: PageName
  uid: string
  name: string
  email: string | null
  phone: string | null
  onOpenTransaction: (transaction: StoredTransaction) => void
  /** The opened page leads back to this one. */
  onOpenAbove: (name: PageName) => void
  onContact: () => void
  onSend: (draft: Partial<TransferDraft>) => void
  onSignOut: () => void
  onPlans: () => void
  onClose: () => void
}) {
  const pages: Record<PageName, { title: ReactNode; content: ReactNode }> = {
    profile: {
      title: <Trans>Profil</Trans>,
      content: (
        <ProfilePage
          name={name}
          email={email}
          phone={phone}
          identityMark={<IdentityMark uid={uid} isNamed />}
          onIdentity={() => onOpenAbove('identity')}
          onSecurity={() => onOpenAbove('security')}
        />
      ),
    },
    history: {
      title: <Trans>Activité</Trans>,
      content: <HistoryPage uid={uid} onOpen={onOpenTransaction} onSend={() => onSend({})} />,
    },
    settings: {
      title: <Trans>Paramètres</Trans>,
      content: (
        <SettingsPage
          ownData={
            <>
              <MonthlyStatement uid={uid} userName={name} />
              <OwnDataExport uid={uid} />
            </>
          }
          capLeft={<CapSummary uid={uid} />}
          plan={<PlanSummary uid={uid} />}
          onWallet={() => onOpenAbove('wallet')}
          onNotifications={() => onOpenAbove('notifications')}
          onSecurity={() => onOpenAbove('security')}
          onPlans={onPlans}
          onContact={onContact}
        />
      ),
    },
    notifications: { title: <Trans>Notifications</Trans>, content: <NotificationsPage uid={uid} /> },
    security: {
      title: <Trans>Sécurité</Trans>,
      content: <SecurityPage uid={uid} name={name} phone={phone} onSignOut={onSignOut} />,
    },
    invoices: {
      title: <Trans>Factures</Trans>,
      content: (
        <InvoicesPage
          uid={uid}
          renderReceipt={(payment, isNew, onClose) => (
            <InvoiceReceiptSheet payment={payment} isNew={isNew} onClose={onClose} />
          )}
        />
      ),
    },
    wallet: { title: <Trans>Portefeuille</Trans>, content: <WalletPage uid={uid} /> },
    contacts: {
      title: <Trans>Contacts</Trans>,
      content: <ContactsPage uid={uid} onSend={onSend} />,
    },
    identity: {
      title: <Trans>Vérification d’identité</Trans>,
      content: <IdentityPage uid={uid} />,
    },
  }
  const { title, content } = pages[page]
  return (
    <Page key={page} title={title} onClose={onClose}>
      {content}
    </Page>
  )
}
