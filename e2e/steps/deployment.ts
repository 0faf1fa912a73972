import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { getAppFolder } from '../../build/build.ts'

/** A test can change the copy. */
export async function copyApp(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-app-'))
  await cp(getAppFolder('sandbox'), folder, { recursive: true })
  return folder
}

export const waitUntilInstalled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')

export const checkForNewVersion = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })
