import { ValidationError } from '../../../domain/schema.ts'
import { SettingsError } from './settings.ts'

/**
 * One line of the functions' log. Fields never hold personal data (no name, address, phone, user id) and no
 * secret: identifiers of payments and hashes of attempts are enough to follow a case.
 */
export interface LogEntry {
  readonly level: 'info' | 'error'
  readonly event: string
  readonly [field: string]: string | number | boolean | null | readonly string[]
}

export type Log = (entry: LogEntry) => void

export const logToStdout: Log = (entry) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`)
}

/**
 * What may be logged of an unexpected error. Its message stays out, because the SDKs quote document paths
 * and request values in it; the places in the code say enough.
 */
export function traceOf(error: unknown) {
  if (!(error instanceof Error)) return { error: typeof error, errorCode: null, at: [] }
  const { code } = error as { code?: unknown }
  return {
    ...(error instanceof SettingsError && { problems: error.problems }),
    // It names fields, and never what stood there.
    ...(error instanceof ValidationError && { invalid: error.message }),
    error: error.name,
    errorCode: typeof code === 'string' || typeof code === 'number' ? code : null,
    at: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 6)
      .map((line) => line.trim()),
  }
}
