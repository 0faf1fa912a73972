import { appendFileSync, writeFileSync } from 'node:fs'
import { CommandError } from './commandError.ts'

/**
 * Returns a function that appends to the new file. Exports contain personal data, so only the owner can read it.
 * @throws CommandError if it exists.
 */
export function createExportFile(path: string): (content: string | Uint8Array) => void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  } catch {
    throw new CommandError(
      `${path} can't be created. Name a file that does not exist, in a folder that does.`,
    )
  }
  return (content) => appendFileSync(path, content)
}
