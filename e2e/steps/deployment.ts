import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { getAppFolder } from '../../scripts/build/build.ts'

/** Copies the built app into a temporary folder, where a test can deploy another version. */
export async function copyApp(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-app-'))
  await cp(getAppFolder('sandbox'), folder, { recursive: true })
  return folder
}

/** Number of the latest version deployed to each folder. */
export const deployedVersions = new Map<string, number>()

/** Deploys another version, whose page and service worker differ. */
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

/** Waits until the whole app is on the device and the service worker controls this page. */
export const waitUntilInstalled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')

/** Checks for a new version, as the app does every hour. */
export const checkForNewVersion = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })
