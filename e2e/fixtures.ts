import { writeFileSync } from 'node:fs'
import { test as base, expect, type Page } from '@playwright/test'
import type { Language } from '../domain/language.ts'
import { type Server, type StartedServer, startServer } from './server.ts'
import { speakIn } from './texts.ts'

export { expect, type Server }

/** What Chromium writes for an answer that is an error, and the database SDK for a call that was cut: some tests ask for it. */
export const BROKEN_CALLS = /Failed to load resource|@firebase\/firestore.*RPC_ERROR/

/** The same, and what `crash` of the steps throws. */
export const CRASH_OR_BROKEN_CALLS = new RegExp(`not foreseen|${BROKEN_CALLS.source}`)

interface Fixtures {
  expectedErrors: RegExp[]
  /** What the Content-Security-Policy has refused, on any page; whatever is left in it fails the test. */
  violations: string[]
  watched: undefined
  renewed: undefined
  /** The language under test: French on the phone, English on the desk. */
  language: Language
}

interface WorkerFixtures {
  /** Of the server, where it is started in another way than for most tests (nobody pays out there): `{ DELIVERY_PROVIDERS: 'mtn,byHand' }`. */
  settings: Record<string, string>
  started: StartedServer
  server: Server
}

/** Each worker has a server of its own; each test its own people on it. Stray console errors fail a test. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  settings: [{}, { scope: 'worker', option: true }],
  started: [
    async ({ settings }, use) => {
      const started = await startServer(settings)
      await use(started)
      const unknown = await started.server.unknownCalls()
      started.stop()
      expect(unknown, 'calls that no emulator understood').toEqual([])
    },
    { scope: 'worker' },
  ],
  server: [async ({ started }, use) => use(started.server), { scope: 'worker' }],
  baseURL: async ({ server }, use) => use(server.origin),
  renewed: [
    async ({ started, server }, use, testInfo) => {
      await server.renew()
      started.takeLog()
      await use(undefined)
      // Beside the screenshot and the trace of what failed.
      if (testInfo.status !== testInfo.expectedStatus)
        writeFileSync(testInfo.outputPath('server.log'), started.takeLog())
    },
    { auto: true },
  ],
  language: [
    async ({}, use, { project }) => {
      const language = project.name === 'phone' ? 'fr' : 'en'
      speakIn(language)
      await use(language)
    },
    { auto: true },
  ],
  expectedErrors: [[], { option: true }],
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
  watched: [
    async ({ context, expectedErrors, violations }, use) => {
      const stray: string[] = []
      const note = (text: string) => {
        // A violation has a list of its own, and no test may expect one here.
        if (isViolation(text)) violations.push(text)
        else if (!expectedErrors.some((expected) => expected.test(text))) stray.push(text)
      }
      const watch = (page: Page) => {
        page.on('console', (message) => message.type() === 'error' && note(message.text()))
        page.on('pageerror', (error) => note(String(error)))
      }
      context.pages().forEach(watch)
      context.on('page', watch)
      await use(undefined)
      expect(stray, 'errors on the console').toEqual([])
    },
    { auto: true },
  ],
})

const isViolation = (text: string) => /Content[ -]Security[ -]Policy/i.test(text)
