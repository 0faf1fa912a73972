import { queryUnattendedOrders } from '../../../netlify/server/payouts/deliver.ts'
import type { ListState } from '../../../netlify/server/payouts/screening/screening.ts'
import { formatAmount, formatTime } from '../format.ts'
import { fetchRailBalances, type RailBalance } from '../railBalances.ts'
import {
  buildBadFinding,
  buildGoodFinding,
  type DoctorCheck,
  type DoctorSubject,
  type Finding,
} from './findings.ts'

export const payoutChecks: readonly DoctorCheck[] = [['The deliveries', checkPayouts]]

/** Returns nothing for a deployment that has never paid out. */
export async function checkPayouts({ context }: Pick<DoctorSubject, 'context'>): Promise<readonly Finding[]> {
  const { providers, namesHolders, isRecipientNameRequired, screening } = context
  const { size: unattended } = await queryUnattendedOrders(context).limit(100).get()
  return [
    ...(providers.length > 0
      ? [buildGoodFinding(`Transfers are paid out by ${providers.map(({ name }) => name).join(', ')}.`)]
      : []),
    ...(await fetchRailBalances(providers)).map(describeBalance),
    ...providers
      .filter(({ api }) => namesHolders && api?.holder)
      .map(({ name }) =>
        buildGoodFinding(`The names of wallet holders come from ${name} (VITE_HOLDER_NAMES).`),
      ),
    ...(isRecipientNameRequired
      ? [buildGoodFinding('A transfer needs the name of its recipient (VITE_RECIPIENT_NAME_REQUIRED).')]
      : []),
    ...(screening ? [describeList(await screening.check())] : []),
    ...(unattended > 0
      ? [
          buildBadFinding(
            `${unattended} deliveries belong to a provider that is not in the settings.`,
            'Add it to the end of DELIVERY_PROVIDERS again until it has no open orders (docs/running.md, Paying out).',
          ),
        ]
      : []),
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

const describeBalance = ({ name, balance }: RailBalance): Finding =>
  balance
    ? buildGoodFinding(`The account at ${name} has ${formatAmount(balance)}.`)
    : buildBadFinding(
        `${name} does not return the balance of the account.`,
        `See the settings of ${name}: docs/deploying.md.`,
      )
