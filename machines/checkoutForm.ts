import type {
  Attempt,
  Checked,
  CheckoutContext,
  CheckoutEvent,
  CheckoutParts,
  CheckoutRules,
  Confirmation,
  Origin,
  PriceChange,
  ReserveAnswer,
} from './checkoutTypes.ts'

/** What the machine asks about its form: whether it is an order, at which price, and whether that was paid already. */
export function checkoutForm<Parts extends CheckoutParts>(rules: CheckoutRules<Parts>) {
  type Context = CheckoutContext<Parts>
  type Confirmed = Extract<CheckoutEvent<Parts>, { type: 'form.confirm' | 'again.confirm' }>

  /** The form at the price of that instant (UTC ms). */
  const checkAt = ({ draft, profile, attempt }: Context, at: number): Checked<Parts> =>
    rules.check(draft, profile, at, attempt?.order ?? null)

  /** How the price of the same form differs, null when it does not, or nothing can be paid. */
  const changeBetween = (before: Checked<Parts>, after: Checked<Parts>): PriceChange<Parts> | null =>
    before.ok && after.ok && rules.prices?.isSame(before.value, after.value) === false
      ? { before: before.value, after: after.value }
      : null

  const isOwnOrder = ({ attempt }: Context, order: Parts['order']) =>
    attempt !== null && rules.isSameOrder(attempt.order, order)

  /** What was paid a moment ago and is the same, other than by the attempt that is under way: that is charged once. */
  const duplicateIn = (
    context: Context,
    checked: Checked<Parts>,
    { recent, at }: Extract<Confirmed, { type: 'form.confirm' }>,
  ): Parts['duplicate'] | null => {
    if (!checked.ok || isOwnOrder(context, checked.value)) return null
    const others = recent.filter(({ id }) => id !== context.attempt?.id)
    return rules.duplicates?.find(checked.value, others, at) ?? null
  }

  return {
    checkAt,
    isOwnOrder,

    /** All that a press is about. The order is made here, and held until it is decided what follows. */
    confirm(context: Context, event: Confirmed): Confirmation<Parts> {
      // A price that was shown for a later moment, by newer news of the server, is not taken back.
      const at = Math.max(event.at, context.at)
      const checked = checkAt(context, at)
      return {
        attemptId: event.attemptId,
        at,
        checked,
        // Nobody is charged at another price than the one that stood there when they pressed.
        change: at === context.at ? null : changeBetween(checkAt(context, context.at), checked),
        // Who says 'yes, again' was asked.
        duplicate: event.type === 'form.confirm' ? duplicateIn(context, checked, event) : null,
      }
    },

    /** What follows from newer facts. What the person has not seen yet counts from what they saw last. */
    follow(context: Context, news: Partial<Context>): Partial<Context> {
      const next = { ...context, ...news }
      const change = changeBetween(checkAt(context, context.at), checkAt(next, next.at))
      if (!change) return news
      const before = context.change?.before ?? change.before
      return { ...news, change: rules.prices?.isSame(before, change.after) ? null : { ...change, before } }
    },

    /** Of a form that the device had: what was sent is never shown as one that was not. */
    originOf: (draft: Parts['draft'], attempt: Attempt<Parts> | null): Origin =>
      attempt && rules.isSameForm(attempt.draft, draft) ? 'attempt' : 'kept',

    refusedDuplicate: (answer: ReserveAnswer<Parts>): Parts['duplicate'] | null =>
      answer.ok ? null : (rules.duplicates?.refused(answer.error) ?? null),

    /** Without the attempt, and with what its order held. */
    freed: ({ profile, attempt }: Context) => ({
      attempt: null,
      profile: attempt && rules.prices ? rules.prices.free(profile, attempt.order) : profile,
    }),
  }
}
