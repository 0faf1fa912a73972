export interface HeaderRule {
  readonly path: string
  readonly headers: ReadonlyMap<string, string>
}

/** Reads Netlify's `_headers` file: a path at the start of a line, its headers indented below it. */
export function parseHeaders(text: string): HeaderRule[] {
  const rules: { path: string; headers: Map<string, string> }[] = []
  for (const line of text.split('\n')) {
    if (/^\S/.test(line) && !line.startsWith('#')) rules.push({ path: line.trim(), headers: new Map() })
    const header = /^\s+([\w-]+):\s*(.+)$/.exec(line)
    if (header?.[1] && header[2]) rules.at(-1)?.headers.set(header[1].toLowerCase(), header[2].trim())
  }
  return rules
}

/** All headers for a path; a later rule wins. */
export function headersFor(rules: readonly HeaderRule[], path: string): Map<string, string> {
  const matching = rules.filter((rule) =>
    rule.path.endsWith('*') ? path.startsWith(rule.path.slice(0, -1)) : path === rule.path,
  )
  return new Map(matching.flatMap((rule) => [...rule.headers]))
}

/**
 * The production policy, with the hosts of Stripe's emulator beside Stripe's own. Its card frame is served
 * under the other loopback name, so that the page and the card number never share an origin. `emulators`: where
 * Auth and Storage are, which may be official emulators on ports of their own.
 */
export function withSandboxHosts(policy: string, port: number, emulators: readonly string[]): string {
  const hosts = [...new Set([`localhost:${port}`, `127.0.0.1:${port}`, ...emulators])]
    .map((host) => `http://${host}`)
    .join(' ')
  return policy
    .split(';')
    .map((directive) =>
      /^\s*(script-src|connect-src|frame-src)\b/.test(directive) ? `${directive} ${hosts}` : directive,
    )
    .join(';')
}
