import type { Query } from 'firebase-admin/firestore'
import type { DeliveryState } from '../../../domain/delivery.ts'
import { DAY } from '../../../domain/duration.ts'
import { withCheck } from '../../../netlify/server/endpoints/sweep.ts'
import { unattended } from '../../../netlify/server/payouts/deliver.ts'
import { deliveries } from '../../../netlify/server/platform/records.ts'
import { formatAmount } from '../format.ts'
import { bad, type Check, type Finding, good, type Subject } from './findings.ts'
import { SWEEP_LATE } from './payments.ts'

export const payoutChecks: readonly Check[] = [['The deliveries', checkPayouts]]

/** Returns nothing for a deployment that has never paid out. */
export async function checkPayouts({ context }: Pick<Subject, 'context'>): Promise<readonly Finding[]> {
  const { db, now, providers, namesHolders } = context
  const all = deliveries(db)
  const dayAgo = now() - DAY
  const count = async (orders: Query) => (await orders.limit(100).get()).size
  const countLongIn = (...states: readonly DeliveryState[]) =>
    count(all.where('state', 'in', states).where('since', '<=', dayAgo).orderBy('since'))
  const problems: (readonly [orders: number, what: string, remedy: string])[] = [
    [
      await unattended(context, 100),
      'belong to a provider that the settings do not name',
      'Name it again in DELIVERY_PROVIDERS, last, until it has none left',
    ],
  ]
  if (providers.length > 0)
    problems.push(
      [
        await count(withCheck(all, now() - SWEEP_LATE)),
        'wait for the sweep for more than an hour',
        'See The sweep',
      ],
      [
        await count(all.where('state', '==', 'waiting')),
        'wait for something of ours',
        'Fill the account, or correct what the list says: npm run ops -- deliveries list',
      ],
      [
        await count(
          all
            .where('isByHand', '==', true)
            .where('state', '==', 'due')
            .where('createdAt', '<=', dayAgo)
            .orderBy('createdAt'),
        ),
        'are due to be paid by hand for more than a day',
        'Pay them: npm run ops -- deliveries claim',
      ],
      [
        await countLongIn('handingOver', 'handedOver'),
        'are with a provider for more than a day',
        'Ask the provider by their references: npm run ops -- deliveries list',
      ],
      [
        await countLongIn('claimed'),
        'are in hand for more than a day',
        'Ask those who claimed them: npm run ops -- deliveries list',
      ],
      [
        await countLongIn('held'),
        'are held for more than a day',
        'Find out why, and release or fail them: npm run ops -- deliveries list',
      ],
    )
  return [
    ...(providers.length > 0
      ? [good(`Transfers are paid out by ${providers.map(({ name }) => name).join(', ')}.`)]
      : []),
    ...(await checkBalances(providers)),
    ...providers
      .filter(({ api }) => namesHolders && api?.holder)
      .map(({ name }) => good(`The names of wallet holders come from ${name} (VITE_HOLDER_NAMES).`)),
    ...problems.flatMap(([orders, what, remedy]) =>
      orders > 0 ? bad(`${orders} deliveries ${what}.`, `${remedy} (docs/running.md, Paying out).`) : [],
    ),
  ]
}

async function checkBalances(providers: Subject['context']['providers']): Promise<readonly Finding[]> {
  const findings = providers.map(async ({ name, api }) => {
    if (!api) return []
    const balance = await api.balance('GNF')
    return balance
      ? good(`The account at ${name} has ${formatAmount(balance)}.`)
      : bad(`${name} does not say what the account has.`, `See the settings of ${name}: docs/deploying.md.`)
  })
  return (await Promise.all(findings)).flat()
}
