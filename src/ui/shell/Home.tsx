import { Trans } from '@lingui/react/macro'
import { Suspense, useCallback, useState } from 'react'
import '../homeComponents.css'
import type { KeptTransaction } from '../../cache/database.ts'
import { useLink } from '../../features/history/link.ts'
import { RecentActivity } from '../../features/history/RecentActivity.tsx'
import { TransferFlow } from '../../features/transfer/TransferFlow.tsx'
import { later } from '../later.ts'
import { usePage } from '../usePage.ts'
import { BottomBar } from './BottomBar.tsx'
import classes from './Home.module.css'
import { OfflineBar } from './OfflineBar.tsx'
import { Page } from './Page.tsx'
import { StorageBar } from './StorageBar.tsx'
import { TopBar } from './TopBar.tsx'
import { useHomePicture } from './useHomePicture.ts'

const ReceiptSheet = later(async () => (await import('../../features/receipt/ReceiptSheet.tsx')).ReceiptSheet)

const ProfilePage = later(async () => (await import('../../features/profile/ProfilePage.tsx')).ProfilePage)

const HistoryPage = later(async () => (await import('../../features/history/HistoryPage.tsx')).HistoryPage)

const InstallCard = later(async () => (await import('../../pwa/InstallCard.tsx')).InstallCard)

const PAGES = ['profile', 'history'] as const

/** Signed in: the simulator beside recent activity. Specification, section 2. */
export default function Home({
  uid,
  name,
  email,
  phone,
  onSignOut,
}: {
  uid: string
  name: string
  email: string | null
  phone: string | null
  onSignOut: () => void
}) {
  const [opened, setOpened] = useState<KeptTransaction | null>(null)
  const [page, openPage, closePage] = usePage(PAGES)
  const openHistory = useCallback(() => openPage('history'), [openPage])
  useLink(uid, openHistory, setOpened)
  const showHome = useHomePicture(uid)
  return (
    <>
      <TopBar name={name} email={email} onProfile={() => openPage('profile')} onSignOut={onSignOut} />
      <OfflineBar />
      <StorageBar />
      {page === 'profile' && (
        <Page title={<Trans>Profil</Trans>} onClose={closePage}>
          <ProfilePage name={name} email={email} phone={phone} />
        </Page>
      )}
      {page === 'history' && (
        <Page title={<Trans>Historique</Trans>} onClose={closePage}>
          <HistoryPage uid={uid} onOpen={setOpened} />
        </Page>
      )}
      {/* Kept as it is under a page: what was typed is there when the person comes back. */}
      <main className={classes.home} hidden={page !== null}>
        <Suspense>
          <InstallCard />
        </Suspense>
        <TransferFlow
          uid={uid}
          receiptOf={(transaction, onClose) => (
            <ReceiptSheet
              transaction={transaction}
              senderName={name}
              isNew
              onClose={() => {
                onClose()
                import('../../pwa/installation.ts').then(({ noteSuccess }) => noteSuccess())
              }}
            />
          )}
        />
        <RecentActivity uid={uid} onOpen={setOpened} onAll={openHistory} onShown={showHome} />
      </main>
      {page === null && <BottomBar onHistory={openHistory} />}
      <Suspense>
        {opened && (
          <ReceiptSheet
            transaction={opened}
            senderName={opened.senderName ?? name}
            isNew={false}
            onClose={() => setOpened(null)}
          />
        )}
      </Suspense>
    </>
  )
}
