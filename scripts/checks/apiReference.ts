// `npm run generate` writes docs/api.md from the functions' definitions.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '../../domain/api/api.ts'
import { REFUSALS } from '../../domain/errors/refusals.ts'
import { SENDER_TEXTS } from '../../domain/transfers/shapes/fields.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDERS = ['domain/api', 'domain/transfers/shapes']
export const API_REFERENCE_FILE = join(ROOT, 'docs/api.md')

const HEAD = `# API

Generated from [domain/api/](../domain/api/) and [a transfer's shapes](../domain/transfers/shapes/) by
\`npm run generate\`; don't edit it.

Requests and responses are [valibot](https://valibot.dev) schemas. Amounts are integers in minor units, instants are UTC
milliseconds. A request with other fields is refused. A refusal is \`{ error, code, message, details? }\`: \`code\` is its
kind, \`error\` can be shown as it is. The header \`server-time\` says when the server answered, and \`server-region\` where.
[The refusals](#refusals) have their status and text below, their details in
[domain/errors/refusals.ts](../domain/errors/refusals.ts).

- Every function may refuse with ${list(findCodes('all'))}.
- A function that needs a token may also refuse with ${list(findCodes('signedIn'))}.
- Where a payment or a plan begins (_pays_), also with
  ${list(findCodes('paying'))}.
`

export function renderApiReference(): string {
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((file) =>
      readFileSync(join(ROOT, folder, file), 'utf8').replaceAll(
        'SENDER_TEXTS',
        `['${SENDER_TEXTS.join("', '")}']`,
      ),
    ),
  )
  const definitions = Object.values(API).sort((one, other) => one.name.localeCompare(other.name))
  const sections = definitions.map((definition) => {
    const source = sources.find((text) => text.includes(`  name: '${definition.name}',`)) ?? ''
    const end = source.indexOf(`  name: '${definition.name}',`)
    const comment = source.slice(source.lastIndexOf('/**', end) + 3, source.lastIndexOf('*/', end))
    const body = source.slice(end, source.indexOf('\n})\n', end))
    const pays = 'beginsPayment' in definition
    const codes = findCodes(definition.name)
    return [
      `## ${definition.method} ${definition.name}\n`,
      `${comment.replace(/\n \*/g, '').trim()}\n`,
      'guardedBy' in definition
        ? `Needs no token: ${definition.guardedBy}.`
        : `Needs a token; at most ${definition.most} calls of one user in ten minutes${pays ? '; pays' : ''}.`,
      codes.length > 0 ? wrap(`Refusals: ${list(codes)}.`) : '',
      `\n\`\`\`ts\n${extractField(body, 'request', sources)}\n${extractField(body, 'response', sources)}\n\`\`\`\n`,
    ]
      .filter(Boolean)
      .join('\n')
  })
  return `${HEAD}\n${sections.join('\n')}\n${renderRefusals()}`
}

/** A schema that the definition names is shown in full. */
function extractField(body: string, field: string, sources: readonly string[]): string {
  const start = body.indexOf(`\n  ${field}:`)
  const next = body.slice(start + 1).search(/\n {2}(?:\/|\w)/)
  const text = body
    .slice(start, next < 0 ? undefined : start + 1 + next)
    .replaceAll('\n  ', '\n')
    .trim()
  const [, name] = /: (\w+),$/.exec(text) ?? []
  const schema = sources.flatMap((source) => source.split(`const ${name} = `)[1] ?? [])[0]
  return schema === undefined ? text : `${field}: ${schema.split(/\n(?=[^\s)}\]])/)[0]?.trim()},`
}

function renderRefusals(): string {
  const rows = Object.entries(REFUSALS).map(([code, [status, error]]) => `- \`${code}\`, ${status}: ${error}`)
  return ['## Refusals\n', ...rows, ''].join('\n')
}

function findCodes(by: string): string[] {
  return Object.entries(REFUSALS).flatMap(([code, [, , ...all]]) =>
    (all as string[]).includes(by) ? code : [],
  )
}

function list(codes: readonly string[]): string {
  return codes.map((code) => `\`${code}\``).join(', ')
}

function wrap(text: string): string {
  return text.replace(/(.{1,118})(?: |$)/g, '$1\n').trimEnd()
}

if (import.meta.main) writeFileSync(API_REFERENCE_FILE, renderApiReference())
