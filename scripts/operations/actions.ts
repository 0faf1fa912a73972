import { HOUR } from '../../domain/common/duration.ts'
import type { PaymentContext } from '../../netlify/server/platform/payouts.ts'
import { CommandError } from './commandError.ts'
import { formatTime } from './format.ts'
import {
  APPROVAL_PERIOD,
  type ApprovalRefusal,
  approveOperatorAction,
  listOperatorActions,
  type OperatorAction,
} from './operatorActions.ts'

const REFUSED: Readonly<Record<ApprovalRefusal, string>> = {
  unknown: 'no action has this ID',
  needsNone: 'it needs no approval, and was carried out when it was requested',
  sameOperator: "the operator who requested it can't approve it",
  tooLate: `it was requested more than ${APPROVAL_PERIOD / HOUR} hours ago. Request it again`,
  alreadyApproved: 'it was already approved. If it failed, request it again',
}

/** @throws CommandError if the action can't be approved. */
export async function approveOrThrow(
  context: PaymentContext,
  id: string,
  approval: Pick<OperatorAction, 'by' | 'because'>,
): Promise<OperatorAction> {
  const action = await approveOperatorAction(context, id, approval)
  if (typeof action === 'string') throw new CommandError(`Nothing was changed: ${REFUSED[action]}.`)
  return action
}

/** Newest first. */
export async function showActions(context: PaymentContext, about?: string): Promise<readonly string[]> {
  const actions = await listOperatorActions(context, about)
  if (actions.length === 0) return ['No action is recorded.']
  return actions.map(
    ({ id, at, by, because, words, options, waits }) =>
      `${id}: ${formatTime(at)}, ${by}: ${[...words, ...formatOptions(options)].join(' ')} (${because})${waits ? ', needs approval' : ''}.`,
  )
}

const formatOptions = (options: OperatorAction['options']) =>
  Object.entries(options).map(([name, value]) => `--${name} ${value}`)
