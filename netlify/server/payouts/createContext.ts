import { executeTaskIfDue } from '../endpoints/executeTask.ts'
import { createTaskCreator, createTaskVerifier } from '../platform/cloudTasks.ts'
import { type ContextOptions, createContext } from '../platform/context.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import type { Settings } from '../platform/settings.ts'
import type { PayoutContext } from './payoutContext.ts'
import { createPayouts } from './payouts.ts'
import { createPayoutProviders } from './providers/providers.ts'
import { createListFileScreening } from './screening/listFile.ts'
import { type FunctionSettings, readFunctionSettings } from './settings.ts'

export function createPayoutContext(settings: FunctionSettings, options: ContextOptions = {}): PayoutContext {
  const context = createContext(settings, options)
  const providers = createPayoutProviders(settings.deliveries, context)
  const { cancellationWindow, namesHolders, screening: list } = settings.deliveries
  const screening = list && createListFileScreening(settings, list, context.now)
  const system = { providers, cancellationWindow, namesHolders, push: settings.push, screening }
  return {
    ...context,
    ...system,
    payouts: providers.length > 0 ? createPayouts(system) : null,
    ...createTaskEngine(settings, context.now),
  }
}

function createTaskEngine(
  settings: Settings,
  now: () => number,
): Pick<PaymentContext, 'startTask' | 'verifyTask'> {
  if (!settings.tasks) return { startTask: executeTaskIfDue, verifyTask: async () => false }
  const create = createTaskCreator(settings, settings.tasks, now)
  return {
    startTask: (_, task) => create(task),
    verifyTask: createTaskVerifier(settings, settings.tasks, now),
  }
}

let fromEnvironment: PayoutContext | undefined

export function getPayoutContext(): PayoutContext {
  fromEnvironment ??= createPayoutContext(readFunctionSettings(process.env))
  return fromEnvironment
}
