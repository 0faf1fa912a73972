import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, startTransition, useCallback, useEffect, useRef, useState } from 'react'
import './homeComponents.css'
import { getAwaitedConfirmation } from '../../domain/prices/plans.ts'
import type { TransferDraft } from '../../domain/transfers/shapes/draftSchema.ts'
import { isLockOn, watchLock } from '../browser/appLock.ts'
import { reportFirstScreen, runWhenIdle } from '../browser/firstScreen.ts'
import { importWithRetry } from '../browser/importWithRetry.ts'
import { parseReturnAddress } from '../browser/returnAddress.ts'
import { deviceStore } from '../browser/storage.ts'
import type { StoredTransaction } from '../cache/database.ts'
import { findOpenPaymentCopy, listOpenPaymentCopies } from '../cache/openPayments.ts'
import { readOwnSubscription } from '../cache/queries.ts'
import {
  discardLinkRequest,
  isHistoryRequested,
  SETTINGS_PATH,
  useLinkRequest,
} from '../features/history/linkRequest.ts'
import { RecentActivity } from '../features/history/RecentActivity.tsx'
import { UnderWay } from '../features/history/UnderWay.tsx'
import { TransferFlow } from '../features/transfer/TransferFlow.tsx'
import { loadDatabase } from '../pwa/loadDatabase.ts'
import { getGoogleReauthenticationPage } from '../services/googleReturn.ts'
import { getIdentityLimit } from '../services/identityLimit.ts'
import { loadWithPageMessages } from '../ui/i18n.ts'
import { isWideScreen } from '../ui/isWideScreen.ts'
import { createLazyComponent, useLazyComponent } from '../ui/lazyComponent.ts'
import { OpeningPlaceholder } from '../ui/OpeningPlaceholder.tsx'
import { ScreenPart } from '../ui/ScreenPart.tsx'
import { useLiveQuery } from '../ui/useLiveQuery.ts'
import { BottomBar } from './BottomBar.tsx'
import classes from './Home.module.css'
import { OfflineBar } from './OfflineBar.tsx'
import { type NavigationTarget, PAGE_NAMES, type PageName } from './pageNames.ts'
import { TopBar } from './TopBar.tsx'
import { useHomeSnapshot } from './useHomeSnapshot.ts'
import { usePage } from './usePage.ts'

// Most users have no lock.
const AppLock = lazy(() => importWithRetry(() => loadWithPageMessages(import('./AppLock.tsx'))))

const ReceiptSheet = createLazyComponent(
  async () => (await loadWithPageMessages(import('../features/receipt/ReceiptSheet.tsx'))).ReceiptSheet,
)

const Pages = createLazyComponent(async () => (await loadWithPageMessages(import('./Pages.tsx'))).Pages)

const SupportSheet = createLazyComponent(
  async () => (await loadWithPageMessages(import('../features/support/SupportSheet.tsx'))).SupportSheet,
)

const loadStorageBar = async () => (await loadWithPageMessages(import('./homeParts.ts'))).StorageBar
const loadArrivalNotice = async () => (await import('./homeParts.ts')).ArrivalNotice
const loadPushNotificationHandler = import.meta.env.VITE_VAPID_PUBLIC_KEY
  ? async () => (await import('./homeParts.ts')).PushNotificationHandler
  : null
const loadEndedPaymentNotice = async () =>
  (await loadWithPageMessages(import('./EndedPaymentNotice.tsx'))).EndedPaymentNotice
const CapLeft = createLazyComponent(async () => (await import('./homeParts.ts')).CapLeft)
const loadCapWarning = async () => (await import('./homeParts.ts')).CapWarning
const loadIdentityWarning = async () => (await loadWithPageMessages(import('./homeParts.ts'))).IdentityWarning
const loadConfirmationNotice = async () =>
  (await loadWithPageMessages(import('./homeParts.ts'))).ConfirmationNotice
const loadMonthRow = async () => (await loadWithPageMessages(import('./homeParts.ts'))).MonthRow
const loadInstallCard = async () => (await import('./homeParts.ts')).InstallCard

if (isHistoryRequested()) loadWithPageMessages(import('./Pages.tsx')).catch(() => undefined)

