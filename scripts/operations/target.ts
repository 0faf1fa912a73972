import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import { attempts } from '../../netlify/server/platform/records.ts'
import { returnNullIfMissing } from '../../netlify/server/platform/returnNullIfMissing.ts'
import type { Settings } from '../../netlify/server/platform/settings.ts'
import { CommandError } from './commandError.ts'

type Target = Pick<PayoutContext, 'db' | 'stripe' | 'deployment'>

/** Test and live mode share the account ID. */
export interface StripeAccount {
  readonly account: string
  readonly mode: string
}

const stripeAccountRef = ({ db }: Pick<PayoutContext, 'db'>) => db.doc('settings/stripe')

export async function fetchStripeAccount(
  { stripe }: Pick<PayoutContext, 'stripe'>,
  { stripeSecretKey }: Pick<Settings, 'stripeSecretKey'>,
): Promise<StripeAccount> {
  const { id } = await stripe.accounts.retrieveCurrent()
  return { account: id, mode: stripeSecretKey.split('_')[1] ?? '' }
}

/** Null until the first command that writes has recorded the account. */
export async function readStoredStripeAccount(
  target: Pick<PayoutContext, 'db'>,
): Promise<StripeAccount | null> {
  const stored = await stripeAccountRef(target).get()
  return stored.exists ? { account: String(stored.get('account')), mode: String(stored.get('mode')) } : null
}

export const isSameAccount = (one: StripeAccount, other: StripeAccount): boolean =>
  one.account === other.account && one.mode === other.mode

export const formatStripeAccount = ({ account, mode }: StripeAccount): string => `${account} (${mode} mode)`

/** The first command stores the account. @throws CommandError if the key is for another account or mode. */
export async function verifyTarget(
  target: Target,
  settings: Pick<Settings, 'stripeSecretKey'>,
): Promise<string> {
  const { db, deployment } = target
  const current = await fetchStripeAccount(target, settings)
  const stored = await readStoredStripeAccount(target)
  const refuse = (because: string) =>
    new CommandError(
      `Nothing was changed: ${because}, but STRIPE_SECRET_KEY belongs to ${formatStripeAccount(current)}. If the key is right, correct settings/stripe in the database.`,
    )
  if (stored && !isSameAccount(stored, current))
    throw refuse(`the database of ${deployment} belongs to the Stripe account ${formatStripeAccount(stored)}`)
  if (!stored) {
    const unknown = await findForeignPayment(target)
    if (unknown) throw refuse(`Stripe does not know ${unknown}, which is in the database of ${deployment}`)
    await stripeAccountRef({ db }).set({ ...current })
  }
  return `Firebase project ${deployment}, Stripe account ${formatStripeAccount(current)}`
}

async function findForeignPayment({ db, stripe }: Target): Promise<string | null> {
  const [attempt] = (await attempts(db).where('paymentIntentId', '>', '').limit(1).get()).docs
  if (!attempt) return null
  const id = String(attempt.get('paymentIntentId'))
  return (await returnNullIfMissing(stripe.paymentIntents.retrieve(id))) ? null : id
}
