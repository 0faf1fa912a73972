import { type Header, parseAllHeaders } from '@netlify/headers-parser'

/**
 * Reads a `_headers` file as Netlify does.
 *
 * @throws if the file has an error, which Netlify would only log.
 */
export async function readHeaderRules(file: string): Promise<readonly Header[]> {
  const { headers, errors } = await parseAllHeaders({
    headersFiles: [file],
    configHeaders: undefined,
    minimal: false,
  })
  if (errors.length > 0) throw new AggregateError(errors, `${file} has errors`)
  return headers as Header[]
}

/** Returns the headers of a path, by their names in lower case. */
export function matchHeaders(rules: readonly Header[], path: string): ReadonlyMap<string, string> {
  const matching = rules.filter(({ forRegExp }) => forRegExp.test(path))
  return new Map(
    matching.flatMap(({ values }) =>
      Object.entries(values).map(([name, value]) => [name.toLowerCase(), value] as const),
    ),
  )
}

/**
 * Returns the production policy with the sandbox's hosts added. The emulator of Stripe serves its card frame
 * under the other loopback name, so that the page and the card number never share an origin. `emulators`: the
 * hosts of Auth, Firestore and Storage, which may be official emulators on ports of their own.
 */
export function addSandboxHosts(policy: string, port: number, emulators: readonly string[]): string {
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
