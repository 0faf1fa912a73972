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
export async function* checkPayouts({ context }: Pick<DoctorSubject, 'context'>) {
  const { providers, namesHolders, isRecipientNameRequired, screening } = context
  const { size: unattended } = await queryUnattendedOrders(context).limit(100).get()
  if (providers.length > 0)
    yield buildGoodFinding(`Transfers are paid out by ${providers.map(({ name }) => name).join(', ')}.`)
  yield* (await fetchRailBalances(providers)).map(describeBalance)
  for (const { name, api } of providers)
    if (namesHolders && api?.holder)
      yield buildGoodFinding(`The names of wallet holders come from ${name} (VITE_HOLDER_NAMES).`)
  if (isRecipientNameRequired)
    yield buildGoodFinding('A transfer needs the name of its recipient (VITE_RECIPIENT_NAME_REQUIRED).')
  if (screening) yield describeList(await screening.check())
  if (unattended > 0)
    yield buildBadFinding(
      `${unattended} deliveries belong to a provider that is not in the settings.`,
      'Add it to the end of DELIVERY_PROVIDERS again until it has no open orders (docs/running.md, Paying out).',
    )
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
