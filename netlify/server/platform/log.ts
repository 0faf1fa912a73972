import * as v from 'valibot'
import { ValidationError } from '../../../domain/common/schema.ts'
import { SettingsError } from './settings.ts'

/** Fields hold no names, addresses, phone numbers or secrets. Only errors of plans contain a user ID. */
export interface LogEntry {
  readonly level: 'info' | 'error'
  readonly event: string
  readonly [field: string]: string | number | boolean | null | readonly string[]
}

export type Log = (entry: LogEntry) => void

export const logToStdout: Log = (entry) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`)
}

/** Leaves out the message, because the SDKs quote document paths and request values in it. */
export function getTrace(error: unknown) {
  if (!(error instanceof Error)) return { error: typeof error, errorCode: null, at: [] }
  const { code } = error as { code?: unknown }
  const invalid = error instanceof v.ValiError ? new ValidationError(error.issues) : error
  return {
    ...(error instanceof SettingsError && { problems: error.problems }),
    // The message names fields, never their values.
    ...(invalid instanceof ValidationError && { invalid: invalid.message }),
    error: error.name,
    errorCode: typeof code === 'string' || typeof code === 'number' ? code : null,
    at: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 6)
      .map((line) => line.trim()),
  }
}
