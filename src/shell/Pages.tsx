import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { TransferDraft } from '../../domain/transfer.ts'
import type { KeptTransaction } from '../cache/database.ts'
import { lazyComponent } from '../ui/lazyComponent.ts'
import { Page } from './Page.tsx'
import type { PageName } from './pageNames.ts'

const ProfilePage = lazyComponent(
  async () => (await import('../features/profile/ProfilePage.tsx')).ProfilePage,
)

const HistoryPage = lazyComponent(
  async () => (await import('../features/history/HistoryPage.tsx')).HistoryPage,
)

const SettingsPage = lazyComponent(
  async () => (await import('../features/settings/SettingsPage.tsx')).SettingsPage,
)

const OwnData = lazyComponent(async () => (await import('./OwnData.tsx')).OwnData)

const NotificationsPage = lazyComponent(
  async () => (await import('../features/settings/NotificationsPage.tsx')).NotificationsPage,
)

const SecurityPage = lazyComponent(
  async () => (await import('../features/settings/SecurityPage.tsx')).SecurityPage,
)

const Plans = lazyComponent(async () => (await import('../features/plans/Plans.tsx')).Plans)

const InvoicesPage = lazyComponent(
  async () => (await import('../features/invoices/InvoicesPage.tsx')).InvoicesPage,
)

const InvoiceReceiptSheet = lazyComponent(
  async () => (await import('../features/receipt/InvoiceReceiptSheet.tsx')).InvoiceReceiptSheet,
)

const WalletPage = lazyComponent(async () => (await import('../features/plans/WalletPage.tsx')).WalletPage)

const ContactsPage = lazyComponent(
  async () => (await import('../features/contacts/ContactsPage.tsx')).ContactsPage,
)

const IdentityPage = lazyComponent(
  async () => (await import('../features/identity/IdentityPage.tsx')).IdentityPage,
)

/** The page that lies over the home screen. Specification, section 2: overlay pages. */
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
  onOpenTransaction: (transaction: KeptTransaction) => void
  /** To a page that leads back to this one. */
  onOpenAbove: (name: PageName) => void
  onContact: () => void
  /** Called to send money. The form is then filled with this. */
  onSend: (draft: Partial<TransferDraft>) => void
  onSignOut: () => void
  onPlans: () => void
  onClose: () => void
}) {
  const pages: Record<PageName, { title: ReactNode; content: ReactNode }> = {
    profile: {
      title: <Trans>Profil</Trans>,
      content: (
        <ProfilePage name={name} email={email} phone={phone} onSecurity={() => onOpenAbove('security')} />
      ),
    },
    history: {
      title: <Trans>Historique</Trans>,
      content: <HistoryPage uid={uid} onOpen={onOpenTransaction} />,
    },
    settings: {
      title: <Trans>Paramètres</Trans>,
      content: (
        <SettingsPage
          plans={<Plans uid={uid} />}
          ownData={<OwnData uid={uid} />}
          onNotifications={() => onOpenAbove('notifications')}
          onSecurity={() => onOpenAbove('security')}
          onContact={onContact}
        />
      ),
    },
    notifications: { title: <Trans>Notifications</Trans>, content: <NotificationsPage uid={uid} /> },
    security: {
      title: <Trans>Sécurité</Trans>,
      content: <SecurityPage phone={phone} onSignOut={onSignOut} />,
    },
    invoices: {
      title: <Trans>Factures</Trans>,
      content: (
        <InvoicesPage
          uid={uid}
          receiptOf={(payment, isNew, onClose) => (
            <InvoiceReceiptSheet
              payment={payment}
              payerName={payment.senderName ?? name}
              isNew={isNew}
              onClose={onClose}
            />
          )}
        />
      ),
    },
    wallet: { title: <Trans>Portefeuille</Trans>, content: <WalletPage uid={uid} onPlans={onPlans} /> },
    contacts: { title: <Trans>Contacts</Trans>, content: <ContactsPage uid={uid} onSend={onSend} /> },
    identity: { title: <Trans>Vérification d’identité</Trans>, content: <IdentityPage uid={uid} /> },
  }
  const { title, content } = pages[page]
  return (
    <Page key={page} title={title} onClose={onClose}>
      {content}
    </Page>
  )
}
