import { expect, type Page } from '@playwright/test'
import type { Language } from '../../domain/common/language.ts'
import type { SceneChange, SetResponse } from '../../scenes/frame/environment.ts'
import type { ServiceCall, ServiceResponse } from '../../scenes/scene.ts'
import type { CHECKERS } from '../checkers.ts'
import { getTestLanguage, setTestLanguage } from '../texts.ts'
import { serveScenes } from './sceneServer.ts'

let opened = 0

/** Waits until the machines are in the scene's states. `language`: the language under test from now on. */
export async function openScene(
  page: Page,
  name: string,
  { language = getTestLanguage(), ...change }: SceneChange & { language?: Language } = {},
) {
  setTestLanguage(language)
  const origin = await serveScenes()
  // Only another document begins with another scene: a new hash alone does not load one.
  await page.goto(
    `${origin}frame.html?${++opened}#${new URLSearchParams({ scene: name, language, change: JSON.stringify(change) })}`,
  )
  const isShown = () => document.documentElement.dataset.scene === 'shown'
  // By default Playwright looks at each frame, and so makes the browser draw each.
  await page.waitForFunction(isShown, null, { polling: 20, timeout: 60_000 }).catch(async () => {
    expect(await page.evaluate(() => window.listWrongStates()), `the states of ${name}`).toEqual([])
    throw new Error(`${name}: a step of the scene waits for an element that never appears`)
  })
}

/** The browser caches these compiled scripts, but not those of `loadChecker`. */
export async function addCheckers(page: Page, ...names: readonly (keyof typeof CHECKERS)[]) {
  const origin = await serveScenes()
  for (const name of names) await page.addScriptTag({ url: `${origin}${name}.js` })
}

export const setResponse = <Call extends ServiceCall>(
  page: Page,
  call: Call,
  response: SetResponse<ServiceResponse<Call>>,
) =>
  page.evaluate(([name, given]) => window.setResponse(name, given), [call, response as SetResponse] as const)

/** Each call's arguments since the scene was opened. */
export const listCalls = (page: Page, call: ServiceCall) =>
  page.evaluate((name) => window.calls[name] ?? [], call)

/** Since the scene was opened. */
export const countCalls = async (page: Page, call: ServiceCall) => (await listCalls(page, call)).length

export const releaseCode = (page: Page) => page.evaluate(() => window.releaseCode())

export const setOffline = (page: Page, isOffline: boolean) =>
  page.evaluate((isGone) => {
    Object.defineProperty(navigator, 'onLine', { value: !isGone, configurable: true })
    dispatchEvent(new Event(isGone ? 'offline' : 'online'))
  }, isOffline)

/** UTC ms, from now on without moving. */
export const setTime = (page: Page, time: number) =>
  page.evaluate((now) => void Object.assign(Date, { now: () => now }), time)

export const setLanguage = (page: Page, language: Language) =>
  page.evaluate((chosen) => window.setLanguage(chosen), language)

declare global {
  interface Window {
    calls: Readonly<Record<string, readonly (readonly unknown[])[]>>
    listWrongStates: () => string[]
    releaseCode: () => void
    setResponse: (call: string, response: SetResponse) => void
    setLanguage: (language: Language) => Promise<void>
  }
}
