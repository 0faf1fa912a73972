// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources are quoted here, not evaluated
// Mistakes that somebody could make in the functions and their rules: `npm run test:money:bugs` puts them in, one after the other.
import type { Mistake, Replacement } from './mistake.ts'

const replace = (file: string, from: string, to: string): Replacement => ({
  file: `netlify/server/${file}`,
  from,
  to,
})

/** In the machine of deliveries. */
const inMachine = (from: string, to: string): Replacement => ({ file: 'machines/delivery.ts', from, to })

const BUGS: Readonly<Record<string, readonly Replacement[]>> = {
  'the amount is not reserved': [
    replace('payments/transferReservations.ts', 'tx.set(monthly, withReservation(ledger, made))', ''),
  ],
  'a transfer is stored under the id of the event that told of it': [
    replace(
      'operations/events.ts',
      'await settle(context, current)',
      'await settle(context, current, event.id)',
    ),
    replace(
      'payments/settlement.ts',
      'export async function settle(context: Context, intent: AttemptIntent)',
      'export async function settle(context: Context, intent: AttemptIntent, documentId = intent.id)',
    ),
    replace(
      'payments/settlement.ts',
      'await settlementOf(context, intent)',
      'await settlementOf(context, intent, documentId)',
    ),
    replace(
      'payments/settlement.ts',
      'async function settlementOf(context: Context, intent: AttemptIntent)',
      'async function settlementOf(context: Context, intent: AttemptIntent, documentId: string)',
    ),
    replace(
      'payments/settlement.ts',
      'return settleCharge(context, intent)',
      'return settleCharge(context, intent, documentId)',
    ),
    replace(
      'payments/settlement.ts',
      'async function settleCharge(context: Context, intent: AttemptIntent)',
      'async function settleCharge(context: Context, intent: AttemptIntent, documentId: string)',
    ),
    replace(
      'payments/settlement.ts',
      'const charge = await recordOrOwe(context, intent)',
      'const charge = await recordOrOwe(context, intent, documentId)',
    ),
    replace(
      'payments/settlement.ts',
      'function recordOrOwe(context: Context, intent: AttemptIntent)',
      'function recordOrOwe(context: Context, intent: AttemptIntent, documentId: string)',
    ),
    replace(
      'payments/settlement.ts',
      'const record = paidRecord(db, kind, intent.id)',
      'const record = paidRecord(db, kind, documentId)',
    ),
  ],
  'a transfer is settled without a database transaction': [
    replace(
      'payments/settlement.ts',
      'return db.runTransaction(async (tx): Promise<Charge> => {',
      `const tx = db.batch() as unknown as FirebaseFirestore.Transaction
  tx.getAll = (...refs: unknown[]) => db.getAll(...(refs as FirebaseFirestore.DocumentReference[])) as never
  const together = async (work: (tx: FirebaseFirestore.Transaction) => Promise<Charge>) => {
    const charge = await work(tx)
    await (tx as unknown as FirebaseFirestore.WriteBatch).commit()
    return charge
  }
  return together(async (tx): Promise<Charge> => {`,
    ),
  ],
  'a refund is asked for without an idempotency key': [
    replace(
      'payments/refunds.ts',
      "{ idempotencyKey: ['refund', paymentIntentId, rest, ...Object.values(before)].join(':') },",
      '',
    ),
  ],
  'a refund that is pending counts as paid back': [
    replace('payments/refunds.ts', "standing.every(({ status }) => status === 'succeeded')", 'true'),
  ],
  'a refund that failed counts as paid back': [
    replace('payments/refunds.ts', "status !== 'failed' && status !== 'canceled'", "status !== 'canceled'"),
  ],
  'a refund that fails after it succeeded is not heard of': [
    replace('operations/events.ts', 'await checkRefund(context, id)', ''),
    replace('endpoints/sweep.ts', 'checkRefund(context, id)', "Promise.resolve('refundChecked')"),
  ],
  'a refund that failed is followed by none': [
    replace(
      'payments/refunds.ts',
      "['refund', paymentIntentId, rest, ...Object.values(before)].join(':')",
      '`refund:${paymentIntentId}:${rest}`',
    ),
  ],
  'a refund that was refused is asked for under the same key for a day': [
    replace('payments/refunds.ts', 'refusals: refusals + 1', 'refusals'),
  ],
  'what a person used of the cap is not given back': [
    replace('payments/transferReservations.ts', 'uses.giveBack(capCents)', ''),
  ],
  'a payment that began in the old month takes a transfer of the new one': [
    replace(
      'payments/transferReservations.ts',
      'const createdAt = countsAt(stored, now())',
      'const createdAt = now()',
    ),
  ],
  'the same transfer is begun twice without a question': [
    replace('payments/transferReservations.ts', 'if (duplicate) return err(sentAlready(duplicate))', ''),
  ],
  'an invoice is not reserved': [
    replace(
      'payments/invoiceReservations.ts',
      'writeClaim(tx, db, lookup, { ...claim, heldBy: key, holders })',
      '',
    ),
  ],
  'an invoice is paid again when its supplier writes it again': [
    replace('payments/invoiceStanding.ts', 'paymentOfSame(dueDate, payments)', 'null'),
  ],
  'an invoice that was paid is paid again with another date': [
    replace(
      'payments/invoiceStanding.ts',
      'paymentOfSame(dueDate, payments)',
      'payments.find((payment) => payment.dueDate === dueDate) ?? null',
    ),
  ],
  'a supplier finds what the product wrote in an invoice': [
    replace(
      'payments/invoiceReservations.ts',
      'const allowed = claim.allowed.filter',
      "tx.set(db.doc(`invoices/${invoice.supplier}_${invoice.reference}`), { status: 'paid' }, { merge: true })\n      const allowed = claim.allowed.filter",
    ),
  ],
  'a charge that was refunded by hand is recorded': [
    replace('payments/reversals.ts', "return refunded > 0 ? 'refundedByHand' : null", 'return null'),
  ],
  'a charge that is disputed is recorded': [
    replace('payments/reversals.ts', "if (disputed) return 'disputed'", ''),
  ],
  'a charge is paid back while its dispute is open': [
    replace('payments/refunds.ts', "disputes.some(isOpen) ? 'disputed' : 'owed'", "'owed'"),
  ],
  'what was refunded by hand is paid back once more': [
    replace('payments/refunds.ts', 'charge.amount_captured - total(standing)', 'charge.amount_captured'),
  ],
  'somebody whose payments are paused begins another': [
    replace('payments/mayPay.ts', 'pause && pause.open.length > 0', 'pause && pause.open.length > 99'),
  ],
  'a dispute that is won is not heard of': [
    replace('payments/refunds.ts', "outcome === 'disputed' || (outcome", '(outcome'),
    replace('operations/events.ts', 'await checkRefund(context, intent.id)', ''),
  ],
  'somebody with a plan may pay for another': [
    replace(
      'endpoints/createSubscription.ts',
      "if (plan?.billed && isLive(plan.billed)) return err(refusal('planActive'))",
      '',
    ),
  ],
  "a plan's transfer is not reserved": [
    replace(
      'payments/transferReservations.ts',
      'subscription: allowanceFor(subscription, ledger, createdAt)',
      'subscription',
    ),
  ],
  'a reservation is given back before the provider confirmed the cancellation': [
    replace(
      'payments/release.ts',
      'const intent = await cancel(context, id)',
      'await freeReservation(context, key, id)\n  const intent = await cancel(context, id)',
    ),
  ],
  'a payment that waits for the bank counts as paid': [
    replace(
      'payments/settlement.ts',
      "if (status === 'succeeded')",
      "if (status === 'succeeded' || status === 'requires_action')",
    ),
  ],
  'a charge that can not be recorded is kept': [
    replace('payments/settlement.ts', "if (status !== 'due')", "if (status === 'due')"),
    replace('endpoints/sweep.ts', 'payBack(context, id)', "Promise.resolve('refundPending')"),
  ],
  'an attempt has another idempotency key each time': [
    replace(
      'payments/intents.ts',
      '{ idempotencyKey: `intent:${key}` }',
      '{ idempotencyKey: `intent:${key}:${Math.random()}` }',
    ),
  ],
  'a webhook may be dated in the future': [
    replace('endpoints/stripeWebhook.ts', '> now() + TOLERANCE_SECONDS * 1000', '> Number.MAX_VALUE'),
  ],
  'what another deployment has made is taken for our own': [
    replace('platform/metadata.ts', 'return isAttempt && madeBy === deployment', 'return isAttempt'),
  ],
  'a charge that nobody knows goes back': [
    replace(
      'payments/settlement.ts',
      "const close = await closeIn(context, tx, 'unknownPayment')",
      "if (1) return owe('attemptEnded')\n      const close = await closeIn(context, tx, 'unknownPayment')",
    ),
    replace('payments/refunds.ts', "if (!(await mayTrustRecords(context))) return 'refundWaits'", ''),
  ],
  'anybody may ask about any payment': [
    replace(
      'endpoints/recordTransfer.ts',
      "if (intent.metadata.uid !== uid) return err(refusal('forbidden'))",
      '',
    ),
    replace('platform/records.ts', 'update(`${uid}:${attemptId}`)', 'update(attemptId)'),
  ],
  'after a restore a transfer of the plan before is taken from the new one': [
    replace(
      'payments/transferReservations.ts',
      'return isPricedByIt && slotPeriod !== null',
      'return slotPeriod !== null',
    ),
  ],
  'after a restore a transfer of the plan before is known by its instant alone': [
    replace(
      'payments/transferReservations.ts',
      'periodAfterRestore(forgotten.slotPeriod, stored) : null',
      'periodAfterRestore(forgotten.slotPeriod, stored) : forgotten.slotPeriod',
    ),
  ],
  'after a restore more is taken from a plan than it has': [
    replace('payments/transferReservations.ts', 'isUsedUp ? null : ofPlan', 'ofPlan'),
  ],
  'after a restore two charges pay one invoice': [
    replace(
      'payments/invoiceReservations.ts',
      'claim.heldBy === null && !paymentInTheWay(attempt.invoice.dueDate, standing)\n',
      'claim.heldBy === null\n',
    ),
  ],
  'after a restore what was owed is sent': [
    replace(
      'payments/reversals.ts',
      "if (refunds?.data.some(({ metadata }) => metadata?.deployment === deployment)) return 'owedBefore'",
      '',
    ),
  ],
  'after a restore the debt of a plan is forgotten': [
    replace('operations/rebuild.ts', 'await oweAgain(context, since)', ''),
  ],
  'after a restore a use of the cap that is forgotten begins anew': [
    replace('payments/capUses.ts', '(isBegun && !isForgotten)', 'isBegun'),
  ],
  'the cap counts for an account, and not for who has it': [
    replace(
      'platform/persons.ts',
      'return [uid, ...proven.map((name) => pseudonym(`person:${name}`))]',
      'return [uid]',
    ),
  ],
  'who deletes the account is not stopped any more': [
    replace(
      'operations/pauses.ts',
      'await pausePaying(context, payer.uid, cause, payer.known)',
      'await pausePaying(context, payer.uid, cause)',
    ),
  ],
  "a bank's warning is not heard of": [
    replace('operations/events.ts', 'return followWarning(context, event.data.object)', 'return'),
  ],
  'anybody may end any plan': [
    replace(
      'plans/plans.ts',
      "owner === uid ? ok(subscription) : err(refusal('forbidden'))",
      'ok(subscription)',
    ),
  ],
  'the allowances of two plans are known by one instant': [
    {
      file: 'domain/plans.ts',
      from: 'Math.max(startedAt, filledBefore + 1)',
      to: 'startedAt + (startedAt === filledBefore ? 1 : 0)',
    },
  ],
  'the account that goes leaves its cards at the provider': [
    replace('endpoints/deleteAccount.ts', '  await removeCards(context, uid)\n', ''),
  ],
  'everybody is the same customer': [
    replace(
      'platform/customers.ts',
      'const ref = customers(db).doc(uid)\n  const known',
      "const ref = customers(db).doc('everybody')\n  const known",
    ),
  ],
  'a transfer is recorded without a delivery order': [
    replace(
      'payments/settlement.ts',
      "promised.kind === 'transfer'\n        ? beginDelivery",
      "promised.kind === 'transfer' && !uid\n        ? beginDelivery",
    ),
  ],
  'a transfer has a delivery order although nobody pays out': [
    replace('payments/deliveryOrders.ts', 'if (providers.length === 0) return null\n', ''),
  ],
  'what nobody answered is sent again unasked, with another reference': [
    inMachine(
      "on: {\n        'order.look': { actions: 'ask' },\n        'payout.unknown': [",
      "on: {\n        'order.look': { actions: ['noteSent', 'send'] },\n        'payout.unknown': [",
    ),
    replace(
      'payments/deliveryOrders.ts',
      'referenceOf(id, next.attempt)',
      'referenceOf(id, next.sentAt ?? 0)',
    ),
  ],
  'what nobody answered is called failed': [
    replace(
      'payments/deliver.ts',
      "    case 'silent':\n      return null",
      "    case 'silent':\n      return { type: 'payout.failed', failure: 'rejected' }",
    ),
  ],
  'what can not be paid out is not owed back': [replace('payments/deliver.ts', '    owe?.()\n', '')],
  'what can not be paid out is owed back, and called completed': [
    replace('payments/undelivered.ts', "    tx.update(transactions(db).doc(id), { status: 'failed' })\n", ''),
  ],
  'what is given back keeps its part of the cap': [
    replace(
      'payments/transferReservations.ts',
      'recordedCents: Math.max(0, ledger.recordedCents - capCents) })',
      'recordedCents: ledger.recordedCents })',
    ),
  ],
  'what is given back keeps what the person used of the cap': [
    replace('payments/transferReservations.ts', '    uses.takeBack(capCents)\n', ''),
  ],
  'the plan’s transfer goes back to a later month': [
    replace(
      'payments/transferReservations.ts',
      'if (tier !== null && transactionsLeft !== null && slotPeriod !== null && slotPeriod === lastReset)',
      'if (tier !== null && transactionsLeft !== null && slotPeriod !== null)',
    ),
  ],
  'what was given back is paid out': [
    replace('payments/deliver.ts', "if (reversal !== null) return { type: 'charge.reversed', reversal }", ''),
  ],
  'what somebody has in hand is given back': [
    inMachine(
      `'order.giveUp': { target: 'failed', actions: ['noteFailure', 'owe'] },
        'charge.reversed': { actions: 'noteReversal' },`,
      `'order.giveUp': { target: 'failed', actions: ['noteFailure', 'owe'] },
        'charge.reversed': { target: 'failed', actions: ['noteReversal', 'owe'] },`,
    ),
  ],
  'what has arrived is given back': [
    inMachine(
      "'charge.reversed': { guard: 'isNewLoss', actions: ['noteLoss', 'alert'] },",
      "'charge.reversed': { target: 'failed', actions: ['noteReversal', 'owe'] },",
    ),
  ],
  'after a restore what was paid by hand is due': [
    replace('operations/rebuild.ts', '  await askAgain(context)\n', ''),
  ],
  'a try that failed counts although the next one was paid': [
    replace(
      'payments/deliver.ts',
      "return unlessSuperseded(api, next, { type: 'payout.failed', failure: state.failure }, now)",
      "return { type: 'payout.failed', failure: state.failure }",
    ),
  ],
  'after a restore what waits is given back unasked': [
    inMachine("        'order.restore': { target: 'handingOver', actions: 'noteSent' },\n", ''),
  ],
  'after a restore what is held is given back unasked': [
    inMachine(
      "'order.restore': [{ guard: 'isByHand', actions: 'addHold' }, { actions: 'noteSent' }],",
      "'order.restore': { guard: 'isByHand', actions: 'addHold' },",
    ),
  ],
  'after a restore what people may have paid is given back': [
    inMachine("          { guard: 'isHeldByRestore', actions: 'noteReversal' },\n", ''),
  ],
  'after a restore what people held, and paid since, waits for no word of theirs': [
    inMachine(
      "'order.restore': [{ guard: 'isByHand', actions: 'addHold' }, { actions: 'noteSent' }],",
      "'order.restore': { guard: 'hasApi', actions: 'noteSent' },",
    ),
  ],
  'news that a restored database hears before it is rebuilt give back what was paid': [
    replace('payments/deliver.ts', "!nextOf(order, event).todo.includes('owe')", 'order'),
  ],
  'after a restore what others gave back is owed before it is rebuilt': [
    replace(
      'payments/settlement.ts',
      "if (isByOthers && !isRestored && !(await mayTrustRecords(context))) return { outcome: 'undecided' }",
      '',
    ),
  ],
  'after a restore what others gave back is owed before anybody asks who pays out': [
    replace('payments/settlement.ts', '(isByOthers && isAskedAbout ? null : reversal)', 'reversal'),
  ],
  'after a restore what was begun before it counts as paid now': [
    replace(
      'operations/rebuild.ts',
      'paymentIntentId: intent.id, rebuilt: context.now()',
      'paymentIntentId: intent.id',
    ),
  ],
  'a review that begins before the record holds nothing': [
    replace('payments/reversals.ts', 'if (isOpen && !lifted.includes(review.id)) return review.id', ''),
  ],
  'a warning that comes before the record holds nothing': [
    replace(
      'payments/reversals.ts',
      'data.find((warning) => !lifted.includes(warning.id))?.id ?? null',
      'data.length > 99 ? id : null',
    ),
  ],
  'a hold that an operator lifted comes back': [
    inMachine(
      "lifted: [...lifted, ...over.filter((cause) => cause !== 'operator' && cause !== 'restored')],",
      'lifted,',
    ),
  ],
  'an operator is believed while the provider works on it': [
    inMachine('const ITS_OWN_FOR = 24 * 3_600_000', 'const ITS_OWN_FOR = 0'),
  ],
  'what a provider works on goes to another wallet': [
    inMachine(
      `description: 'The provider has it, and works on it.',
      on: {`,
      `description: 'The provider has it, and works on it.',
      on: {
        'order.redirect': { target: 'due', actions: 'goElsewhere' },`,
    ),
  ],
  'what goes to another wallet keeps its reference': [
    inMachine(
      "attempt: event.type === 'order.redirect' ? context.attempt + 1 : event.attempt,",
      "attempt: event.type === 'order.redirect' ? context.attempt : event.attempt,",
    ),
  ],
  'after a restore what was paid to another wallet goes to that of before': [
    replace('operations/rebuild.ts', 'await redirectAgain(context, id)', 'await id'),
  ],
  'where an order goes stands in the database alone': [
    replace(
      'payments/redirects.ts',
      '  if (untold.length > 0) await stripe.paymentIntents.update(id, { metadata: Object.fromEntries(untold) })\n',
      '',
    ),
  ],
  'after a restore what was in hand is there still, and was paid to another wallet': [
    inMachine(
      `'order.restore': { target: 'held', actions: ['addHold', 'dropBatch'] },
        'order.redirected': [...redirectedBefore],`,
      "'order.restore': { target: 'held', actions: ['addHold', 'dropBatch'] },",
    ),
  ],
  'after a restore what was in hand is there still, and another has paid it': [
    inMachine("        'order.restore': { target: 'held', actions: ['addHold', 'dropBatch'] },\n", ''),
  ],
}

/** Each is caught by a schedule of its own (netlify/testing/caught.ts). */
export const MONEY_MISTAKES: readonly Mistake[] = Object.entries(BUGS).map(([name, changes]) => ({
  name,
  changes,
  seenBy: [
    { file: 'netlify/money.test.ts', title: `nothing is wrong in the schedule that catches: ${name}` },
  ],
}))

/** The same, to be caught by any schedule that is drawn. */
export const toAnySchedule = (mistake: Mistake): Mistake => ({
  ...mistake,
  seenBy: [{ file: 'netlify/money.test.ts', title: 'any schedule of actions and faults' }],
})
