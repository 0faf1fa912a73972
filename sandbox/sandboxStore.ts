import { hash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Sandbox, SandboxDump } from './sandbox.ts'

/** Raise it when the meaning of something in a dump changes. */
const VERSION = 4

const FORMAT = 'passerelle-sandbox'

/** From a change to its writing, in milliseconds. */
const MIN_SAVE_DELAY = 200

export interface SandboxStore {
  /** False if there is no file, or if it can't be loaded. */
  loadFile(): boolean
  /** The change is written a moment later. */
  noteChange(): void
  close(): Promise<void>
}

/** The file is always a complete old or new version, even after a crash. */
export function createSandboxStore(
  sandbox: Pick<Sandbox, 'dump' | 'load' | 'reset'>,
  file: string,
  say: (text: string) => void,
): SandboxStore {
  let isChanged = false
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let delay = MIN_SAVE_DELAY
  let complaint = ''
  let written = ''
  /** If the file differs, another server has written it, and overwriting it would lose that server's data. */
  let left: string | null = null
  let isGivenUp = false

  async function write() {
    isChanged = false
    const envelope = { format: FORMAT, version: VERSION, holds: sandbox.dump() }
    const text = JSON.stringify(envelope)
    const content = hash('sha256', text)
    if (content === written) return
    const found = readFileMark(file)
    if (found !== null && found !== left) {
      isGivenUp = true
      throw new Error(`another program has written ${file}`)
    }
    await mkdir(dirname(file), { recursive: true })
    await writeThrough(`${file}.new`, text)
    await rename(`${file}.new`, file)
    left = readFileMark(file)
    written = content
    complaint = ''
  }

  function save() {
    timer = undefined
    if (isGivenUp) return
    const from = performance.now()
    writing = write()
      .catch(({ message }: Error) => {
        if (message !== complaint) say(`The sandbox can't save its data: ${message}`)
        complaint = message
      })
      .finally(() => {
        writing = undefined
        // Limits writing to a small part of the time, however much there is to write.
        delay = Math.max(MIN_SAVE_DELAY, 10 * (performance.now() - from))
        if (isChanged) plan()
      })
  }

  const plan = () => {
    timer ??= setTimeout(save, delay)
  }

  return {
    loadFile() {
      if (!existsSync(file)) return false
      try {
        sandbox.load(parseDump(readFileSync(file, 'utf8'), sandbox.dump()))
        left = readFileMark(file)
        return true
      } catch (error) {
        sandbox.reset()
        const aside = `${file}.${new Date().toISOString().replaceAll(':', '.')}`
        say(`The sandbox can't read ${file}: ${(error as Error).message}`)
        try {
          renameSync(file, aside)
          say(`It was renamed to ${aside}, and the sandbox starts with empty data.`)
        } catch (problem) {
          isGivenUp = true
          say(`The sandbox starts with empty data, and can't save it: ${(problem as Error).message}`)
        }
        return false
      }
    },
    noteChange() {
      isChanged = true
      if (!writing) plan()
    },
    async close() {
      await writing
      clearTimeout(timer)
      save()
      await writing
    },
  }
}

/** Throws if the dump is not of this version, or if a part has another form than in `now`. */
function parseDump(text: string, now: SandboxDump): SandboxDump {
  const { format, version, holds } = JSON.parse(text)
  if (format !== FORMAT || version !== VERSION) throw new Error('it is not a file of this version')
  for (const [part, parts] of Object.entries(now))
    for (const [name, value] of Object.entries(parts))
      if (getForm(holds[part]?.[name]) !== getForm(value))
        throw new Error(`${part}.${name} is not in the expected format`)
  return holds
}

const getForm = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value)

/** A power cut must leave no empty file. */
async function writeThrough(path: string, text: string) {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Changes with each writing of the file. */
function readFileMark(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : null
}
