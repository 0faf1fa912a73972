import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appFolder } from '../../scripts/build/build.ts'

/** A copy of the built app, in which a test can put another version. */
export async function appCopy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-app-'))
  await cp(appFolder('sandbox'), folder, { recursive: true })
  return folder
}

/** The newest version in each folder. */
export const versions = new Map<string, number>()

/** Puts another version in the place of the one that is served: its page differs, and with it the worker. */
export async function deploy(folder: string) {
  const version = (versions.get(folder) ?? 0) + 1
  versions.set(folder, version)
  const change = async (file: string, pattern: RegExp, by: string) => {
    const path = join(folder, file)
    await writeFile(path, (await readFile(path, 'utf8')).replace(pattern, by))
    for (const packed of ['.br', '.gz']) await rm(path + packed, { force: true })
  }
  await change(
    'index.html',
    /<html lang="fr"( data-version="\d+")?/,
    `<html lang="fr" data-version="${version}"`,
  )
  await change('sw.js', /("?)index\.html\1,revision:"\w+"/, `"index.html",revision:"version${version}"`)
}
