import { type Header, parseAllHeaders } from '@netlify/headers-parser'

/** @throws if the file has an error, which Netlify would only log. */
export async function readHeaderRules(file: string): Promise<readonly Header[]> {
  const { headers, errors } = await parseAllHeaders({
    headersFiles: [file],
    configHeaders: undefined,
    minimal: false,
  })
  if (errors.length > 0) throw new AggregateError(errors, `${file} has errors`)
  return headers as Header[]
}

/** The names are in lower case. */
export function matchHeaders(rules: readonly Header[], path: string): ReadonlyMap<string, string> {
  const matching = rules.filter(({ forRegExp }) => forRegExp.test(path))
  return new Map(
    matching.flatMap(({ values }) =>
      Object.entries(values).map(([name, value]) => [name.toLowerCase(), value] as const),
    ),
  )
}

/** Under the other loopback name, Stripe's card frame never shares an origin with the page. */
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
