import { type ContextOptions, createContext } from '../platform/context.ts'
import { readSettings, type Settings } from '../platform/settings.ts'
import type { PayoutContext } from './payoutContext.ts'
import { createPayouts } from './payouts.ts'
import { createProviders } from './providers/providers.ts'

/** The context of the core together with the payouts that the settings name. */
export function createPayoutContext(settings: Settings, options: ContextOptions = {}): PayoutContext {
  const context = createContext(settings, options)
  const providers = createProviders(settings.deliveries, context)
  const system = { providers, push: settings.push }
  return { ...context, ...system, payouts: providers.length > 0 ? createPayouts(system) : null }
}

let fromEnvironment: PayoutContext | undefined

/** The context described by the environment variables, for functions that settle payments. Made at the first call. */
export function payoutContext(): PayoutContext {
  fromEnvironment ??= createPayoutContext(readSettings(process.env))
  return fromEnvironment
}
