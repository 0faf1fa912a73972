import { shallowEqual, useSelector } from '@xstate/react'
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import type { SnapshotFrom } from 'xstate'
import type { Money, SourceCurrency } from '../../../domain/money/money.ts'
import type { RecipientFacts } from '../../../domain/people/recipientName.ts'
import { getNextPriceChangeTime } from '../../../domain/prices/allowance.ts'
import { EMPTY_SUBSCRIPTION } from '../../../domain/prices/plans.ts'
import { getTransferContext } from '../../../domain/transfers/pricing.ts'
import { listRecentTransfers } from '../../../domain/transfers/recentTransfers.ts'
import type { TransferDraft } from '../../../domain/transfers/shapes/draftSchema.ts'
import type { Transaction } from '../../../domain/transfers/transaction.ts'
import { buildRecipientDraft } from '../../../domain/transfers/transfer.ts'
import { transferLogic } from '../../actors/transfer.ts'
import { onlineStore } from '../../browser/network.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { deviceStore } from '../../browser/storage.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import { getWalletTariffs } from '../../services/walletTariffs.ts'
import { loadWithPageMessages } from '../../ui/i18n.ts'
import { createLazyComponent, useLazyComponent } from '../../ui/lazyComponent.ts'
import { OpeningPlaceholder } from '../../ui/OpeningPlaceholder.tsx'
import { hasCheckoutSheet, isPaying, useCheckout } from '../../ui/payment/useCheckout.ts'
import { ScreenPart } from '../../ui/ScreenPart.tsx'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import { useRefresh } from '../../ui/useRefresh.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import classes from './TransferForm.module.css'
import { loadFormParts, TransferForm } from './TransferForm.tsx'
import { useSavedDraft } from './useSavedDraft.ts'

const loadCheckoutNotice = async () => (await loadFormParts()).CheckoutNotice
const TransferSheets = createLazyComponent(
  async () => (await loadWithPageMessages(import('./TransferSheets.tsx'))).TransferSheets,
)
const People = createLazyComponent(async () => (await import('./recipientParts.ts')).People)
const loadRecipientCheck = async () => (await import('./recipientParts.ts')).RecipientCheck
const ContactSheet = createLazyComponent(async () => (await loadFormParts()).ContactSheet)
const DuplicateSheet = createLazyComponent(async () => (await loadFormParts()).DuplicateSheet)

/** A user sends fewer transfers within ten minutes. */
const MAX_RECENT_TRANSFERS = 20

const readRecentTransfers = async ({ transactions, attempts }: UserDatabase) =>
  listRecentTransfers(
    await transactions.orderBy('createdAt').reverse().limit(MAX_RECENT_TRANSFERS).toArray(),
    await attempts.toArray(),
  )

/** Null until this device has stored the facts. */
async function readPricingFacts({ profiles, ledgers }: UserDatabase, uid: string) {
  const [profile, ledger] = await Promise.all([profiles.get(uid), ledgers.toCollection().first()])
  return profile ? { subscription: profile.subscription, ledger: ledger ?? null } : null
}

const NOTHING_KNOWN = { subscription: EMPTY_SUBSCRIPTION, ledger: null, endedCoupon: null }

/** Typing an amount renders only the form. */
function selectFlow(state: SnapshotFrom<typeof transferLogic>) {
  const { draft, problem, change, attempt, payment, receipt, duplicate, profile, at } = state.context
  return {
    phone: draft.phone,
    country: draft.country,
    receivingMethod: draft.receivingMethod,
    currency: draft.currency,
    problem,
    payment,
    receipt,
    duplicate,
    at,
    payer: profile,
    own: attempt?.order ?? null,
    repriced: change,
    isClosed: !state.hasTag('open'),
    hasSheet: hasCheckoutSheet(state),
  }
}

