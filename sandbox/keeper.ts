import { hash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { Sandbox, SandboxDump } from './sandbox.ts'

/**
 * To be raised when something in a dump means another thing than before. What is there besides since then is no reason:
 * after an older file it is empty.
 */
const VERSION = 1

/** What the file has around the dump, so that another one under its name is known as such. */
const envelope = z.object({
  format: z.literal('passerelle-sandbox'),
  version: z.literal(VERSION),
  holds: z.record(z.string(), z.record(z.string(), z.unknown())),
})

/** Milliseconds from a change to its writing, at least. */
const REST = 200

export interface Keeper {
  /** Lets the sandbox go on from the file; false where there is none, or none that it can go on from. */
  takeUp(): boolean
  /** Something may have changed: a moment later the file has it. */
  changed(): void
  /** Writes what there is now. */
  close(): Promise<void>
}

/**
 * Keeps what a sandbox holds in a file, so that the next one goes on from it, after a crash too: whenever that comes, the
 * file is the one before or the one after, whole. `say` tells people what they should know.
 */
export function createKeeper(
  sandbox: Pick<Sandbox, 'dump' | 'load' | 'reset'>,
  file: string,
  say: (text: string) => void,
): Keeper {
  let isChanged = false
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let rest = REST
  let complaint = ''
  /** The content that was written last. */
  let written = ''
  /** The file as it was left here. Another one comes from another server, and would lose what that one holds. */
  let left: string | null = null
  let isGivenUp = false

  async function write() {
    isChanged = false
    const envelope = { format: 'passerelle-sandbox', version: VERSION, holds: sandbox.dump() }
    const text = JSON.stringify(envelope)
    const content = hash('sha256', text)
    if (content === written) return
    const found = markOf(file)
    if (found !== null && found !== left) {
      isGivenUp = true
      throw new Error(`something else has written ${file}`)
    }
    await mkdir(dirname(file), { recursive: true })
    await writeThrough(`${file}.new`, text)
    await rename(`${file}.new`, file)
    left = markOf(file)
    written = content
    complaint = ''
  }

  function save() {
    timer = undefined
    if (isGivenUp) return
    const from = performance.now()
    writing = write()
      .catch(({ message }: Error) => {
        if (message !== complaint) say(`What the sandbox holds is not kept: ${message}`)
        complaint = message
      })
      .finally(() => {
        writing = undefined
        // However much there is to write, it takes a small part of the time.
        rest = Math.max(REST, 10 * (performance.now() - from))
        if (isChanged) plan()
      })
  }

  const plan = () => {
    timer ??= setTimeout(save, rest)
  }

  return {
    takeUp() {
      if (!existsSync(file)) return false
      try {
        sandbox.load(dumpOf(readFileSync(file, 'utf8'), sandbox.dump()))
        left = markOf(file)
        return true
      } catch (error) {
        sandbox.reset()
        const aside = `${file}.${new Date().toISOString().replaceAll(':', '.')}`
        say(`${file} is nothing that the sandbox can go on from: ${(error as Error).message}`)
        try {
          renameSync(file, aside)
          say(`It is ${aside} now, and the sandbox begins anew.`)
        } catch (problem) {
          isGivenUp = true
          say(`The sandbox begins anew, and what it holds is not kept: ${(problem as Error).message}`)
        }
        return false
      }
    },
    changed() {
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

/** What the text holds. Throws when it is no file of this version, or has something in another form than `now`. */
function dumpOf(text: string, now: SandboxDump): SandboxDump {
  const read = envelope.safeParse(JSON.parse(text))
  if (!read.success) throw new Error(z.prettifyError(read.error))
  const { holds } = read.data
  for (const [part, parts] of Object.entries(now))
    for (const [name, value] of Object.entries(parts)) {
      const held = holds[part]?.[name]
      if (held !== undefined && formOf(held) !== formOf(value))
        throw new Error(`${part}.${name} has another form`)
    }
  return holds as unknown as SandboxDump
}

const formOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value)

/** So that a power cut leaves no file with a name and without its content. */
async function writeThrough(path: string, text: string) {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Differs for two writings of a file; null when there is none. */
function markOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : null
}