export interface HomeProps {
  uid: string
  name: string
  email: string | null
  phone: string | null
  onSignOut: () => void
}

/** Specification, section 2. */
export default function Home({ uid, name, email, phone, onSignOut }: HomeProps) {
  const lock = useLock()
  const StorageBar = useLazyComponent(loadStorageBar)
  const ArrivalNotice = useLazyComponent(loadArrivalNotice)
  const CapWarning = useLazyComponent(loadCapWarning)
  const InstallCard = useLazyComponent(loadInstallCard)
  const PushNotificationHandler = useLazyComponent(loadPushNotificationHandler)
  const [isWide] = useState(isWideScreen)
  const MonthRow = useLazyComponent(isWide ? loadMonthRow : null)
  const identityLimit = getIdentityLimit()
  const IdentityWarning = useLazyComponent(identityLimit === null ? null : loadIdentityWarning)
  const [opened, setOpened] = useState<StoredTransaction | null>(null)
  const [isContacting, setContacting] = useState(false)
  const [ended] = useState(() => deviceStore.get('ended'))
  const returned = useReturnedPayment(uid)
  const EndedPaymentNotice = useLazyComponent(ended || returned ? loadEndedPaymentNotice : null)
  const { page, openPage, closePage, leavePages } = usePage(PAGE_NAMES, uid)
  const openHistory = useCallback(() => openPage('history'), [openPage])
  const onIdentity = useCallback(() => openPage('identity'), [openPage])
  const onProfile = useCallback(() => openPage('profile'), [openPage])
  // The page that the app opens on is drawn before the home screen under it.
  const [isUnderneathWanted, setUnderneathWanted] = useState(page === null && !isHistoryRequested())
  const [lastPage, setLastPage] = useState(page)
  if (page !== lastPage) {
    setLastPage(page)
    if (lastPage === 'history') setOpened(null)
    if (page === null) setUnderneathWanted(true)
  }
  useEffect(() => {
    if (!isUnderneathWanted) reportFirstScreen()
    runWhenIdle(() => startTransition(() => setUnderneathWanted(true)))
  }, [isUnderneathWanted])
  // The URL names the plans until the checkout has a result, so that a reload asks again.
  const openPlans = useCallback(
    (address: string) => {
      openPage('wallet', 'above')
      history.replaceState(history.state, '', address)
    },
    [openPage],
  )
  useLinkRequest(uid, openPage, setOpened, openPlans)
  useEffect(() => {
    if (opened) discardLinkRequest()
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
  const go = (to: NavigationTarget) => {
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
      <div role="status">{StorageBar && <StorageBar />}</div>
      {page && (
        <Suspense
          fallback={
            <main>
              <OpeningPlaceholder />
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
            onPlans={() => openPlans(SETTINGS_PATH)}
            onClose={closePage}
          />
        </Suspense>
      )}
      {/* The form stays mounted, so that the typed values are there when the user returns. */}
      <main className={classes.home} hidden={page !== null}>
        {isUnderneathWanted && (
          <>
            {/* Continues the bar. */}
            <div className={classes.hero}>
              <ScreenPart>
                <Renewal uid={uid} />
                {EndedPaymentNotice && (
                  <EndedPaymentNotice uid={uid} returned={returned} onTransaction={setOpened} />
                )}
                {ArrivalNotice && <ArrivalNotice uid={uid} onOpen={setOpened} />}
                <UnderWay uid={uid} onOpen={setOpened}>
                  {(isReplaced) => (
                    <h1 id="send" tabIndex={-1} className={isReplaced ? 'unseen' : undefined}>
                      <Trans>Envoyer de l’argent</Trans>
                    </h1>
                  )}
                </UnderWay>
              </ScreenPart>
            </div>
            <TransferFlow
              uid={uid}
              // A form under a page can't have the focus.
              filling={page === null ? filling : null}
              onFilled={noteFilled}
              isCovered={page !== null || opened !== null}
              renderCapLeft={(currency) => <CapLeft uid={uid} currency={currency} />}
              renderCapWarning={(gross) =>
                CapWarning && (
                  <CapWarning uid={uid} gross={gross}>
                    {(use) =>
                      IdentityWarning &&
                      identityLimit !== null && (
                        <IdentityWarning {...{ uid, gross, use, onIdentity }} limitCents={identityLimit} />
                      )
                    }
                  </CapWarning>
                )
              }
              onIdentity={onIdentity}
              onProfile={onProfile}
              renderReceipt={(transaction, onClose) => (
                <ReceiptSheet
                  uid={uid}
                  transaction={transaction}
                  isNew
                  onClose={() => {
                    scrollTo(0, 0)
                    onClose()
                    import('../pwa/installation.ts').then(({ rememberPaidTransfer }) =>
                      rememberPaidTransfer(),
                    )
                  }}
                />
              )}
            />
            <div className={classes.aside}>
              <ScreenPart>
                <RecentActivity uid={uid} onOpen={setOpened} onAll={openHistory} onShown={showHome} />
              </ScreenPart>
              {InstallCard && <InstallCard />}
              {MonthRow && <MonthRow uid={uid} onOpen={() => openPage('wallet')} />}
            </div>
          </>
        )}
      </main>
      <BottomBar page={page} onGo={go} />
      <Suspense fallback={<OpeningPlaceholder />}>
        {opened && (
          // Work on one receipt does not continue on the next.
          <ScreenPart key={opened.id} isPaid>
            <ReceiptSheet
              uid={uid}
              transaction={opened}
              isNew={false}
              isBeside={page === 'history'}
              onRepeat={fill}
              onClose={() => setOpened(null)}
            />
          </ScreenPart>
        )}
        {isContacting && <SupportSheet onClose={() => setContacting(false)} />}
      </Suspense>
      {PushNotificationHandler && <PushNotificationHandler uid={uid} onOpen={setOpened} />}
      {/* Until it has loaded, this whole screen waits with it. */}
      {lock && <AppLock isOpen={lock === 'open'} onSignOut={onSignOut} />}
    </div>
  )
}

function Renewal({ uid }: { uid: string }) {
  const plan = useLiveQuery(uid, readOwnSubscription)
  const confirmation = plan ? getAwaitedConfirmation(plan) : null
  const ConfirmationNotice = useLazyComponent(confirmation && loadConfirmationNotice)
  return (
    ConfirmationNotice &&
    confirmation &&
    plan?.tier && (
      <div className={classes.renewal} data-passing>
        <ConfirmationNotice confirmation={confirmation} tier={plan.tier} />
      </div>
    )
  )
}

/** `locked` since the start of this page, or `open` because it was switched on later. */
function useLock(): 'locked' | 'open' | null {
  const [lock, setLock] = useState<'locked' | 'open' | null>(() => (isLockOn() ? 'locked' : null))
  useEffect(
    () =>
      // The screen stays while the lock loads.
      watchLock(() => startTransition(() => setLock((before) => (isLockOn() ? (before ?? 'open') : null)))),
    [],
  )
  return lock
}

/** PaymentIntent ID of a payment that began in another browser. */
function useReturnedPayment(uid: string): string | null {
  const [address] = useState(parseReturnAddress)
  const id = address?.kind === 'payment' ? address.paymentIntentId : null
  // The form resumes a payment of this browser.
  const [isOwn] = useState(() =>
    listOpenPaymentCopies(uid).some(({ paymentIntentId }) => paymentIntentId === id),
  )
  useEffect(() => {
    if (isOwn) history.replaceState(history.state, '', '/')
  }, [isOwn])
  return isOwn ? null : id
}

/** The invoices' page doesn't open over another page or while the user is typing. */
function useOpenInvoice(uid: string, openPage: (name: 'invoices') => void) {
  useEffect(() => {
    let isCurrent = true
    const countOpen = async () =>
      findOpenPaymentCopy(uid, 'invoice')
        ? 1
        : (await loadDatabase()).withRows(uid, ({ invoiceAttempts }) => invoiceAttempts.count())
    countOpen()
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

function useProofPage(openPage: (name: PageName) => void) {
  useEffect(() => {
    const asked = getGoogleReauthenticationPage()
    const page = PAGE_NAMES.find((name) => name === asked)
    if (page) openPage(page)
  }, [openPage])
}

function goToForm() {
  const heading = document.getElementById('send')
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
