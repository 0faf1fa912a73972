import { Suspense, useState } from 'react'
import '../homeComponents.css'
import type { Transaction } from '../../domain/transaction.ts'
import { RecentActivity } from '../../features/history/RecentActivity.tsx'
import { TransferFlow } from '../../features/transfer/TransferFlow.tsx'
import { later } from '../later.ts'
import { BottomBar } from './BottomBar.tsx'
import classes from './Home.module.css'
import { TopBar } from './TopBar.tsx'

const ReceiptSheet = later(async () => (await import('../../features/receipt/ReceiptSheet.tsx')).ReceiptSheet)

/** Signed in: the simulator beside recent activity. Specification, section 2. */
export default function Home({
  uid,
  name,
  email,
  onSignOut,
}: {
  uid: string
  name: string
  email: string | null
  onSignOut: () => void
}) {
  const [opened, setOpened] = useState<Transaction | null>(null)
  return (
    <>
      <TopBar name={name} email={email} onSignOut={onSignOut} />
      <main className={classes.home}>
        <TransferFlow
          uid={uid}
          receiptOf={(transaction, onClose) => (
            <ReceiptSheet transaction={transaction} senderName={name} isNew onClose={onClose} />
          )}
        />
        <RecentActivity uid={uid} onOpen={setOpened} />
      </main>
      <BottomBar />
      <Suspense>
        {opened && (
          <ReceiptSheet
            transaction={opened}
            senderName={name}
            isNew={false}
            onClose={() => setOpened(null)}
          />
        )}
      </Suspense>
    </>
  )
}
