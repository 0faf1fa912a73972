import { writeFileSync } from 'node:fs'
import { CommandError } from './commandError.ts'

/**
 * Creates an empty file that only its owner can read, because exports contain personal data. Returns a
 * function that writes its content.
 *
 * @throws CommandError if the file exists or can't be created.
 */
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
