import { type AnyStateMachine, getInitialSnapshot } from 'xstate'
import { EMPTY_SUBSCRIPTION } from '../domain/prices/plans.ts'

const AT = Date.UTC(2026, 0, 1)
const UID = 'sample'
const CHECKOUT = {
  profile: { uid: UID, subscription: EMPTY_SUBSCRIPTION, ledger: null },
  isOnline: true,
  at: AT,
}

const INPUTS: Readonly<Record<string, object>> = {
  delivery: { isByHand: false, cancelableUntil: 0 },
  identityUpload: { uid: UID },
  invoice: CHECKOUT,
  phoneOtp: { purpose: 'signIn' },
  popupQueue: { isSlow: false },
  push: { uid: UID },
  subscription: { uid: UID, subscription: EMPTY_SUBSCRIPTION, sessionId: null, isOnline: true, at: AT },
  transfer: CHECKOUT,
}

/**
 * Exports a machine in the format of `createMachine`. A sample context determines its delays (ms). Leaves out
 * code, such as the input of an actor.
 */
export function exportMachineJson(machine: AnyStateMachine): string {
  const { context } = getInitialSnapshot(machine, INPUTS[machine.id])
  const config = JSON.parse(JSON.stringify({ ...machine.config, context }))
  return `${JSON.stringify(
    replaceDelayNames(config, (name) => getDelayLength(machine, name, context)),
    null,
    2,
  )}\n`
}

/** In milliseconds. */
export function getDelayLength(machine: AnyStateMachine, name: string, context: object): number {
  const delay = machine.implementations.delays[name]
  const ms = typeof delay === 'function' ? delay({ context } as never, undefined as never) : delay
  if (typeof ms !== 'number') throw new Error(`The delay '${name}' of '${machine.id}' has no length`)
  return ms
}

interface State {
  after?: Record<string, unknown>
  states?: Record<string, State>
}

function replaceDelayNames({ after, states, ...rest }: State, getLength: (name: string) => number): State {
  const entries = Object.entries(after ?? {}).map(([name, to]) => [getLength(name), to] as const)
  if (new Set(entries.map(([ms]) => ms)).size < entries.length)
    throw new Error('Two delays of a state have the same length')
  return {
    ...rest,
    ...(after && { after: Object.fromEntries(entries) }),
    ...(states && {
      states: Object.fromEntries(
        Object.entries(states).map(([name, state]) => [name, replaceDelayNames(state, getLength)]),
      ),
    }),
  }
}
