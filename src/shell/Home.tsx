import { Suspense, startTransition, useCallback, useEffect, useRef, useState } from 'react'
import '../ui/homeComponents.css'
import type { TransferDraft } from '../../domain/transfer.ts'
import { deviceStore } from '../browser/storage.ts'
import type { KeptTransaction } from '../cache/database.ts'
import { asksForHistory, forgetAsked, SETTINGS, useLink } from '../features/history/link.ts'
import { RecentActivity } from '../features/history/RecentActivity.tsx'
import { TransferFlow } from '../features/transfer/TransferFlow.tsx'
import { loadDatabase } from '../pwa/loadDatabase.ts'
import { googleProofPage } from '../services/googleReturn.ts'
import { withPages } from '../ui/i18n.ts'
import { lazyComponent, useLazyComponent, whenIdle } from '../ui/lazyComponent.ts'
import { Opening } from '../ui/Opening.tsx'
import { usePage } from '../ui/usePage.ts'
import { BottomBar } from './BottomBar.tsx'
import classes from './Home.module.css'
import { OfflineBar } from './OfflineBar.tsx'
import { type Destination, PAGES, type PageName } from './pageNames.ts'
import { StorageBar } from './StorageBar.tsx'
import { TopBar } from './TopBar.tsx'
import { useHomeSnapshot } from './useHomeSnapshot.ts'

const ReceiptSheet = lazyComponent(
  async () => (await import('../features/receipt/ReceiptSheet.tsx')).ReceiptSheet,
)

const Pages = lazyComponent(async () => (await withPages(import('./Pages.tsx'))).Pages)

const ContactDialog = lazyComponent(
  async () => (await import('../features/support/ContactDialog.tsx')).ContactDialog,
)

const loadArrivalNotice = async () => (await import('../features/history/ArrivalNotice.tsx')).ArrivalNotice
const PushedTransfer = lazyComponent(
  async () => (await import('../features/history/PushedTransfer.tsx')).PushedTransfer,
)
const EndedPayment = lazyComponent(async () => (await import('./EndedPayment.tsx')).EndedPayment)
const loadCapLeft = async () => (await import('../features/plans/CapLeft.tsx')).CapLeft
const loadInstallCard = async () => (await import('./InstallCard.tsx')).InstallCard

