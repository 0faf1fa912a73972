import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { getAppFolder } from '../../build/build.ts'

/** A test can deploy another version to the copy. */
export async function copyApp(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-app-'))
  await cp(getAppFolder('sandbox'), folder, { recursive: true })
  return folder
}

export const deployedVersions = new Map<string, number>()

/** The versions differ in the page and the service worker. */
export async function deploy(folder: string) {
  const version = (deployedVersions.get(folder) ?? 0) + 1
  deployedVersions.set(folder, version)
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
  await change(
    'sw.js',
    /"revision":"\w+","url":"index.html"/,
    `"revision":"version${version}","url":"index.html"`,
  )
}

export const waitUntilInstalled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')

export const checkForNewVersion = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })
