import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { nextTurn } from '../../../domain/allowance.ts'
import type { Contact } from '../../../domain/contact.ts'
import { formatMoney, type Money, type SourceCurrency, typedAmount } from '../../../domain/money.ts'
import { groupPhone } from '../../../domain/phone.ts'
import { EMPTY_SUBSCRIPTION } from '../../../domain/plans.ts'
import { pricingOf } from '../../../domain/pricing.ts'
import { recentTransfers } from '../../../domain/recentTransfers.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import { type CheckedTransfer, draftTo, type TransferDraft } from '../../../domain/transfer.ts'
import { walletName } from '../../../domain/wallets.ts'
import { transfer as transferLogic } from '../../actors/transfer.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { deviceStore } from '../../browser/storage.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { contactOf } from '../../cache/queries.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import { currentLanguage, withPages } from '../../ui/i18n.ts'
import { lazyComponent, useLazyComponent } from '../../ui/lazyComponent.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Opening } from '../../ui/Opening.tsx'
import type { RecapLine } from '../../ui/payment/PaymentSheet.tsx'
import { hasSheet, useCheckout } from '../../ui/payment/useCheckout.ts'
import { useCached } from '../../ui/useCached.ts'
import { useRefresh } from '../../ui/useRefresh.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import { changeText, checkoutText } from './checkoutMessages.ts'
import { insteadOfPaying } from './instead.ts'
import classes from './TransferForm.module.css'
import { TransferForm } from './TransferForm.tsx'
import { useKeptDraft } from './useKeptDraft.ts'

const CheckoutSheets = lazyComponent(
  async () => (await withPages(import('../../ui/payment/CheckoutSheets.tsx'))).CheckoutSheets,
)
const People = lazyComponent(async () => (await import('./whoReceives.ts')).People)
const loadRecipientCheck = async () => (await import('./whoReceives.ts')).RecipientCheck
const ContactSheet = lazyComponent(async () => (await import('./ContactSheet.tsx')).ContactSheet)
const DuplicateSheet = lazyComponent(async () => (await import('./DuplicateSheet.tsx')).DuplicateSheet)

/** How many of the newest transfers are read: more than anybody sends within some minutes. */
const MOST_RECENT = 20

const sentOnThisDevice = async ({ transactions, attempts }: UserDatabase) =>
  recentTransfers(
    await transactions.orderBy('createdAt').reverse().limit(MOST_RECENT).toArray(),
    await attempts.toArray(),
  )

/** What decides about the price, as this device knows it; null before anything is here. */
async function ownFacts({ profiles, ledgers }: UserDatabase, uid: string) {
  const [profile, ledger] = await Promise.all([profiles.get(uid), ledgers.toCollection().first()])
  return profile ? { subscription: profile.subscription, ledger: ledger ?? null } : null
}

const NOTHING_KNOWN = { subscription: EMPTY_SUBSCRIPTION, ledger: null, endedCoupon: null }

