import { asAdministrator } from '../../../netlify/server/platform/google.ts'
import type { Settings } from '../../../netlify/server/platform/settings.ts'

/** An administration API refused a request. */
export class NotAnswered extends Error {
  readonly status: number

  constructor(api: string, status: number) {
    super(`${api} answered ${status}`)
    this.status = status
  }
}

/** Each API, and where it is beside an emulator. */
const APIS = {
  rules: ['https://firebaserules.googleapis.com/v1', '/firebaserules.googleapis.com/v1'],
  firestore: ['https://firestore.googleapis.com/v1', '/v1'],
  auth: ['https://identitytoolkit.googleapis.com/v2', '/identitytoolkit.googleapis.com/v2'],
} as const

/**
 * Fetches a resource such as 'projects/p/config' from an administration API of the project.
 *
 * @throws NotAnswered if the API refuses, and what `fetch` throws.
 */
export async function fetchResource<T>(
  settings: Settings,
  api: keyof typeof APIS,
  resource: string,
): Promise<T> {
  const emulator = api === 'auth' ? settings.authHost : settings.firestoreHost
  const [hosted, path] = APIS[api]
  const root = emulator ? `http://${emulator}${path}` : hosted
  const ask = asAdministrator(settings, settings.firestoreHost !== null)
  const response = await ask('GET', `${root}/${resource}`)
  if (!response.ok) throw new NotAnswered(hosted, response.status)
  return (await response.json()) as T
}
