import { writeFile } from 'node:fs/promises'
import { test as base, expect, type Page } from '@playwright/test'
import { type Server, startServer } from '../server.ts'
import type { Driver } from './driver.ts'
import { startFirefox } from './firefox.ts'
import { EnginePage } from './page.ts'
import { startWebkit } from './webkit.ts'

export { expect }

const ENGINES: Readonly<Record<string, () => Promise<Driver>>> = {
  webkit: startWebkit,
  firefox: startFirefox,
}

export const createPage = (driver: Driver, server: Server) =>
  new EnginePage(driver, server) as unknown as Page

export const test = base.extend<{ driver: Driver }, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const { server, stop } = await startServer()
      await use(server)
      const unknown = await server.listUnknownCalls()
      stop()
      expect(unknown, 'calls that no emulator understood').toEqual([])
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
  driver: async ({}, use, testInfo) => {
    const start = ENGINES[testInfo.project.name]
    if (!start) throw new Error(`No engine is called ${testInfo.project.name}`)
    const driver = await start()
    await use(driver)
    if (testInfo.status !== testInfo.expectedStatus)
      await writeFile(testInfo.outputPath('picture.png'), await driver.picture())
    await driver.end()
  },
  page: async ({ driver, server }, use) => use(createPage(driver, server)),
})
