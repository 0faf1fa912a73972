import { byHand } from './byHand.ts'
import type { MtnSettings, Provider, ProviderName } from './provider.ts'

/** How a provider reaches its service, and by which clock (UTC ms). */
interface Reach {
  readonly fetch: typeof fetch
  readonly now: () => number
}

/** The providers that the settings name, in their order. */
export function providersOf(
  { providers }: { readonly providers: readonly ProviderName[]; readonly mtn: MtnSettings | null },
  _reach: Reach,
): Provider[] {
  return providers.flatMap((name) => (name === 'byHand' ? [byHand] : []))
}
