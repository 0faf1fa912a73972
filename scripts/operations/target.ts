import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import { nullIfMissing } from '../../netlify/server/platform/nullIfMissing.ts'
import { attempts } from '../../netlify/server/platform/records.ts'
import type { Settings } from '../../netlify/server/platform/settings.ts'
import { CommandError } from './commandError.ts'

type Target = Pick<PayoutContext, 'db' | 'stripe' | 'deployment'>

/** Test and live mode have the same account ID. */
export interface StripeAccount {
  readonly account: string
  readonly mode: string
}

const stripeAccountRef = ({ db }: Pick<PayoutContext, 'db'>) => db.doc('settings/stripe')

/** Fetches the account that the secret key opens. */
export async function fetchStripeAccount(
  { stripe }: Pick<PayoutContext, 'stripe'>,
  { stripeSecretKey }: Pick<Settings, 'stripeSecretKey'>,
): Promise<StripeAccount> {
  const { id } = await stripe.accounts.retrieveCurrent()
  return { account: id, mode: stripeSecretKey.split('_')[1] ?? '' }
}

/** Reads the account that the database belongs to; null before the first command that writes. */
export async function readStoredAccount(target: Pick<PayoutContext, 'db'>): Promise<StripeAccount | null> {
  const stored = await stripeAccountRef(target).get()
  return stored.exists ? { account: String(stored.get('account')), mode: String(stored.get('mode')) } : null
}

export const isSameAccount = (one: StripeAccount, other: StripeAccount): boolean =>
  one.account === other.account && one.mode === other.mode

export const describeAccount = ({ account, mode }: StripeAccount): string => `${account} (${mode} mode)`

/**
 * Names the Firebase project and the Stripe account that a command is about to change. The first such command stores the account,
 * if Stripe knows a payment of the database there.
 *
 * @throws CommandError if the key is of another account or mode than the stored one.
 */
export async function confirmTarget(
  target: Target,
  settings: Pick<Settings, 'stripeSecretKey'>,
): Promise<string> {
  const { db, deployment } = target
  const current = await fetchStripeAccount(target, settings)
  const stored = await readStoredAccount(target)
  const refuse = (because: string) =>
    new CommandError(
      `Nothing was changed: ${because}, but STRIPE_SECRET_KEY is of ${describeAccount(current)}. If that is right, correct settings/stripe in the database.`,
    )
  if (stored && !isSameAccount(stored, current))
    throw refuse(`the database of ${deployment} belongs to the Stripe account ${describeAccount(stored)}`)
  if (!stored) {
    const unknown = await findForeignPayment(target)
    if (unknown) throw refuse(`Stripe does not know ${unknown}, which is in the database of ${deployment}`)
    await stripeAccountRef({ db }).set({ ...current })
  }
  return `Firebase project ${deployment}, Stripe account ${describeAccount(current)}`
}

/** Returns a payment of the database that the Stripe account does not have, looking at one only. */
async function findForeignPayment({ db, stripe }: Target): Promise<string | null> {
  const [attempt] = (await attempts(db).where('paymentIntentId', '>', '').limit(1).get()).docs
  if (!attempt) return null
  const id = String(attempt.get('paymentIntentId'))
  return (await nullIfMissing(stripe.paymentIntents.retrieve(id))) ? null : id
}