/** Specification, section 4. */
export function TransferFlow({
  uid,
  filling,
  onFilled,
  renderCapLeft,
  renderCapWarning,
  renderReceipt,
  isCovered,
  onIdentity,
  onProfile,
}: {
  uid: string
  /** `onFilled` is called once the values are set. */
  filling: Partial<TransferDraft> | null
  onFilled: () => void
  renderCapLeft: (currency: SourceCurrency) => ReactNode
  renderCapWarning: (gross: Money<SourceCurrency>) => ReactNode
  renderReceipt: (transaction: Transaction, onClose: () => void) => ReactNode
  isCovered: boolean
  onIdentity: () => void
  onProfile: () => void
}) {
  const RecipientCheck = useLazyComponent(loadRecipientCheck)
  const CheckoutNotice = useLazyComponent(loadCheckoutNotice)
  const facts = useLiveQuery(uid, readPricingFacts)
  const actor = useActorRef(transferLogic, {
    input: {
      profile: { uid, ...NOTHING_KNOWN, walletTariffs: getWalletTariffs() },
      isOnline: onlineStore.get(),
      at: serverNow(),
    },
  })
  const state = useSelector(actor, selectFlow, shallowEqual)
  const { phone, country, receivingMethod, currency, problem, payment, receipt, duplicate } = state
  const { payer, own, at, repriced, isClosed, hasSheet } = state
  const pricing = useMemo(() => getTransferContext(payer, own, at), [payer, own, at])
  const recent = useLiveQuery(uid, readRecentTransfers)

  useEffect(() => {
    if (facts) actor.send({ type: 'profile.changed', profile: facts })
  }, [actor, facts])

  const now = useServerNow((now) => getNextPriceChangeTime(payer.subscription, now))
  useEffect(() => actor.send({ type: 'time.passed', at: now }), [actor, now])

  useCheckout('send', useSelector(actor, isPaying), actor.send)
  useSavedDraft(uid, actor)

  // No field of the newly mounted form counts as left by the user.
  const [lastPaid, setLastPaid] = useState('')
  if (receipt && receipt.id !== lastPaid) setLastPaid(receipt.id)
  // A payment may have used one of the plan's transfers.
  useRefresh(
    useCallback(async () => (await import('../../actors/refreshPlan.ts')).refreshPlan(uid), [uid]),
    lastPaid,
  )

  const change = useCallback(
    (patch: Partial<TransferDraft>) => actor.send({ type: 'draft.change', patch }),
    [actor],
  )

  const learnRecipient = useCallback(
    (recipient: RecipientFacts) => actor.send({ type: 'profile.changed', profile: { recipient } }),
    [actor],
  )

  // Paying waits until the recipient check has loaded and its question about the number is answered.
  const [isQuestioned, setQuestioned] = useState(true)

  useEffect(() => {
    if (!filling || isClosed) return
    change({ ...filling, phoneConfirmed: false })
    onFilled()
  }, [filling, isClosed, onFilled, change])

  const leaveTo = (openPage: () => void) => {
    // The refusal may no longer be true when the user returns.
    actor.send({ type: 'problem.dismiss' })
    openPage()
  }

  const [isChoosing, setChoosing] = useState(false)
  const openContacts = useCallback(() => setChoosing(true), [])

  const part = { uid, phone, country, isClosed, onChange: change }
  return (
    <>
      <ScreenPart key={lastPaid}>
        <TransferForm
          actor={actor}
          pricing={pricing}
          recent={recent}
          isPlanRead={facts != null}
          // Paying waits until the notice about its outcome has loaded.
          isQuestioned={isQuestioned || !CheckoutNotice}
          people={
            <Suspense fallback={!deviceStore.get('nobodyKnown') && <div className={classes.people} />}>
              <People {...part} isCovered={isCovered || receipt !== null} />
            </Suspense>
          }
          recipient={
            RecipientCheck && (
              <RecipientCheck
                {...part}
                receivingMethod={receivingMethod}
                onFacts={learnRecipient}
                onQuestion={setQuestioned}
              />
            )
          }
          capLeft={renderCapLeft(currency)}
          renderCapWarning={renderCapWarning}
          notice={
            !payment &&
            CheckoutNotice &&
            (problem || repriced) && (
              <CheckoutNotice
                problem={problem}
                change={repriced}
                currency={currency}
                onIdentity={() => leaveTo(onIdentity)}
                onProfile={() => leaveTo(onProfile)}
              />
            )
          }
          onChange={change}
          onContacts={openContacts}
        />
      </ScreenPart>
      <ScreenPart>
        <Suspense fallback={<OpeningPlaceholder />}>
          {isChoosing && (
            <ContactSheet
              uid={uid}
              country={country}
              onChoose={({ phone }) => {
                change(buildRecipientDraft(phone))
                setChoosing(false)
              }}
              onClose={() => setChoosing(false)}
            />
          )}
          {duplicate && (
            <DuplicateSheet
              duplicate={duplicate}
              onConfirm={() =>
                actor.send({ type: 'duplicate.confirm', attemptId: crypto.randomUUID(), at: serverNow() })
              }
              onClose={() => actor.send({ type: 'duplicate.cancel' })}
            />
          )}
          {hasSheet && <TransferSheets actor={actor} />}
        </Suspense>
      </ScreenPart>
      {receipt && (
        <ScreenPart key={`receipt ${receipt.id}`} isPaid>
          <Suspense fallback={<OpeningPlaceholder />}>
            {renderReceipt(receipt, () => actor.send({ type: 'receipt.close' }))}
          </Suspense>
        </ScreenPart>
      )}
    </>
  )
}