// Its code comes beside that of this screen, and not after it.
if (asksForHistory())
  Promise.all([withPages(import('./Pages.tsx')), import('../features/history/HistoryPage.tsx')]).catch(
    () => undefined,
  )

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
  const ArrivalNotice = useLazyComponent(loadArrivalNotice)
  const CapLeft = useLazyComponent(loadCapLeft)
  const InstallCard = useLazyComponent(loadInstallCard)
  const [opened, setOpened] = useState<KeptTransaction | null>(null)
  const [isContacting, setContacting] = useState(false)
  const [isEnded] = useState(() => deviceStore.get('ended') !== null)
  const { page, openPage, closePage, leavePages } = usePage(PAGES, uid)
  const openHistory = useCallback(() => openPage('history'), [openPage])
  // A page on which the app is opened is drawn before what lies under it.
  const [isUnderneathWanted, setUnderneathWanted] = useState(page === null && !asksForHistory())
  const [lastPage, setLastPage] = useState(page)
  if (page !== lastPage) {
    setLastPage(page)
    if (page === null) setUnderneathWanted(true)
  }
  useEffect(() => whenIdle(() => startTransition(() => setUnderneathWanted(true))), [])
  // The address says that the plans are wanted, and which checkout was left, until that is answered: a reload asks again.
  const openPlans = useCallback(
    (address: string) => {
      openPage('settings')
      history.replaceState(history.state, '', address)
    },
    [openPage],
  )
  useLink(uid, openHistory, setOpened, openPlans)
  useEffect(() => {
    if (opened) forgetAsked()
  }, [opened])
  const showHome = useHomeSnapshot(uid)
  useOpenInvoice(uid, openPage)
  useProofPage(openPage)

  const [filling, setFilling] = useState<Partial<TransferDraft> | null>(null)
  const noteFilled = useCallback(() => setFilling(null), [])
  const fill = (draft: Partial<TransferDraft>) => {
    setFilling(draft)
    setOpened(null)
    if (page !== null) leavePages()
  }

  const isFormWanted = useRef(false)
  const go = (to: Destination) => {
    if (to === 'contact') setContacting(true)
    else if (to !== 'send') openPage(to)
    else if (page === null) goToForm()
    else {
      isFormWanted.current = true
      leavePages()
    }
  }
  useEffect(() => {
    if (page === null && (isFormWanted.current || filling)) goToForm()
    isFormWanted.current = false
  }, [page, filling])

  return (
    <div className={classes.shell}>
      <TopBar uid={uid} name={name} email={email} page={page} onGo={go} onSignOut={onSignOut} />
      <OfflineBar />
      <StorageBar />
      {page && (
        <Suspense
          fallback={
            <main>
              <Opening />
            </main>
          }
        >
          <Pages
            page={page}
            uid={uid}
            name={name}
            email={email}
            phone={phone}
            onOpenTransaction={setOpened}
            onOpenAbove={(name) => openPage(name, 'above')}
            onContact={() => setContacting(true)}
            onSend={fill}
            onSignOut={onSignOut}
            onPlans={() => openPlans(SETTINGS)}
            onClose={closePage}
          />
        </Suspense>
      )}
      {/* Kept as it is under a page: what was typed is there when the person comes back. */}
      <main className={classes.home} hidden={page !== null}>
        {isUnderneathWanted && (
          <>
            {InstallCard && <InstallCard />}
            {ArrivalNotice && <ArrivalNotice uid={uid} onOpen={setOpened} />}
            <TransferFlow
              uid={uid}
              // Under a page the form can't have the focus.
              filling={page === null ? filling : null}
              onFilled={noteFilled}
              isCovered={page !== null || opened !== null}
              capLeftOf={(gross) => CapLeft && <CapLeft uid={uid} gross={gross} />}
              receiptOf={(transaction, onClose) => (
                <ReceiptSheet
                  uid={uid}
                  transaction={transaction}
                  senderName={name}
                  isNew
                  onClose={() => {
                    onClose()
                    import('../pwa/installation.ts').then(({ noteSuccess }) => noteSuccess())
                  }}
                />
              )}
            />
            <RecentActivity uid={uid} onOpen={setOpened} onAll={openHistory} onShown={showHome} />
          </>
        )}
      </main>
      <BottomBar page={page} onGo={go} />
      <Suspense fallback={<Opening />}>
        {opened && (
          <ReceiptSheet
            // What was begun on one receipt is not taken over by the next.
            key={opened.id}
            uid={uid}
            transaction={opened}
            senderName={opened.senderName ?? name}
            isNew={false}
            onRepeat={fill}
            onClose={() => setOpened(null)}
          />
        )}
        {isContacting && <ContactDialog onClose={() => setContacting(false)} />}
      </Suspense>
      <Suspense>
        {import.meta.env.VITE_VAPID_PUBLIC_KEY && <PushedTransfer uid={uid} onOpen={setOpened} />}
      </Suspense>
      <Suspense>{isEnded && <EndedPayment uid={uid} onTransaction={setOpened} />}</Suspense>
    </div>
  )
}

/** Opens the page of the invoices when one was being paid on this device, unless the person has opened another page by then, or types. */
function useOpenInvoice(uid: string, openPage: (name: 'invoices') => void) {
  useEffect(() => {
    let isCurrent = true
    loadDatabase()
      .then(({ withRows }) => withRows(uid, ({ invoiceAttempts }) => invoiceAttempts.count()))
      .then((open) => {
        const isTyping = document.activeElement?.matches('input, select, textarea')
        if (isCurrent && open > 0 && !history.state?.page && !isTyping) openPage('invoices')
      })
      .catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [uid, openPage])
}

/** Somebody who left the app's window to prove who they are comes back to the page that asked for it. */
function useProofPage(openPage: (name: PageName) => void) {
  useEffect(() => {
    const asked = googleProofPage()
    const page = PAGES.find((name) => name === asked)
    if (page) openPage(page)
  }, [openPage])
}

function goToForm() {
  const heading = document.getElementById('send')
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
