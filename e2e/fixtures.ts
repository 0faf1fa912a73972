import { writeFileSync } from 'node:fs'
import { test as base, type ConsoleMessage, expect, type Page } from '@playwright/test'
import type { Language } from '../domain/common/language.ts'
import { type Server, type StartedServer, startServer } from './server.ts'
import { setTestLanguage } from './texts.ts'

export { expect, type Server }

/** Chromium logs these for a failed request, and the database's SDK for an interrupted call. */
export const BROKEN_CALL_ERRORS = /Failed to load resource|@firebase\/firestore.*RPC_ERROR/

/** Includes the errors of a screen that a fault makes fail to render. */
export const CRASH_OR_BROKEN_CALL_ERRORS = new RegExp(`not foreseen|${BROKEN_CALL_ERRORS.source}`)

/** Workers share a server only if their tests name the same object. */
export const WITH_PAYOUTS = { DELIVERY_PROVIDERS: 'mtn,byHand' }

interface CommonFixtures {
  /** Unexpected console errors fail a test. */
  expectedErrors: RegExp[]
  /** The language under test: French on the phone, English on the desk. */
  language: Language
}

interface ServerFixtures {
  /** A remaining violation of the Content-Security-Policy fails the test. */
  violations: string[]
  consoleCheck: undefined
  serverReset: undefined
}

interface WorkerFixtures {
  /** Replaces defaults, such as no payouts by `WITH_PAYOUTS`. */
  settings: Record<string, string>
  started: StartedServer
  server: Server
}

const commonTest = base.extend<CommonFixtures>({
  language: [
    async ({}, use, { project }) => {
      const language = project.name === 'phone' ? 'fr' : 'en'
      setTestLanguage(language)
      await use(language)
    },
    { auto: true },
  ],
  expectedErrors: [[], { option: true }],
})

function watchErrors(page: Page, note: (error: string) => void): () => void {
  const onMessage = (message: ConsoleMessage) => message.type() === 'error' && note(message.text())
  const onError = (error: Error) => note(String(error))
  page.on('console', onMessage)
  page.on('pageerror', onError)
  return () => void page.off('console', onMessage).off('pageerror', onError)
}

/** Scenes need no server. A worker shows all of them on one page: a page of its own costs half a second. */
export const sceneTest = commonTest.extend<object, { scenePage: Page }>({
  scenePage: [
    async ({ browser }, use, { project }) => {
      const {
        viewport = null,
        isMobile = false,
        hasTouch = false,
        locale = '',
        timezoneId = '',
      } = project.use
      const page = await browser.newPage({ viewport, isMobile, hasTouch, locale, timezoneId })
      await use(page)
      await page.context().close()
    },
    { scope: 'worker' },
  ],
  page: async ({ scenePage, expectedErrors }, use, { project }) => {
    const stray: string[] = []
    const unwatch = watchErrors(scenePage, (error) => {
      if (!expectedErrors.some((expected) => expected.test(error))) stray.push(error)
    })
    if (project.use.viewport) await scenePage.setViewportSize(project.use.viewport)
    await scenePage.emulateMedia({
      ...{ media: null, colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' },
    })
    await scenePage.mouse.move(0, 0)
    await use(scenePage)
    // Ends the scene, so that its errors don't fail the next test.
    await scenePage.goto('about:blank')
    unwatch()
    const hasClock = await scenePage.evaluate(() => '__pwClock' in window)
    expect(hasClock, 'a clock of Playwright, which would stay in the page of all scenes').toBe(false)
    expect(stray, 'errors on the console').toEqual([])
  },
})

/** Each worker has its own server; each test creates its own users. */
export const test = commonTest.extend<ServerFixtures, WorkerFixtures>({
  violations: [
    async ({ context }, use) => {
      const violations: string[] = []
      await context.exposeBinding('noteViolation', (_, violation: string) => void violations.push(violation))
      await context.addInitScript(() => {
        document.addEventListener(
          'securitypolicyviolation',
          ({ effectiveDirective, blockedURI, documentURI }) => {
            const { noteViolation } = window as unknown as { noteViolation: (violation: string) => void }
            noteViolation(`${effectiveDirective} ${blockedURI} in ${documentURI}`)
          },
        )
      })
      await use(violations)
      expect(violations, 'what the Content-Security-Policy refused').toEqual([])
    },
    { auto: true },
  ],
  consoleCheck: [
    async ({ context, expectedErrors, violations }, use) => {
      const stray: string[] = []
      const note = (text: string) => {
        // Violations have their own list, so that tests can't expect them here.
        if (isViolation(text)) violations.push(text)
        else if (!expectedErrors.some((expected) => expected.test(text))) stray.push(text)
      }
      const watch = (page: Page) => void watchErrors(page, note)
      context.pages().forEach(watch)
      context.on('page', watch)
      await use(undefined)
      expect(stray, 'errors on the console').toEqual([])
    },
    { auto: true },
  ],
  settings: [{}, { scope: 'worker', option: true }],
  started: [
    async ({ settings }, use) => {
      const started = await startServer(settings)
      await use(started)
      const unknown = await started.server.listUnknownCalls()
      started.stop()
      expect(unknown, 'calls that no emulator understood').toEqual([])
    },
    { scope: 'worker' },
  ],
  server: [async ({ started }, use) => use(started.server), { scope: 'worker' }],
  baseURL: async ({ server }, use) => use(server.origin),
  serverReset: [
    async ({ started, server }, use, testInfo) => {
      await server.resetSandbox()
      started.takeLog()
      await use(undefined)
      // Saved next to the screenshot and the trace of a failure.
      if (testInfo.status !== testInfo.expectedStatus)
        writeFileSync(testInfo.outputPath('server.log'), started.takeLog())
    },
    { auto: true },
  ],
})

const isViolation = (text: string) => /Content[ -]Security[ -]Policy/i.test(text)
