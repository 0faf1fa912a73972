import { test as base, expect, type Page } from '@playwright/test'
import type { Language } from '../src/domain/language.ts'
import { type Server, startServer } from './server.ts'
import { WORDS, type Words } from './steps.ts'

export { expect, type Server }

interface Fixtures {
  expectedErrors: RegExp[]
  watched: undefined
  renewed: undefined
  /** Both languages are spoken in each test that asks for one: French on the phone, English on the desk. */
  language: Language
  words: Words
}

/** Each worker has a server of its own; each test its own people on it. Stray console errors fail a test. */
export const test = base.extend<Fixtures, { server: Server }>({
  server: [
    async ({}, use) => {
      const { server, stop } = await startServer()
      await use(server)
      const unknown = await server.unknownCalls()
      stop()
      expect(unknown, 'calls that no stand-in understood').toEqual([])
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.origin),
  renewed: [
    async ({ server }, use) => {
      await server.renew()
      await use(undefined)
    },
    { auto: true },
  ],
  language: async ({}, use, { project }) => use(project.name === 'phone' ? 'fr' : 'en'),
  words: async ({ language }, use) => use(WORDS[language]),
  expectedErrors: [[], { option: true }],
  watched: [
    async ({ context, expectedErrors }, use) => {
      const stray: string[] = []
      const note = (text: string) => {
        if (!expectedErrors.some((expected) => expected.test(text))) stray.push(text)
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
