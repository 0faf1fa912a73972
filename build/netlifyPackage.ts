import { existsSync, globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { zipFunction } from '@netlify/zip-it-and-ship-it'

export interface NetlifyPackage {
  readonly files: readonly string[]
  /** Null if the host doesn't run it on a schedule. */
  readonly schedule: string | null
  /** Besides the default path. */
  readonly paths: readonly string[]
  readonly zippedBytes: number
}

export async function packForNetlify(file: string): Promise<NetlifyPackage> {
  const out = mkdtempSync(join(tmpdir(), 'passerelle-package-'))
  const config = { '*': { nodeVersion: '24.x' } }
  try {
    const unpacked = await zipFunction(file, join(out, 'none'), { archiveFormat: 'none', config })
    const zipped = await zipFunction(file, join(out, 'zip'), { archiveFormat: 'zip', config })
    if (!unpacked || !zipped || !existsSync(unpacked.path))
      throw new Error(`${basename(file)} could not be packed`)
    return {
      files: globSync('**/*', { cwd: unpacked.path, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort(),
      schedule: unpacked.schedule ?? null,
      paths: (unpacked.routes ?? []).map(({ pattern }) => pattern),
      zippedBytes: statSync(zipped.path).size,
    }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
