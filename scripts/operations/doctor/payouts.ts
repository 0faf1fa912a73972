import type { Query } from 'firebase-admin/firestore'
import { DAY } from '../../../domain/common/duration.ts'
import type { DeliveryState } from '../../../domain/payouts/deliveryOrder.ts'
import { queryDueChecks } from '../../../netlify/server/endpoints/dueWork.ts'
import { queryUnattendedOrders } from '../../../netlify/server/payouts/deliver.ts'
import { deliveries } from '../../../netlify/server/payouts/orderRecords.ts'
import { findCases } from '../../../netlify/server/payouts/screening/cases.ts'
import type { ListState } from '../../../netlify/server/payouts/screening/screening.ts'
import { formatAmount, formatTime } from '../format.ts'
import {
  buildBadFinding,
  buildGoodFinding,
  type DoctorCheck,
  type DoctorSubject,
  type Finding,
} from './findings.ts'
import { MAX_DUE_WORK_DELAY } from './payments.ts'

export const payoutChecks: readonly DoctorCheck[] = [['The deliveries', checkPayouts]]

/** Checks providers and orders. Returns nothing for a deployment that has never paid out. */
export async function checkPayouts({ context }: Pick<DoctorSubject, 'context'>): Promise<readonly Finding[]> {
  const { db, now, providers, namesHolders, isRecipientNameRequired, screening } = context
  const all = deliveries(db)
  const dayAgo = now() - DAY
  const count = async (orders: Query) => (await orders.limit(100).get()).size
  const countLong = (...states: readonly DeliveryState[]) =>
    count(all.where('state', 'in', states).where('since', '<=', dayAgo).orderBy('since'))
  const problems: (readonly [orders: number, what: string, remedy: string])[] = [
    [
      (await queryUnattendedOrders(context).limit(100).get()).size,
      'belong to a provider that is not in the settings',
      'Add it to the end of DELIVERY_PROVIDERS again until it has no open orders',
    ],
  ]
  if (providers.length > 0)
    problems.push(
      [
        await count(queryDueChecks(all, now() - MAX_DUE_WORK_DELAY)),
        'have waited for the due-work job for more than an hour',
        'Check whether the due-work job runs',
      ],
      [
        await count(all.where('state', '==', 'waiting')),
        'wait for an operator',
        "Fill the account or correct the provider's settings, as the list says: npm run ops -- deliveries list",
      ],
      [
        await count(
          all
            .where('isByHand', '==', true)
            .where('state', '==', 'due')
            .where('createdAt', '<=', dayAgo)
            .orderBy('createdAt'),
        ),
        'have been due to be paid by hand for more than a day',
        'Pay them: npm run ops -- deliveries claim',
      ],
      [
        await countLong('handingOver', 'handedOver'),
        'have been with a provider for more than a day',
        'Ask the provider by their references: npm run ops -- deliveries list',
      ],
      [
        await countLong('claimed'),
        'have been claimed for more than a day',
        'Ask the operators who claimed them: npm run ops -- deliveries list',
      ],
      [
        (await findCases(context)).filter(({ order }) => (order.screening?.answerBy ?? 0) <= now()).length,
        'are held by the list of sanctions for longer than their senders were told',
        'Decide them: npm run ops -- people cases',
      ],
      [
        await countLong('held'),
        'have been held for more than a day',
        'Find out why, and release or fail them: npm run ops -- deliveries list',
      ],
    )
  return [
    ...(providers.length > 0
      ? [buildGoodFinding(`Transfers are paid out by ${providers.map(({ name }) => name).join(', ')}.`)]
      : []),
    ...(await checkBalances(providers)),
    ...providers
      .filter(({ api }) => namesHolders && api?.holder)
      .map(({ name }) =>
        buildGoodFinding(`The names of wallet holders come from ${name} (VITE_HOLDER_NAMES).`),
      ),
    ...(isRecipientNameRequired
      ? [buildGoodFinding('A transfer needs the name of its recipient (VITE_RECIPIENT_NAME_REQUIRED).')]
      : []),
    ...(screening ? [describeList(await screening.check())] : []),
    ...problems.flatMap(([orders, what, remedy]) =>
      orders > 0
        ? buildBadFinding(`${orders} deliveries ${what}.`, `${remedy} (docs/running.md, Paying out).`)
        : [],
    ),
  ]
}

function describeList(list: ListState): Finding {
  return list.kind === 'usable'
    ? buildGoodFinding(
        `The list of sanctions has ${list.persons} persons and organizations, as of ${formatTime(list.listedAt)}.`,
      )
    : buildBadFinding(
        `The list of sanctions is ${list.problem}, so every transfer is held.`,
        'Upload a new one (docs/deploying.md, The list of sanctions); then they are searched for again.',
      )
}

async function checkBalances(providers: DoctorSubject['context']['providers']): Promise<readonly Finding[]> {
  const findings = providers.map(async ({ name, api }) => {
    if (!api) return []
    const balance = await api.balance('GNF')
    return balance
      ? buildGoodFinding(`The account at ${name} has ${formatAmount(balance)}.`)
      : buildBadFinding(
          `${name} does not return the balance of the account.`,
          `See the settings of ${name}: docs/deploying.md.`,
        )
  })
  return (await Promise.all(findings)).flat()
}
