import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { TransferDraft } from '../../domain/transfers/transfer.ts'
import type { StoredTransaction } from '../cache/database.ts'
import { createLazyComponent } from '../ui/lazyComponent.ts'
import { Page } from './Page.tsx'
import type { PageName } from './pageNames.ts'

const ProfilePage = createLazyComponent(
  async () => (await import('../features/profile/ProfilePage.tsx')).ProfilePage,
)

const HistoryPage = createLazyComponent(
  async () => (await import('../features/history/HistoryPage.tsx')).HistoryPage,
)

const SettingsPage = createLazyComponent(
  async () => (await import('../features/settings/SettingsPage.tsx')).SettingsPage,
)

const OwnDataExport = createLazyComponent(
  async () => (await import('../features/settings/OwnDataExport.tsx')).OwnDataExport,
)

const MonthlyStatement = createLazyComponent(
  async () => (await import('./MonthlyStatement.tsx')).MonthlyStatement,
)

const NotificationsPage = createLazyComponent(
  async () => (await import('../features/settings/NotificationsPage.tsx')).NotificationsPage,
)

const SecurityPage = createLazyComponent(
  async () => (await import('../features/settings/SecurityPage.tsx')).SecurityPage,
)

const InvoicesPage = createLazyComponent(
  async () => (await import('../features/invoices/InvoicesPage.tsx')).InvoicesPage,
)

const InvoiceReceiptSheet = createLazyComponent(
  async () => (await import('../features/receipt/InvoiceReceiptSheet.tsx')).InvoiceReceiptSheet,
)

const WalletPage = createLazyComponent(
  async () => (await import('../features/plans/WalletPage.tsx')).WalletPage,
)

const CapSummary = createLazyComponent(
  async () => (await import('../features/plans/PlanSummaries.tsx')).CapSummary,
)

const PlanSummary = createLazyComponent(
  async () => (await import('../features/plans/PlanSummaries.tsx')).PlanSummary,
)

const ContactsPage = createLazyComponent(
  async () => (await import('../features/contacts/ContactsPage.tsx')).ContactsPage,
)

const IdentityPage = createLazyComponent(
  async () => (await import('../features/identity/IdentityPage.tsx')).IdentityPage,
)

const IdentityMark = createLazyComponent(
  async () => (await import('../features/identity/IdentityMark.tsx')).IdentityMark,
)

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
          identityMark={<IdentityMark uid={uid} />}
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
