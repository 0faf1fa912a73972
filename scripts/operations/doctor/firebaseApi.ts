import { createAdminFetch } from '../../../netlify/server/platform/google.ts'
import type { Settings } from '../../../netlify/server/platform/settings.ts'

export class ApiRefusedError extends Error {
  readonly status: number

  constructor(api: string, status: number) {
    super(`${api} responded with status ${status}`)
    this.status = status
  }
}

const APIS = {
  rules: ['https://firebaserules.googleapis.com/v1', '/firebaserules.googleapis.com/v1'],
  firestore: ['https://firestore.googleapis.com/v1', '/v1'],
  auth: ['https://identitytoolkit.googleapis.com/v2', '/identitytoolkit.googleapis.com/v2'],
  tasks: ['https://cloudtasks.googleapis.com/v2', '/v2'],
} as const

/** Fetches a resource such as 'projects/p/config'. @throws ApiRefusedError if the API refuses. */
export async function fetchResource<T>(
  settings: Settings,
  api: keyof typeof APIS,
  resource: string,
): Promise<T> {
  const emulators = {
    rules: settings.firestoreHost,
    firestore: settings.firestoreHost,
    auth: settings.authHost,
    tasks: settings.tasks?.isEmulated ? new URL(settings.tasks.api).host : null,
  }
  const emulator = emulators[api]
  const [hosted, path] = APIS[api]
  const root = emulator ? `http://${emulator}${path}` : hosted
  const ask = createAdminFetch(settings, emulator !== null)
  const response = await ask('GET', `${root}/${resource}`)
  if (!response.ok) throw new ApiRefusedError(hosted, response.status)
  return (await response.json()) as T
}

/** Null if the resource does not exist. @throws ApiRefusedError if the API refuses. */
export const findResource = <T>(...resource: Parameters<typeof fetchResource>): Promise<T | null> =>
  fetchResource<T>(...resource).catch((error: unknown) => {
    if (error instanceof ApiRefusedError && error.status === 404) return null
    throw error
  })
