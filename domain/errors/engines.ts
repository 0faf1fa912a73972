/** The oldest supported engines, also listed in README.md. */
export const ENGINES = { chrome: '107', firefox: '115', safari: '16.0' } as const

/** Takes an engine such as 'chrome/120'. An unknown engine may be new, so it counts as supported. */
export function isEngineSupported(engine: string): boolean {
  const [name = '', version = ''] = engine.split('/')
  const oldest: string | undefined = new Map<string, string>(Object.entries(ENGINES)).get(name)
  return oldest === undefined || Number.parseInt(version, 10) >= Number.parseInt(oldest, 10)
}
