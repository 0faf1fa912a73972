import { writeFileSync } from 'node:fs'
import { CommandError } from './commandError.ts'

/** Exports contain personal data, so only the owner can read the file. @throws CommandError if it exists. */
export function createExportFile(path: string): (content: string | Uint8Array) => void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  } catch {
    throw new CommandError(
      `${path} can't be created. Name a file that does not exist, in a folder that does.`,
    )
  }
  return (content) => writeFileSync(path, content)
}
