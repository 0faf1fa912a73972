import type Stripe from 'stripe'
import * as v from 'valibot'
import { expect } from 'vitest'
import type { Subscription } from '../domain/account/profileSchema.ts'
import type { StartedPayment } from '../domain/api/api.ts'
import { CREATE_PAYMENT_INTENT } from '../domain/api/payments.ts'
import { DAY, HOUR, MINUTE } from '../domain/common/duration.ts'
import { getMonthRange, toMonth } from '../domain/common/month.ts'
import { money } from '../domain/money/money.ts'
import { type CountryCode, getDestination } from '../domain/numbers/destinations.ts'
import { toEurCents } from '../domain/prices/limits.ts'
import { PLANS } from '../domain/prices/plans.ts'
import { quoteTransfer } from '../domain/prices/quote.ts'
import { DUPLICATE_PERIOD } from '../domain/transfers/recentTransfers.ts'
import { buildPersonKeys, getRecipientKey } from '../netlify/server/accounts/persons.ts'
import { liftPause, OPERATOR_PAUSE_CAUSE, pausePayments } from '../netlify/server/events/pauses.ts'
import { sumMonthlyTransfers } from '../netlify/server/payments/sumMonthlyTransfers.ts'
import type { PayoutContext } from '../netlify/server/payouts/payoutContext.ts'
import { decideCase, findCases } from '../netlify/server/payouts/screening/cases.ts'
import type { TransferAttempt } from '../netlify/server/platform/documents.ts'
import { buildAttemptKey, parseSubscription } from '../netlify/server/platform/records.ts'
import { createCrashingContext } from '../netlify/testing/crashingContext.ts'
import { parseDumpedTransaction } from '../netlify/testing/dumpedRecords.ts'
import { MONTHLY_CAP_CENTS, type Records } from '../netlify/testing/invariants.ts'
import { checkMtnBooks, checkStripeBooks } from '../netlify/testing/journalInvariants.ts'
import { checkLiveness, findDueDocuments } from '../netlify/testing/liveness.ts'
import {
  answerThreeDSecure,
  attachSavedCard,
  openCardForm,
  payAndSaveCard,
} from '../netlify/testing/savedCards.ts'
import { createSimulatedScreening, LISTED_NAME } from '../netlify/testing/screening.ts'
import { buildTransferRequest, type CallResponse, type World } from '../netlify/testing/world.ts'
import { reconcileDay } from '../scripts/operations/reconcile.ts'
import {
  type Action,
  type BankStep,
  buildInvoiceDocument,
  type Call,
  type CancellationCall,
  DOCUMENTS,
  INVOICE_COUNT,
  INVOICES,
  MTN_NUMBERS,
  type MtnStep,
  type Payer,
  type Payment,
  type PlanCall,
  type ScheduleSetting,
  type Step,
  SUPPLIER_CHANGES,
  TRANSFER_COUNT,
  type Transfer,
  type TransferCall,
} from './model.ts'
import { createPayoutOperator } from './payoutOperator.ts'

const FIRESTORE = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents'

const MAX_QUESTIONS = 5

