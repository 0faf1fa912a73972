import type { PaymentContext } from '../../netlify/server/platform/payouts.ts'
import { formatTime } from './format.ts'
import { listOperatorActions, type OperatorAction } from './operatorActions.ts'

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
