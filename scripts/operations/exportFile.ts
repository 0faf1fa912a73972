import { writeFileSync } from 'node:fs'
import { CommandError } from './commandError.ts'

/**
 * Only the owner can read the file, because exports contain personal data.
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