/** A transfer from the form to its receipt, as the transfer machine leads it. Specification, section 4. */
export function TransferFlow({
  uid,
  filling,
  onFilled,
  capLeftOf,
  receiptOf,
  isCovered,
}: {
  uid: string
  /** What replaces the values in the form. `onFilled` is called once it is there. */
  filling: Partial<TransferDraft> | null
  onFilled: () => void
  /** What the month still lets through, for an amount. */
  capLeftOf: (gross: Money<SourceCurrency>) => ReactNode
  /** The receipt of what was paid just now. */
  receiptOf: (transaction: Transaction, onClose: () => void) => ReactNode
  /** Whether the form is out of sight. */
  isCovered: boolean
}) {
  const { i18n } = useLingui()
  const RecipientCheck = useLazyComponent(loadRecipientCheck)
  const facts = useCached(uid, ownFacts)
  const actor = useActorRef(transferLogic, {
    input: { profile: { uid, ...NOTHING_KNOWN }, isOnline: navigator.onLine, at: serverNow() },
  })
  const state = useSelector(actor, (snapshot) => snapshot)
  const {
    draft,
    origin,
    problem,
    problems,
    change: repriced,
    attempt,
    payment,
    receipt,
    duplicate,
  } = state.context
  const { profile: payer, at } = state.context
  const own = attempt?.order ?? null
  const pricing = useMemo(() => pricingOf(payer, own, at), [payer, own, at])
  const recent = useCached(uid, sentOnThisDevice)
  const recipient = attempt?.order.phone
  const contact = useCached(
    uid,
    useCallback(
      async (database: UserDatabase) => (recipient ? contactOf(database, recipient) : null),
      [recipient],
    ),
  )

  useEffect(() => {
    if (facts) actor.send({ type: 'profile.changed', profile: facts })
  }, [actor, facts])

  const now = useServerNow((now) => nextTurn(payer.subscription, now))
  useEffect(() => actor.send({ type: 'time.passed', at: now }), [actor, now])

  useCheckout(state, actor.send)
  useKeptDraft(uid, actor)

  // A paid transfer leaves a fresh form behind, without the marks of the fields that were left before.
  const [lastPaid, setLastPaid] = useState('')
  if (receipt && receipt.id !== lastPaid) setLastPaid(receipt.id)
  // A payment may have taken one of the plan's transfers.
  useRefresh(
    useCallback(async () => (await import('../../actors/refreshPlan.ts')).refreshPlan(uid), [uid]),
    lastPaid,
  )

  const change = useCallback(
    (patch: Partial<TransferDraft>) => actor.send({ type: 'draft.change', patch }),
    [actor],
  )

  // Nobody pays before the part of the form that asks is there.
  const [isQuestioned, setQuestioned] = useState(true)

  const isClosed = !state.hasTag('open')
  useEffect(() => {
    // What is asked for while a payment is under way waits for its end.
    if (!filling || isClosed) return
    change({ ...filling, phoneConfirmed: false })
    onFilled()
  }, [filling, isClosed, onFilled, change])

  const [isChoosing, setChoosing] = useState(false)
  const openContacts = useCallback(() => setChoosing(true), [])

  const instead = insteadOfPaying(problem, draft.currency)
  const told = problem && checkoutText(problem, i18n, draft.currency)
  const changed = repriced && changeText(repriced.before.quote, repriced.after.quote, i18n)
  return (
    <>
      <TransferForm
        key={lastPaid}
        draft={draft}
        pricing={pricing}
        // Nobody pays before the device knows what was sent lately. Otherwise it could not ask whether a duplicate is meant.
        isBusy={
          state.hasTag('busy') || state.hasTag('paying') || (recent === undefined && draft.phoneConfirmed)
        }
        isClosed={isClosed}
        isQuestioned={isQuestioned}
        isAsked={problems.length > 0}
        refused={problems.find(({ kind }) => kind === 'couponEnded')?.field ?? null}
        // Once the search for an open payment has found none, nothing of the kept form can have been paid.
        isRestored={origin === 'kept' && !state.matches('resuming')}
        people={
          <Suspense fallback={!deviceStore.get('nobodyKnown') && <div className={classes.people} />}>
            <People
              uid={uid}
              phone={draft.phone}
              country={draft.country}
              isClosed={isClosed}
              isCovered={isCovered || receipt !== null}
              onChange={change}
            />
          </Suspense>
        }
        recipient={
          RecipientCheck && (
            <RecipientCheck
              uid={uid}
              phone={draft.phone}
              country={draft.country}
              receivingMethod={draft.receivingMethod}
              isClosed={isClosed}
              onChange={change}
              onQuestion={setQuestioned}
            />
          )
        }
        capLeftOf={capLeftOf}
        notice={
          !payment && (
            <>
              {told && (
                <Notice key={problem.kind} kind={told.kind} title={told.title} isCalling>
                  {told.text}
                </Notice>
              )}
              {changed && (
                <Notice kind={changed.kind} title={changed.title} isCalling>
                  {changed.text}
                </Notice>
              )}
            </>
          )
        }
        instead={instead}
        onChange={change}
        onContacts={openContacts}
        onClear={() => actor.send({ type: 'draft.clear' })}
        onConfirm={() => {
          if (instead?.kind === 'lower') change({ amount: typedAmount(instead.to, currentLanguage()) })
          else if (instead?.kind === 'ask') actor.send({ type: 'outcome.ask' })
          else
            actor.send({
              type: 'form.confirm',
              attemptId: crypto.randomUUID(),
              at: serverNow(),
              recent: recent ?? [],
            })
        }}
      />
      <Suspense fallback={<Opening />}>
        {isChoosing && (
          <ContactSheet
            uid={uid}
            onChoose={({ phone }) => {
              change(draftTo(phone))
              setChoosing(false)
            }}
            onClose={() => setChoosing(false)}
          />
        )}
        {duplicate && (
          <DuplicateSheet
            duplicate={duplicate}
            onConfirm={() =>
              actor.send({ type: 'again.confirm', attemptId: crypto.randomUUID(), at: serverNow() })
            }
            onClose={() => actor.send({ type: 'again.leave' })}
          />
        )}
        {attempt && hasSheet(state) && (
          <CheckoutSheets
            state={state}
            send={actor.send}
            amount={attempt.order.gross}
            recap={recapOf(attempt.order, contact)}
            backLabel={<Trans>Revenir au transfert</Trans>}
            told={told}
            returnTo="form [type=submit]"
          />
        )}
        {receipt && receiptOf(receipt, () => actor.send({ type: 'receipt.close' }))}
      </Suspense>
    </>
  )
}

function recapOf(
  { phone, receivingMethod, quote }: CheckedTransfer,
  contact: Contact | null | undefined,
): readonly RecapLine[] {
  // The contact that was found may still be that of the earlier number.
  const name = contact?.phone === phone && contact.name
  return [
    {
      name: 'to',
      term: <Trans>Vers</Trans>,
      value: groupPhone(phone),
      more: [name, walletName(receivingMethod)].filter(Boolean).join(' · '),
    },
    { name: 'what', term: <Trans>Frais</Trans>, value: formatMoney(quote.fee, currentLanguage()) },
    {
      name: 'what',
      term: <Trans>À recevoir</Trans>,
      value: formatMoney(quote.converted, currentLanguage()),
    },
  ]
}
