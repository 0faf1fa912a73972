import { useState } from 'react'
import type { Transaction } from '../../domain/transaction.ts'
import { RecentActivity } from '../../features/history/RecentActivity.tsx'
import { ReceiptSheet } from '../../features/receipt/ReceiptSheet.tsx'
import { TransferFlow } from '../../features/transfer/TransferFlow.tsx'
import { BottomBar } from './BottomBar.tsx'
import classes from './Home.module.css'
import { TopBar } from './TopBar.tsx'

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
        <TransferFlow uid={uid} senderName={name} />
        <RecentActivity uid={uid} onOpen={setOpened} />
      </main>
      <BottomBar />
      {opened && (
        <ReceiptSheet transaction={opened} senderName={name} isNew={false} onClose={() => setOpened(null)} />
      )}
    </>
  )
}
