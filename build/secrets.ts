import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Secret at the host: only the functions read them, at run time. */
export const SECRET_SETTINGS = [
  'FIREBASE_SERVICE_ACCOUNT',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'MTN_SUBSCRIPTION_KEY',
  'MTN_API_USER',
  'MTN_API_KEY',
  'VAPID_PRIVATE_KEY',
  'RECEIPT_SIGNING_KEY',
  'SMTP_URL',
] as const

/** Shorter values would match by chance. */
const MIN_LENGTH = 8

/** Returns texts such as 'STRIPE_SECRET_KEY in assets/index.js'. */
export function findSecrets(
  folders: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const secrets = SECRET_SETTINGS.flatMap((name) =>
    listParts(variables[name] ?? '').map((part) => ({ name, part })),
  )
  const found = folders.flatMap((folder) =>
    globSync('**/*', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
      .flatMap((entry) => {
        const file = join(entry.parentPath, entry.name)
        const text = readFileSync(file, 'latin1')
        return secrets
          .filter(({ part }) => text.includes(part))
          .map(({ name }) => `${name} in ${file.slice(folder.length + 1)}`)
      }),
  )
  return [...new Set(found)]
}

/** A bundler may change the line breaks of a service account's key, so its lines are searched for. */
function listParts(value: string): readonly string[] {
  const lines = value.includes('PRIVATE KEY')
    ? value.split(/\\n|\s|"/).filter((line) => /^[A-Za-z0-9+/=]{40,}$/.test(line))
    : [value.trim()]
  return lines.filter((line) => line.length >= MIN_LENGTH)
}