/** Returns functions that run the schedule's actions and check the invariants, and a line for each action. */
export async function beginSchedule(world: World, other: World, setting: ScheduleSetting) {
  const {
    startsAt,
    payOut,
    screens,
    cancellationWindow,
    identityLimit,
    quietFor,
    latencySeed,
    people: described,
    transfers,
    bills,
  } = setting
  world.reset()
  other.reset()
  world.setTime(startsAt)
  if (latencySeed !== null) world.network.begin(latencySeed)
  const inTime = latencySeed === null ? <T>(work: () => Promise<T>) => work() : world.inTime
  world.offerCancellation(cancellationWindow)
  world.requireIdentityAbove(identityLimit)
  if (payOut) world.payOutAsDeployed()
  const list = createSimulatedScreening()
  if (screens) world.screenBy(list.screening)
  const uids = await Promise.all(described.map((one) => world.person(subscriptionFor(one, startsAt))))
  for (const [index, { keptCard }] of described.entries())
    if (keptCard) await attachSavedCard(world, uids[index] ?? '', keptCard)
  /** A user who signs up again has a new account. */
  const accountsByPerson = uids.map((uid) => [uid])
  const invoiceAt = (index: 0 | 1) =>
    world.context.db.doc(`invoices/${INVOICES[index].supplier}_${INVOICES[index].reference}`)
  const issued = new Map<string, object>()
  async function supply(index: 0 | 1, invoice: object) {
    const { path, id } = invoiceAt(index)
    issued.set(id, invoice)
    await world.context.db.doc(path).set(invoice)
  }
  await Promise.all(([0, 1] as const).map((index) => supply(index, buildInvoiceDocument(INVOICES[index]))))
  const billAttempts = bills.map(() => crypto.randomUUID())
  const sharedDraftId = crypto.randomUUID()
  const requests = transfers.map(({ by, amount, currency, to, coupon, payee, isListed, sharesForm }) =>
    buildTransferRequest(uids[by] ?? '', {
      attemptId: crypto.randomUUID(),
      amount,
      currency: currency === 'EUR' ? 'eur' : 'cad',
      couponCode: coupon,
      ...(isListed && { recipientName: LISTED_NAME }),
      ...(sharesForm && { draftId: sharedDraftId }),
      ...(payOut && to === 'GN'
        ? { recipientPhone: MTN_NUMBERS[payee], receivingMethod: 'mtn_money' as const }
        : RECIPIENTS[to]),
    }),
  )
  const secrets = new Map<number, string>()
  const forms = new Map<number, Pick<StartedPayment, 'clientSecret' | 'customerSession'>>()
  const gone = new Set<string>()
  /** The first allowance comes from the scenario; later periods have the plan's normal one. */
  const firstPeriods = new Map(
    uids.map((uid) => [uid, parseSubscription(world.sandbox.firestore.documents()[`users/${uid}`])]),
  )
  const begunBy = new Map<number, string>()
  const checkouts = new Map<number, string>()
  const agreedTo = new Map<string, readonly { readonly id: string; readonly at: number }[]>()
  const history: string[] = []

  const billAt = (index: number) => bills[index - TRANSFER_COUNT]
  const transferAt = (index: number) => transfers[index] as Transfer
  const getPayer = (index: number) => (billAt(index) ?? transferAt(index)).by
  const getOwner = (index: number) => begunBy.get(index) ?? uids[getPayer(index)] ?? ''
  const findAttempt = (index: number) =>
    (billAt(index) ? billAttempts[index - TRANSFER_COUNT] : requests[index]?.attemptId) ?? ''

  function priced(index: number) {
    const { amount, currency, to, coupon } = transferAt(index)
    const { fee, converted } = quoteTransfer({
      gross: money(amount, currency),
      destination: getDestination(to),
      coupon,
      subscription: parseSubscription(world.sandbox.firestore.documents()[`users/${getOwner(index)}`]),
      now: world.now(),
    })
    const expected = { fee: fee.minor, converted: converted.minor }
    return { ...requests[index], senderId: getOwner(index), expected }
  }

  function billed(index: 0 | 1) {
    const { supplier, reference, currency } = INVOICES[index]
    const stored = world.sandbox.firestore.documents()[`invoices/${supplier}_${reference}`]
    return {
      supplier,
      reference,
      expected: {
        amount: Math.round(Number(stored?.amount ?? 0) * 100),
        currency,
        dueDate: typeof stored?.dueDate === 'string' ? stored.dueDate : '2026-11-30',
      },
    }
  }

  function agreementTo(index: number, { body: { code, details } }: CallResponse) {
    if (code === 'quoteChanged') {
      const { fee, converted } = details as { fee: number; converted: number }
      return { expected: { fee, converted } }
    }
    if (code !== 'sentAlready') return null
    const { id, at } = details as { id: string; at: number }
    agreedTo.set(findAttempt(index), [...(agreedTo.get(findAttempt(index)) ?? []), { id, at }])
    return { again: id }
  }

  async function callAbout(
    { do: what, transfer: index, as: role, unheard, behind }: TransferCall,
    process?: PayoutContext,
  ) {
    const as = behind ? { ...(process ?? world.context), now: () => world.now() - MINUTE } : process
    const caller = role === 'other' ? (uids[1 - getPayer(index)] ?? '') : getOwner(index)
    const token = await world.token(caller, role === 'expired' ? { issuedAt: world.now() - 2 * HOUR } : {})
    const attemptId = findAttempt(index)
    if (what === 'start' && !role) begunBy.set(index, getOwner(index))
    const ask = async (): Promise<CallResponse> => {
      if (what === 'record')
        return world.invoke('record-transfer', { attemptId }, { token, ...(as && { as }) })
      if (what === 'cancel')
        return world.invoke('cancel-payment-intent', { attemptId }, { token, ...(as && { as }) })
      const bill = billAt(index)
      if (bill) {
        const body = { attemptId, ...billed(bill.invoice) }
        return world.invoke('pay-invoice', body, { token, ...(as && { as }) })
      }
      const begin = (body: object) =>
        world.invoke('create-payment-intent', { ...body }, { token, ...(as && { as }) })
      let body: object = priced(index)
      let answer = await begin(body)
      for (let questions = 0; questions < MAX_QUESTIONS; questions += 1) {
        const agreement = agreementTo(index, answer)
        if (!agreement) return answer
        body = { ...body, ...agreement }
        answer = await begin(body)
      }
      return answer
    }
    const answer = await ask()
    checkAnswer(what, index, role, answer)
    if (what === 'start' && answer.status === 200 && !unheard && !role) {
      const begun = v.parse(CREATE_PAYMENT_INTENT.response, answer.body)
      secrets.set(index, begun.paymentIntentId)
      forms.set(index, begun)
    }
    return `${answer.status} ${answer.body.code ?? answer.body.outcome ?? answer.body.status ?? ''}`.trim()
  }

  const approved = new Set<string>()
  const wasApproved = new Set<string>()
  const checked = new Set<string>()

  async function decideIdentity(uid: string, becomes: keyof typeof DOCUMENTS): Promise<string> {
    // Before the write, because a concurrent transfer sees the document before this call has ended.
    if (becomes === 'approved') wasApproved.add(uid)
    const [status, expirationDate] = DOCUMENTS[becomes]
    await world.writeIdentity(uid, status, expirationDate)
    if (becomes === 'approved') approved.add(uid)
    else approved.delete(uid)
    return 'done'
  }

  // If several transfers began during one action, their order is unknown: one must have had the document.
  function checkIdentities({ attempts }: Records) {
    for (const accounts of accountsByPerson) {
      const live = [...attempts].filter(
        ([, { uid, status }]) => accounts.includes(uid) && (status === 'reserved' || status === 'recorded'),
      )
      for (const [month, ofMonth] of Map.groupBy(live, ([, attempt]) => attempt.month)) {
        const begun = ofMonth.filter(([key]) => !checked.has(key))
        const cents = ofMonth.reduce((sum, [, { transfer }]) => sum + toEurCents(transfer.gross), 0)
        if (identityLimit === null || cents <= identityLimit || begun.length === 0) continue
        const isProven = begun.some(([, { uid }]) => wasApproved.has(uid))
        expect(
          isProven,
          `approved document of ${accounts.join(' and ')}: ${cents} EUR cents in ${month}`,
        ).toBe(true)
      }
    }
    for (const key of attempts.keys()) checked.add(key)
    wasApproved.clear()
    for (const uid of approved) wasApproved.add(uid)
  }

  const canceled = new Set<string>()

  // Checks that the time is not over by the server's clock, and that no operator has claimed the transfer.
  async function cancelPaid(
    { transfer: index, as: role, behind }: CancellationCall,
    process?: PayoutContext,
  ): Promise<string> {
    const id = findIntent(index)?.id
    if (!id) return 'no payment'
    const as = behind ? { ...(process ?? world.context), now: () => world.now() - MINUTE } : process
    const caller = role === 'other' ? (uids[1 - getPayer(index)] ?? '') : getOwner(index)
    const token = await world.token(caller, role === 'expired' ? { issuedAt: world.now() - 2 * HOUR } : {})
    const wasCanceled = canceled.has(id)
    const before = (await world.records()).deliveries.get(id)
    const at = (as ?? world.context).now()
    const { status, body } = await world.invoke('cancel-transfer', { id }, { token, ...(as && { as }) })
    if (role) expect([401, 403, 404, 503], `the response to another user (${role})`).toContain(status)
    else if (status === 200) canceled.add(id)
    const after = (await world.records()).deliveries.get(id)
    if (role && isAlone)
      expect(after, `the order of ${id}, which another user tried to cancel`).toEqual(before)
    if (status === 200 && isAlone && before?.canceledAt === null) {
      expect(before.state, `the state of ${id} before its sender canceled it`).toBe('due')
      expect(at, `when ${id} was canceled`).toBeLessThan(before.cancelableUntil ?? Number.POSITIVE_INFINITY)
    }
    if (wasCanceled) expect(body.code, `a repeated cancellation of ${id}`).not.toBe('cancellationTooLate')
    return `${status} ${body.code ?? ''}`.trim()
  }

  /** Such transfers stay canceled, and their cap must be free again. */
  function checkCanceled({ deliveries, attempts }: Records) {
    for (const id of canceled)
      expect(deliveries.get(id)?.canceledAt, `when ${id} was canceled, as its sender knows`).not.toBe(null)
    for (const { paymentIntentId: id, status } of attempts.values())
      if (id !== null && canceled.has(id)) expect(status, `the attempt of ${id}`).toBe('refunded')
  }

  function checkAnswer(
    what: TransferCall['do'],
    index: number,
    role: TransferCall['as'],
    { status, body }: CallResponse,
  ) {
    // Another user may pay an invoice too, with an attempt of their own.
    if (role === 'other' && billAt(index)) return
    if (role) expect([401, 403, 404, 503], `the response to another user (${role})`).toContain(status)
    const intent = world.sandbox.stripe
      .paymentIntents()
      .find(
        ({ id }) =>
          id === (((body.transaction ?? body.invoicePayment) as { id?: string })?.id ?? body.paymentIntentId),
      )
    if (what === 'start' && status === 200 && !billAt(index)) {
      const { amount, currency } = transferAt(index)
      expect([intent?.amount, intent?.currency, intent?.metadata.uid], 'the PaymentIntent').toEqual([
        amount,
        currency.toLowerCase(),
        getOwner(index),
      ])
    }
    if (body.outcome === 'paid') {
      expect(intent?.status, 'the payment that is reported as paid').toBe('succeeded')
      expect(body.transaction ?? body.invoicePayment, 'the receipt').toMatchObject({
        [billAt(index) ? 'payerId' : 'senderId']: getOwner(index),
      })
    }
  }

  /** Oldest first. */
  function listTransferEvents(index: number) {
    const { stripe } = world.sandbox
    const intent = findIntent(index)
    return stripe.events().filter(({ data }) => {
      const { id, payment_intent: of } = data.object as { id?: string; payment_intent?: string }
      return intent !== undefined && (of ?? id) === intent.id
    })
  }

  const billedTo = (uid: string) =>
    world.sandbox.stripe.subscriptions().filter(({ metadata }) => metadata.uid === uid)

  async function callAboutPlan(asked: PlanCall, as?: PayoutContext): Promise<string> {
    const userId = uids[asked.person] ?? ''
    if (asked.do === 'end plan' && asked.as) return endPlanOfAnother(asked.person, as)
    const by = { token: await world.token(userId), ...(as && { as }) }
    const inWords = ({ status, body }: CallResponse) =>
      `${status} ${body.code ?? body.success ?? body.cancelAt ?? ''}`
    if (asked.do === 'end plan') {
      const [subscription] = billedTo(userId)
      if (!subscription) return 'no plan'
      return inWords(await world.invoke('cancel-subscription', { subscriptionId: subscription.id }, by))
    }
    if (asked.do === 'verify') {
      const sessionId = checkouts.get(asked.person)
      if (!sessionId) return 'no checkout'
      return inWords(
        await world.invoke('verify-subscription', { session_id: sessionId }, { ...by, method: 'GET' }),
      )
    }
    const answer = await world.invoke('create-subscription', { tier: asked.tier, userId }, by)
    if (answer.status !== 200) return inWords(answer)
    // Stripe counts in seconds, and a plan's periods begin at its start.
    world.pass(1000)
    const back = await world.payCheckout(String(answer.body.url))
    const sessionId = back && new URL(back, world.origin).searchParams.get('session_id')
    if (sessionId) checkouts.set(asked.person, sessionId)
    return sessionId ? 'paid' : 'not paid'
  }

  async function endPlanOfAnother(owner: 0 | 1, as?: PayoutContext): Promise<string> {
    const theirs = () => billedTo(uids[owner] ?? '')[0]
    const subscription = theirs()
    if (!subscription) return 'no plan'
    const { cancel_at_period_end: ends } = subscription
    const token = await world.token(uids[1 - owner] ?? '')
    const body = { subscriptionId: subscription.id }
    const { status } = await world.invoke('cancel-subscription', body, { token, ...(as && { as }) })
    expect([403, 404, 429, 503], 'the response to a user who ends the plan of another user').toContain(status)
    if (isAlone) expect(theirs()?.cancel_at_period_end, 'the plan that another user tries to end').toBe(ends)
    return String(status)
  }

  // No user may pay for two plans at the same time.
  function checkPlans({ users }: Records) {
    for (const uid of accountsByPerson.flat()) {
      const billed = billedTo(uid)
      const live = billed.filter(({ status }) => status === 'active' || status === 'past_due')
      expect(live.length, `plans that ${uid} pays for`).toBeLessThanOrEqual(1)
      const { stripeSubscriptionId, tier } = parseSubscription(users.get(uid))
      if (stripeSubscriptionId === null) continue
      const of = billed.find(({ id }) => id === stripeSubscriptionId)
      expect(of?.metadata.tier, `what ${uid} pays for`).toBe(tier)
    }
  }

  async function call(asked: Call, as?: PayoutContext): Promise<string> {
    switch (asked.do) {
      case 'subscribe':
      case 'verify':
      case 'end plan':
        return callAboutPlan(asked, as)
      case 'plan webhooks': {
        const uid = uids[asked.person]
        const events = world.sandbox.stripe
          .events()
          .filter(
            ({ data }) =>
              (data.object as { metadata?: { uid?: string; kind?: string } }).metadata?.uid === uid,
          )
          .filter(({ type }) => !type.startsWith('payment_intent'))
        const statuses: number[] = []
        for (const event of events) statuses.push((await world.deliver(event, { ...(as && { as }) })).status)
        return statuses.join(' ')
      }
      case 'webhooks': {
        const events = listTransferEvents(asked.transfer)
        if (asked.from === 'last') events.reverse()
        const statuses: number[] = []
        for (const event of events) {
          const copies = Array.from({ length: asked.copies }, () =>
            world.deliver(event, { ...(as && { as }) }),
          )
          statuses.push(...(await Promise.all(copies)).map(({ status }) => status))
        }
        return statuses.join(' ')
      }
      case 'forged webhook': {
        const event = listTransferEvents(asked.transfer).at(-1)
        if (!event) return 'no event'
        const before = JSON.stringify(world.sandbox.firestore.documents())
        const { status } = await world.deliver(event, {
          ...FORGERIES[asked.how](world.now()),
          ...(as && { as }),
        })
        expect(status, `the response to a webhook that is ${asked.how}`).not.toBe(200)
        if (isAlone) expect(JSON.stringify(world.sandbox.firestore.documents())).toBe(before)
        return String(status)
      }
      case 'undo':
        return cancelPaid(asked, as)
      case 'due-work':
        return JSON.stringify((await world.invoke('due-work', {}, { ...(as && { as }) })).body)
      case 'callback': {
        const externalId = findIntent(asked.transfer)?.id
        if (!externalId) return 'no payment'
        const said = { externalId, status: 'FAILED', reason: 'PAYEE_NOT_FOUND' }
        return String((await world.invoke('delivery-callback', said, { ...(as && { as }) })).status)
      }
      default:
        return callAbout(asked, as)
    }
  }

  async function tryToPay(invoice: 0 | 1): Promise<readonly string[]> {
    const answers: string[] = []
    for (const [index, bill] of bills.entries())
      if (bill.invoice === invoice)
        answers.push(
          await step({
            do: 'pay',
            transfer: TRANSFER_COUNT + index,
            card: 'pm_card_visa',
            slowly: false,
            stays: true,
          }),
        )
    return answers
  }

  async function step(asked: Step): Promise<string> {
    switch (asked.do) {
      case 'pay': {
        // Saved cards are shown only when the form opens, so open it again for a payment that uses them.
        const preparing =
          secrets.has(asked.transfer) && !asked.kept
            ? ''
            : `${await callAbout({ do: 'start', transfer: asked.transfer })}, `
        const id = secrets.get(asked.transfer)
        if (!id) return preparing
        world.sandbox.stripe.setSlowNetworks(asked.slowly)
        const answer = await confirm(asked.transfer, id, asked)
        world.sandbox.stripe.setSlowNetworks(false)
        const paid = `${preparing}${typeof answer === 'object' ? answer.status : answer}`
        if (!asked.stays || typeof answer !== 'object' || answer.status !== 'succeeded') return paid
        return `${paid}, ${await callAbout({ do: 'record', transfer: asked.transfer })}`
      }
      case 'bank decides': {
        const id = secrets.get(asked.transfer)
        if (!id || !isProcessing(id)) return 'nothing to decide'
        world.sandbox.stripe.finishProcessing(id)
        return 'done'
      }
      case 'wait':
        world.pass(asked.ms)
        return ''
      case 'mtn':
        return stepOfMtn(asked.what)
      case 'by hand':
        return hands.step(asked.what)
      case 'list':
        return stepOfList(asked.what)
      case 'other deployment':
        return otherDeployment()
      case 'supplier':
        await supply(asked.invoice, SUPPLIER_CHANGES[asked.change](INVOICES[asked.invoice]))
        return asked.tried ? (await tryToPay(asked.invoice)).join(', ') : ''
      case 'declines': {
        const answers: string[] = []
        for (let n = 0; n < asked.times; n += 1)
          answers.push(
            await step({
              do: 'pay',
              transfer: asked.transfer,
              card: 'pm_card_visa_chargeDeclined',
              slowly: false,
            }),
          )
        return answers.join(' ')
      }
      case 'operator refunds':
        return refundByHand(asked.transfer, asked.part)
      case 'bank':
        return dispute(asked.transfer, asked.what)
      case 'account is deleted':
        await world.context.db.doc(`users/${uids[asked.person]}`).delete()
        return ''
      case 'comes back':
        return comeBack(asked.person)
      case 'moves number':
        return moveNumber(asked.person)
      case 'identity':
        return decideIdentity(uids[asked.person] ?? '', asked.becomes)
      case 'operator':
        await OPERATOR[asked.what](world.context, uids[asked.person] ?? '', OPERATOR_PAUSE_CAUSE)
        return ''
      default:
        return call(asked)
    }
  }

  async function confirm(index: number, id: string, { card, kept }: Pick<Payment, 'card' | 'kept'>) {
    if (!kept) return world.pay(id, card)
    const opened = forms.get(index)
    const form = opened ? await openCardForm(world, opened) : null
    const [saved] = form?.cards ?? []
    for (const { customer } of form?.cards ?? [])
      expect(ownerOfCustomer(customer), 'the users whose cards are shown').toBe(getOwner(index))
    if (kept === 'removes' && saved) expect([200, 404]).toContain(await form?.remove(saved.id))
    const answer =
      kept === 'chooses' && form && saved
        ? await form.pay(id, saved.id)
        : kept === 'saves'
          ? await payAndSaveCard(world, id, card)
          : await world.pay(id, card)
    if (typeof answer !== 'object' || answer.status !== 'requires_action') return answer
    const { status } = await answerThreeDSecure(world, answer)
    return { status }
  }

  const ownerOfCustomer = (customer: Stripe.PaymentMethod['customer']) =>
    world.sandbox.stripe.customers().find(({ id }) => id === customer)?.metadata.uid

  function checkGone() {
    for (const { id, customer } of world.sandbox.stripe.paymentMethods())
      expect(gone, `the customer who keeps the card ${id}`).not.toContain(ownerOfCustomer(customer) ?? '')
  }

  async function comeBack(who: 0 | 1): Promise<string> {
    const uid = uids[who] ?? ''
    const answer = await world.invoke('delete-account', {}, { token: await world.token(uid) })
    if (answer.status !== 200) return `${answer.status} ${answer.body.code}`
    gone.add(uid)
    goOnWith(who, await world.person({}, uid))
    return 'done'
  }

  async function moveNumber(who: 0 | 1): Promise<string> {
    goOnWith(who, await world.moveNumber(uids[who] ?? ''))
    return 'done'
  }

  function goOnWith(who: 0 | 1, account: string) {
    uids[who] = account
    accountsByPerson[who]?.push(account)
    checkouts.delete(who)
  }

  const getNumberKey = (accounts: readonly string[]) =>
    buildPersonKeys(world.context, world.getCaller(accounts.at(-1) ?? '')).slice(1)

  async function tellAll(to: World) {
    for (const event of world.sandbox.stripe.events()) expect((await to.deliver(event)).status).toBe(200)
  }

  // The other deployment must store and refund nothing of this one's payments.
  async function otherDeployment(): Promise<string> {
    const refunded = world.sandbox.stripe.refunds().length
    await tellAll(other)
    const swept = JSON.stringify((await other.invoke('due-work', {})).body)
    if (isAlone) {
      const written = Object.keys(other.sandbox.firestore.documents())
      expect(written.filter((path) => !path.startsWith('settings/'))).toEqual([])
      expect(world.sandbox.stripe.refunds()).toHaveLength(refunded)
    }
    return swept
  }

  /** Charges that were refunded or disputed before their record, while no other step ran. */
  const reversed = new Set<string>()
  async function noteReversal(id: string) {
    const { transactions, invoicePayments } = await world.records()
    if (isAlone && !transactions.has(id) && !invoicePayments.has(id)) reversed.add(id)
  }

  function findIntent(index: number) {
    const key = buildAttemptKey(getOwner(index), findAttempt(index))
    return world.sandbox.stripe.paymentIntents().find(({ metadata }) => metadata.attemptKey === key)
  }

  /** In francs. */
  let funded = world.sandbox.mtn.balance()
  function fundMtn(amount: number) {
    world.sandbox.mtn.addBalance(amount)
    funded += amount
  }
  const checkMtn = (records: Records) =>
    checkMtnBooks(records, funded - world.sandbox.mtn.balance(), hands.wronglyGivenUp)

  function stepOfMtn(what: MtnStep): string {
    const { mtn } = world.sandbox
    if (what === 'is empty') fundMtn(-mtn.balance())
    if (what === 'is filled') fundMtn(100_000_000)
    if (what === 'ends tokens') mtn.endTokens()
    if (what === 'forgets reasons') mtn.removeFailureReasons()
    if (what === 'decides: arrived' || what === 'decides: failed')
      for (const { reference, status } of mtn.transfers())
        if (status === 'PENDING' || status === 'CREATED')
          mtn.decide(reference, what === 'decides: failed' ? 'PAYEE_NOT_FOUND' : null)
    return 'done'
  }

  const hands = createPayoutOperator(world)

  const decided = new Map<string, 'release' | 'refuse'>()

  async function stepOfList(what: 'fails' | 'works' | 'releases' | 'refuses'): Promise<string> {
    if (what === 'fails' || what === 'works') {
      list.fail(what === 'fails' ? 'missing' : null)
      return 'done'
    }
    const decision = what === 'releases' ? 'release' : 'refuse'
    for (const { id } of await findCases(world.context)) {
      const taken = await decideCase(world.context, id, decision)
      if (!taken?.isTaken) continue
      expect(decided.get(id), `the earlier decision about ${id}`).toBe(undefined)
      decided.set(id, decision)
    }
    return `${decided.size} decided`
  }

  /** Only a released transfer may leave us although its name is on the list, and none unsearched. */
  function checkScreened({ deliveries }: Records) {
    if (!screens) return
    for (const [id, { state, sentAt, batch, recipientName, lifted, holds }] of deliveries) {
      const isReleased = decided.get(id) === 'release'
      expect(lifted.includes('screening'), `${id} is released`).toBe(isReleased)
      if (isReleased)
        expect(holds, `the causes that hold ${id}, which is released`).not.toContain('screening')
      if (decided.get(id) === 'refuse')
        expect(['failed', 'paidBack', 'handingOver'], `the state of ${id}, which is refused`).toContain(state)
      if (recipientName !== LISTED_NAME || isReleased) continue
      const left = { sentAt, batch, isDelivered: state === 'delivered' }
      expect(left, `how ${id}, whose name is on the list, has left us`).toEqual({
        ...{ sentAt: null, batch: null, isDelivered: false },
      })
    }
  }

  /** Includes charges that were reversed only in part. */
  const reversedCharges = () => {
    const { stripe } = world.sandbox
    const back = stripe
      .refunds()
      .flatMap(({ payment_intent: id, status }) => (status === 'failed' ? [] : [id]))
    const contested = stripe.charges().flatMap(({ payment_intent: id, disputed }) => (disputed ? [id] : []))
    return new Set([...back, ...contested])
  }

  /** No payout may have a reversed charge, or a warning or review that no operator has lifted. */
  function watchPayouts(): (records: Records) => void {
    if (!payOut) return () => {}
    // Completes due refunds now, because otherwise the next call would change the state of a failing one.
    world.sandbox.stripe.runDueBilling()
    const before = new Set(world.takenPayouts().map(({ reference }) => reference))
    const reversed = reversedCharges()
    const doubts = world.doubts()
    list.begin()
    return ({ deliveries }: Records) => {
      for (const { reference, transferId } of world.takenPayouts()) {
        if (before.has(reference)) continue
        const isReleased = decided.get(transferId) === 'release'
        if (screens && !isReleased)
          expect(list.wasUsable(), `${transferId} is paid out with a list that can be used`).toBe(true)
        expect(reversed.has(transferId), `${transferId} is paid out after its charge was reversed`).toBe(
          false,
        )
        const { lifted = [] } = deliveries.get(transferId) ?? {}
        const open = (doubts.get(transferId) ?? []).filter((cause) => !lifted.includes(cause))
        expect(open, `reasons not to pay ${transferId} out`).toEqual([])
      }
    }
  }

  const contested = new Map<string, string>()

  // The pause holds under the payer's account and number until an operator or the bank lifts it.
  function checkStopped({ restrictions }: Records) {
    for (const [cause, intentId] of contested) {
      if (world.sandbox.stripe.disputes().some(({ id, status }) => id === cause && status === 'won')) continue
      const uid = world.sandbox.stripe.paymentIntents().find(({ id }) => id === intentId)?.metadata.uid ?? ''
      const accounts = accountsByPerson.find((some) => some.includes(uid)) ?? []
      for (const name of [uid, ...getNumberKey(accounts)]) {
        const { open = [], lifted = [] } = restrictions.get(name) ?? {}
        expect([...open, ...lifted], `the causes that stop ${name}, whose charge is disputed`).toContain(
          cause,
        )
      }
    }
  }

  /** Prefers this payment, and falls back to the first succeeded one of any other. */
  function chargedIntent(index: number) {
    const every = [index, ...Array.from({ length: TRANSFER_COUNT + INVOICE_COUNT }, (_, one) => one)]
    return every.map(findIntent).find((intent) => intent?.status === 'succeeded')
  }

  async function refundByHand(index: number, isPart: boolean): Promise<string> {
    const intent = chargedIntent(index)
    if (!intent) return 'nothing to refund'
    const byHand = crypto.randomUUID()
    return world.context.stripe.refunds
      .create(
        { payment_intent: intent.id, metadata: { byHand }, ...(isPart && { amount: 500 }) },
        { idempotencyKey: `hand:${byHand}` },
      )
      .then(
        async () => {
          await noteReversal(intent.id)
          return 'done'
        },
        ({ code }) => `refused: ${code}`,
      )
  }

  async function dispute(index: number, what: BankStep): Promise<string> {
    const { stripe } = world.sandbox
    const intent = chargedIntent(index)
    if (!intent) return 'nothing to dispute'
    if (what === 'warns') {
      contested.set(stripe.raiseFraudWarning(intent.id), intent.id)
      return 'done'
    }
    if (what === 'approves') {
      const review = stripe.reviews().find(({ open, payment_intent: id }) => open && id === intent.id)
      if (!review) return 'nothing to approve'
      await world.context.stripe.reviews.approve(review.id)
      return 'done'
    }
    if (what === 'disputes') {
      const begun = stripe.dispute(intent.id)
      if (begun) contested.set(begun, intent.id)
      if (stripe.charges().some(({ id, disputed }) => id === intent.latest_charge && disputed))
        await noteReversal(intent.id)
      return 'done'
    }
    if (what === 'gives it back' || what === 'gives a part back') {
      const lost = stripe
        .disputes()
        .find(({ payment_intent: id, status }) => id === intent.id && status === 'lost')
      if (!lost) return 'nothing to give back'
      stripe.returnDisputedFunds(lost.id, what === 'gives a part back' ? 400 : undefined)
      return 'done'
    }
    const open = stripe
      .disputes()
      .find(({ payment_intent: id, status }) => id === intent.id && status === 'needs_response')
    if (!open) return 'nothing to decide'
    const said = what === 'is convinced' ? 'winning_evidence' : 'losing_evidence'
    await world.context.stripe.disputes.update(open.id, { evidence: { uncategorized_text: said } })
    return 'done'
  }

  // The bank may have returned a refund, and a later refund may be ours.
  const isReversed = (id: string) =>
    world.sandbox.stripe
      .refunds()
      .some(
        ({ payment_intent: of, status, metadata }) => of === id && status !== 'failed' && metadata.byHand,
      ) || world.sandbox.stripe.disputes().some(({ payment_intent: of }) => of === id)

  function checkReversals({ transactions, invoicePayments }: Records) {
    for (const id of reversed) {
      const isRecorded = transactions.has(id) || invoicePayments.has(id)
      // A recorded charge that is no longer reversed may be disputed again, so the check ends.
      if (isRecorded && !isReversed(id)) reversed.delete(id)
      else if (isReversed(id)) expect(isRecorded, `${id} is recorded`).toBe(false)
    }
  }

  const isProcessing = (id: string) =>
    world.sandbox.stripe.paymentIntents().some((intent) => intent.id === id && intent.status === 'processing')

  let isAlone = true
  async function act(action: Action): Promise<string> {
    isAlone = action.do !== 'meanwhile' && action.do !== 'together'
    switch (action.do) {
      case 'dies': {
        const { context, life } = createCrashingContext(world.context, action.step, action.moment)
        const answer = await call(action.call, context)
        return life.hasCrashed ? `${answer} (dead)` : answer
      }
      case 'meanwhile': {
        const answers: string[] = []
        if (action.paid && 'transfer' in action.call)
          answers.push(
            await step({ do: 'pay', transfer: action.call.transfer, card: 'pm_card_visa', slowly: false }),
          )
        const note = (work: Promise<string>) => work.then((answer) => void answers.push(answer))
        await world.interrupted(
          action.request,
          () => note(call(action.call)),
          () => note(step(action.other)),
        )
        return answers.join(' | ')
      }
      case 'together':
        return (await Promise.all(action.calls.map((one) => call(one)))).join(' | ')
      case 'fails': {
        world.sandbox.faults.add(action.fault)
        const answer = await call(action.call)
        world.sandbox.faults.reset()
        return answer
      }
      default:
        return step(action)
    }
  }

  function checkAllowances({ attempts, users }: Records) {
    for (const uid of accountsByPerson.flat()) {
      const { tier, lastReset, transactionsLeft } = parseSubscription(users.get(uid))
      if (!users.has(uid) || tier === null || lastReset === null) continue
      const taken = [...attempts.values()].filter(
        (attempt) => attempt.uid === uid && attempt.slotPeriod === lastReset,
      )
      const ofPeriod = (of: string) => taken.filter(({ status }) => status === of).length
      // Only transfers at this plan's price, or with a coupon, were taken from its allowance.
      for (const { attemptId, transfer } of taken)
        expect(['coupon', tier], `the price of ${attemptId}, taken from ${tier}`).toContain(
          transfer.quote.feeRule,
        )
      const first = firstPeriods.get(uid)
      const isFirst = lastReset === first?.lastReset && tier === first.tier
      const allowance = isFirst ? first.transactionsLeft : PLANS[tier].allowance
      expect((transactionsLeft ?? 0) + ofPeriod('recorded'), `the allowance of ${uid}`).toBe(allowance)
      expect(ofPeriod('reserved'), `reserved transfers of ${uid}`).toBeLessThanOrEqual(transactionsLeft ?? 0)
    }
  }

  /** A person's use of a month is the sum of their accounts, and is kept until some time after the month. */
  function checkCapUses({ ledgers, capUses }: Records) {
    for (const accounts of accountsByPerson)
      for (const month of new Set([...ledgers.values()].map((ledger) => ledger.month))) {
        const ledgersOfMonth = [...ledgers.values()].filter(
          (ledger) => ledger.month === month && accounts.includes(ledger.uid),
        )
        if (ledgersOfMonth.length === 0) continue
        const cents = (of: 'recordedCents' | 'reservedCents') =>
          ledgersOfMonth.reduce((sum, ledger) => sum + ledger[of], 0)
        const own = { recordedCents: cents('recordedCents'), reservedCents: cents('reservedCents') }
        const [uid = ''] = accounts
        const within = `EUR cents that ${accounts.join(' and ')} took in ${month}`
        expect(own.recordedCents + own.reservedCents, within).toBeLessThanOrEqual(MONTHLY_CAP_CENTS)
        for (const person of getNumberKey(accounts)) {
          const used = capUses.get(person)?.months[month]
          const isOver = getMonthRange(month).end <= world.now() - 6 * HOUR
          if (used || !isOver) expect(used, `the cap of ${uid} in ${month}`).toEqual(own)
        }
      }
  }

  /** A recipient's use of a month is the sum of the transfers that were not called off. */
  function checkRecipientUses({ attempts, deliveries, capUses }: Records) {
    const uses = new Map<string, number>()
    for (const { phone, attemptKey, state } of deliveries.values()) {
      const attempt = attempts.get(attemptKey)
      if (!attempt) continue
      const name = `${getRecipientKey(world.context, phone)}_${attempt.month}`
      const isCalledOff = ['failed', 'canceled', 'paidBack'].includes(state)
      if (getMonthRange(attempt.month).end > world.now() - 6 * HOUR)
        uses.set(name, (uses.get(name) ?? 0) + (isCalledOff ? 0 : attempt.capCents))
    }
    const getRecordedCents = (name: string) => {
      const [key = '', month = ''] = name.split('_')
      return capUses.get(key)?.months[month]?.recordedCents
    }
    for (const [name, cents] of uses) expect(getRecordedCents(name), `EUR cents sent to ${name}`).toBe(cents)
  }

  function checkSlots({ attempts }: Records) {
    for (const { month, slotPeriod, attemptId } of attempts.values())
      if (slotPeriod !== null)
        expect(month >= toMonth(slotPeriod), `the month of ${attemptId} and of its allowance`).toBe(true)
  }

  function checkDuplicates({ attempts, transactions }: Records) {
    const kept = [...attempts.values()].filter(({ status }) => status === 'reserved' || status === 'recorded')
    const wasAsked = (attempt: TransferAttempt, about: TransferAttempt) =>
      (agreedTo.get(attempt.attemptId) ?? []).some(
        ({ id, at }) => id === about.attemptId || id === about.paymentIntentId || at >= about.createdAt,
      )
    for (const later of kept)
      for (const first of kept) {
        const isSame = first.uid === later.uid && first.transfer.phone === later.transfer.phone
        const { minor, currency } = first.transfer.gross
        const { gross } = later.transfer
        if (first === later || !isSame || minor !== gross.minor || currency !== gross.currency) continue
        const paid = transactions.get(first.paymentIntentId ?? '')
        const paidAt = paid ? parseDumpedTransaction(paid).settledAt : null
        const isLong = paidAt !== null && later.createdAt - paidAt > DUPLICATE_PERIOD
        // Within the possible difference between two servers' clocks, either may be the later one.
        const isAbout = later.createdAt - first.createdAt <= MINUTE
        if (first.createdAt > later.createdAt || isLong) continue
        const isAsked = wasAsked(later, first) || (isAbout && wasAsked(first, later))
        expect(isAsked, `asked about ${first.attemptId} before ${later.attemptId}`).toBe(true)
      }
  }

  function checkIssued({ invoices }: Records) {
    for (const [id, invoice] of issued)
      expect(invoices.get(id), `the supplier's record of ${id}`).toEqual(invoice)
  }

  function checkHolds({ invoiceAttempts, invoiceClaims }: Records) {
    for (const [key, { status, invoice }] of invoiceAttempts) {
      const holder = invoiceClaims.get(`${invoice.supplier}_${invoice.reference}`)?.heldBy
      if (status === 'reserved') expect(holder, 'the attempt that holds the invoice').toBe(key)
    }
  }

  // The sums with and without the index must equal the ledger.
  async function checkSums({ ledgers }: Records) {
    for (const { uid, month, recordedCents } of ledgers.values()) {
      const sum = () => sumMonthlyTransfers(world.context, uid, month)
      expect(await sum(), `the sum of ${uid} for ${month}`).toBe(recordedCents)
      world.sandbox.faults.add({ on: `${FIRESTORE}:runQuery`, times: 1, what: { kind: 'noIndex' } })
      expect(await sum(), `the sum of ${uid} for ${month} without the index`).toBe(recordedCents)
    }
  }

  async function checkReconciliation() {
    const days = new Set(
      world.sandbox.stripe.charges().map(({ created }) => Math.floor((created * 1000) / DAY) * DAY),
    )
    for (const day of days) {
      const { discrepancies } = await reconcileDay(world.context, day)
      expect(discrepancies, `the discrepancies in the books of ${new Date(day).toISOString()}`).toEqual([])
    }
  }

  /** Banks decide later without an event, and the job asks about refunds once a day. */
  async function passDaysOfRefunds() {
    const { stripe } = world.sandbox
    if (stripe.refunds().length + stripe.disputes().length === 0) return
    for (let days = 0; days < 2; days += 1) {
      world.pass(DAY)
      await runJob('a day later')
    }
  }

  /** The job asks about an open payout at least once an hour. */
  async function passTimeOfPayouts() {
    for (let hours = 0; hours < 5 && (await isPayoutOpen()); hours += 1) {
      stepOfMtn('decides: arrived')
      world.pass(HOUR)
      await runJob('an hour later')
    }
  }

  /** Only MTN's callback tells that a payout arrived after it was given up. */
  async function learnLateArrivals() {
    stepOfMtn('decides: arrived')
    world.pass(HOUR)
    for (const externalId of hands.wronglyGivenUp)
      await world.invoke('delivery-callback', { externalId, status: 'SUCCESSFUL' })
    const { deliveries } = await world.records()
    for (const { transferId, state } of world.takenPayouts())
      if (hands.wronglyGivenUp.has(transferId) && state.kind === 'delivered')
        expect(deliveries.get(transferId)?.deliveredAt, `when ${transferId} arrived`).not.toBe(null)
  }

  const isPayoutOpen = async () =>
    [...(await world.records()).deliveries.values()].some(({ checkAt }) => checkAt !== null)

  async function runJob(when: string) {
    const { body } = await inTime(() => world.invoke('due-work', {}))
    history.push(`${when}  →  ${JSON.stringify(body)}`)
    expect(world.ended, 'functions that took longer than their host lets them').toEqual([])
  }

  /** Without faults, one hour of the job is enough for everything that is due. */
  async function passHourOfJob() {
    stepOfMtn('is filled')
    let quarters = 0
    for (; quarters < 2 || (quarters < 4 && findDueDocuments(world).length > 0); quarters += 1) {
      stepOfMtn('decides: arrived')
      await runJob('a quarter of an hour later')
      world.pass(15 * MINUTE)
    }
    world.pass((4 - quarters) * 15 * MINUTE)
    checkLiveness(world)
  }

  return {
    history,
    async act(action: Action) {
      world.pass(1000)
      const line = history.push(JSON.stringify(action)) - 1
      const checkPayouts = watchPayouts()
      history[line] += `  →  ${await inTime(() => act(action))}`
      expect(world.ended, 'functions that took longer than their host lets them').toEqual([])
      const { wronglyGivenUp } = hands
      const records = await world.checkInvariants({ wronglyGivenUp, requests: world.providerRequests })
      checkPayouts(records)
      checkMtn(records)
      checkAllowances(records)
      checkHolds(records)
      checkDuplicates(records)
      checkIssued(records)
      checkSlots(records)
      checkCapUses(records)
      checkRecipientUses(records)
      checkIdentities(records)
      checkPlans(records)
      checkReversals(records)
      checkCanceled(records)
      checkScreened(records)
      hands.check(records)
    },
    async untilIdle() {
      world.sandbox.faults.reset()
      for (const { id } of world.sandbox.stripe.paymentIntents())
        if (isProcessing(id)) world.sandbox.stripe.finishProcessing(id)
      world.pass(quietFor)
      history.push(`${quietFor / MINUTE} minutes later`)
      list.fail(null)
      await passHourOfJob()
      if (payOut) await passTimeOfPayouts()
      await passDaysOfRefunds()
      const { wronglyGivenUp } = hands
      await learnLateArrivals()
      const told = { requests: world.providerRequests, wronglyGivenUp }
      const records = await world.checkInvariants({ ...told, quiet: true })
      checkMtn(records)
      checkStripeBooks(records, world.sandbox.stripe)
      checkAllowances(records)
      checkReversals(records)
      checkScreened(records)
      for (const [id, { holds }] of records.deliveries)
        expect(holds, `the causes that hold ${id}, with a list that can be used`).not.toContain(
          'screeningList',
        )
      checkGone()
      checkStopped(records)
      await checkSums(records)
      await checkReconciliation()
    },
  }
}

const OPERATOR = { stops: pausePayments, 'lets pay': liftPause }

const RECIPIENTS = {
  GN: { recipientPhone: '+224620000000', receivingMethod: 'orange_money' },
  FR: { recipientPhone: '+33612345678', receivingMethod: 'wero' },
  CA: { recipientPhone: '+15145550100', receivingMethod: 'interac' },
} satisfies Record<CountryCode, object>

const FORGERIES = {
  unsigned: () => ({ secret: 'whsec_somebody_else' }),
  stale: (now: number) => ({ signedAt: now - 10 * MINUTE }),
  future: (now: number) => ({ signedAt: now + 10 * MINUTE }),
}

function subscriptionFor(
  { plan, left, endsAfter, refilled }: Payer,
  startsAt: number,
): Partial<Subscription> {
  if (!plan) return {}
  const lastReset = refilled === 'this month' ? startsAt - HOUR : startsAt - 40 * DAY
  return {
    tier: plan,
    status: endsAfter === null ? 'active' : 'canceled',
    transactionsLeft: left,
    startDate: startsAt - 60 * DAY,
    lastReset,
    cancelAt: endsAfter === null ? null : startsAt + endsAfter,
  }
}
