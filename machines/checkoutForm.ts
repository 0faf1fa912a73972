import type {
  CheckedForm,
  CheckoutAttempt,
  CheckoutContext,
  CheckoutEvent,
  CheckoutParts,
  CheckoutRules,
  Confirmation,
  DraftOrigin,
  PriceChange,
  ReserveAnswer,
} from './checkoutTypes.ts'

export function createCheckoutForm<Parts extends CheckoutParts>(rules: CheckoutRules<Parts>) {
  type Context = CheckoutContext<Parts>
  type Confirmed = Extract<CheckoutEvent<Parts>, { type: 'form.confirm' | 'duplicate.confirm' }>

  /** `at`: UTC ms. */
  const checkAt = ({ draft, profile, attempt }: Context, at: number): CheckedForm<Parts> =>
    rules.check(draft, profile, at, attempt?.order ?? null)

  /** Null without a change, or if the form is invalid. */
  const findPriceChange = (
    before: CheckedForm<Parts>,
    after: CheckedForm<Parts>,
  ): PriceChange<Parts> | null =>
    before.ok && after.ok && rules.prices?.isSame(before.value, after.value) === false
      ? { before: before.value, after: after.value }
      : null

  const isOwnOrder = ({ attempt }: Context, order: Parts['order']) =>
    attempt !== null && rules.isSameOrder(attempt.order, order)

  /** Excludes the open attempt, which is charged only once. */
  const findRecentDuplicate = (
    context: Context,
    checked: CheckedForm<Parts>,
    { recent, at }: Extract<Confirmed, { type: 'form.confirm' }>,
  ): Parts['duplicate'] | null => {
    if (!checked.ok || isOwnOrder(context, checked.value)) return null
    const others = recent.filter(({ id }) => id !== context.attempt?.id)
    return rules.duplicates?.find(checked.value, others, at) ?? null
  }

  return {
    checkAt,
    isOwnOrder,

    /** Computed once per press of the button. */
    confirm(context: Context, event: Confirmed): Confirmation<Parts> {
      // The server may have set a later instant; a lagging device clock must not go back to an earlier price.
      const at = Math.max(event.at, context.at)
      const checked = checkAt(context, at)
      return {
        attemptId: event.attemptId,
        at,
        checked,
        // A price other than the one shown at the press must be confirmed again.
        change: at === context.at ? null : findPriceChange(checkAt(context, context.at), checked),
        duplicate: event.type === 'form.confirm' ? findRecentDuplicate(context, checked, event) : null,
      }
    },

    /** Merges successive changes in price into one, which starts from the price that the user last saw. */
    updatePrice(context: Context, news: Partial<Context>): Partial<Context> {
      const next = { ...context, ...news }
      const change = findPriceChange(checkAt(context, context.at), checkAt(next, next.at))
      if (!change) return news
      const before = context.change?.before ?? change.before
      return { ...news, change: rules.prices?.isSame(before, change.after) ? null : { ...change, before } }
    },

    /** A form that was sent must not appear as unsent. */
    getDraftOrigin: (draft: Parts['draft'], attempt: CheckoutAttempt<Parts> | null): DraftOrigin =>
      attempt && rules.isSameForm(attempt.draft, draft) ? 'attempt' : 'restored',

    getRefusedDuplicate: (answer: ReserveAnswer<Parts>): Parts['duplicate'] | null =>
      answer.ok ? null : (rules.duplicates?.getRefused(answer.error) ?? null),

    getSentDraftId: (answer: ReserveAnswer<Parts>): string | null =>
      answer.ok ? null : (rules.duplicates?.getSentDraftId(answer.error) ?? null),

    /** Also releases what the order reserved. */
    releaseAttempt: ({ profile, attempt }: Context) => ({
      attempt: null,
      profile: attempt && rules.prices ? rules.prices.releaseReservation(profile, attempt.order) : profile,
    }),
  }
}
