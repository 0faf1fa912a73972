/** The oldest supported engines, which README.md lists. */
export const ENGINES = { chrome: '107', firefox: '115', safari: '16.0' } as const

/**
 * Returns whether the app supports an engine such as 'chrome/120', with its major version. An unknown engine
 * may be a new one, so it counts as supported.
 */
export function isEngineSupported(engine: string): boolean {
  const [name = '', version = ''] = engine.split('/')
  const oldest: string | undefined = new Map<string, string>(Object.entries(ENGINES)).get(name)
  return oldest === undefined || Number.parseInt(version, 10) >= Number.parseInt(oldest, 10)
}
