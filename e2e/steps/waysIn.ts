import { expect, type Page } from '@playwright/test'
import type { Language } from '../../domain/language.ts'
import { CALLS } from '../authErrors.ts'
import type { Server } from '../server.ts'
import { currentLanguage, speakIn } from '../texts.ts'
import { words } from '../words.ts'
import { expectHome } from './pages.ts'
import { type Person, type PhonePerson, somebody } from './people.ts'

/** Opens the signed-out screen in the language under test. */
export async function speak(page: Page) {
  const language = currentLanguage()
  await page.goto('/')
  // What is tapped before that counts too, but a browser lets nobody open a window more than five seconds after the tap.
  await page.waitForFunction(() => window.opening?.isTakenOver)
  await page.getByRole('button', { name: language === 'fr' ? 'Français' : 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

/** Chooses the language as in another tab of the same browser. The test goes on in it. */
export async function speakElsewhere(page: Page, language: Language) {
  speakIn(language)
  await page.evaluate((chosen) => {
    localStorage.setItem('passerelle.language', JSON.stringify(chosen))
    dispatchEvent(new StorageEvent('storage', { key: 'passerelle.language' }))
  }, language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

/** From the sign-in to the sign-up by e-mail, filled in. */
export async function fillSignUp(page: Page, person: Person) {
  await page.getByRole('button', { name: words.createInstead }).click()
  await page.getByLabel(words.name).fill(person.name)
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
}

/** From the signed-out screen to the verification screen. */
export async function signUp(page: Page, person: Person) {
  await fillSignUp(page, person)
  await page.getByRole('button', { name: words.createAccount }).click()
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
}

export async function signIn(page: Page, person: Person) {
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
  await page.getByRole('button', { name: words.signIn }).click()
}

/** The side of the sign-in card that is in sight; the other one keeps what was typed. */
export const panel = (page: Page) => page.getByRole('tabpanel')

/** From the signed-out screen to the phone's side of the card. */
export async function openPhone(page: Page, side: 'signIn' | 'signUp' = 'signIn') {
  await page.getByRole('tab', { name: words.phoneTab, exact: true }).click()
  await expect(panel(page).getByLabel(words.phoneNumber)).toBeVisible()
  if (side === 'signIn') return
  await panel(page).getByRole('button', { name: words.createInstead }).click()
  await expect(panel(page).getByLabel(words.name)).toBeVisible()
}

/** From the phone's side of the card, on the side of the sign-up, to the code. */
export async function askForCode(page: Page, { name, phone }: PhonePerson) {
  await panel(page).getByLabel(words.name).fill(name)
  await panel(page).getByLabel(words.phoneNumber).fill(phone)
  await panel(page).getByRole('button', { name: words.getCode }).click()
  await expect(panel(page).getByText(words.codeSent)).toBeVisible()
}

/** The code of the message that the page says is under way. */
export async function sentCode(page: Page, server: Server, { phone }: { phone: string }) {
  await expect(page.getByText(words.codeSent)).toBeVisible()
  return server.smsCode(phone)
}

/** Types the code of the message that the page says is under way. */
export async function enterCode(page: Page, server: Server, person: { phone: string }) {
  const code = await sentCode(page, server, person)
  await panel(page).getByLabel(words.code).fill(code)
}

/** In as somebody who has an account with a number, by the side that asks no server first. */
export async function signInByPhone(page: Page, server: Server, person: PhonePerson) {
  await openPhone(page, 'signUp')
  await askForCode(page, person)
  await panel(page)
    .getByLabel(words.code)
    .fill(await sentCode(page, server, person))
  await panel(page).getByRole('button', { name: words.createAccount }).click()
  await expectHome(page)
}

/** The window of the sign-in with Google, at the choice of an account. */
export async function openGoogle(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: words.google }).click()
  const popup = await opened
  // The page that goes on to Google has a heading that names it too.
  await expect(popup.getByRole('textbox', { name: words.googleEmail })).toBeVisible()
  return popup
}

/** The app as it is installed: with one window, and without an address bar. iOS tells it in a way of its own. */
export const standAlone = (page: Page, how: 'display mode' | 'iOS' = 'display mode') =>
  page.addInitScript((isIos) => {
    const { matchMedia } = window
    if (isIos) Object.defineProperty(navigator, 'standalone', { value: true })
    else
      window.matchMedia = (query) =>
        matchMedia.call(window, query === '(display-mode: standalone)' ? 'all' : query)
  }, how === 'iOS')

/** To the choice of a Google account in the app's own window. */
export async function leaveForGoogle(page: Page) {
  await page.getByRole('button', { name: words.google }).click()
  await expect(page.getByRole('textbox', { name: words.googleEmail })).toBeVisible()
  await expect(page).toHaveURL(/\/sandbox\/google\/auth/)
}

export async function chooseGoogle(popup: Page, { name, email }: { name: string; email: string }) {
  await popup.getByRole('textbox', { name: words.googleName, exact: true }).fill(name)
  await popup.getByRole('textbox', { name: words.googleEmail }).fill(email)
  await popup.getByRole('button', { name: words.goOn, exact: true }).click()
}

export async function signOut(page: Page) {
  await page.getByRole('button', { name: words.menu }).click()
  await page.getByRole('menuitem', { name: words.signOut }).click()
  await expect(page.getByRole('tab', { name: words.emailTab })).toBeVisible()
}

/** On the home screen as somebody who signed in on this device before, and chose the language there. */
export async function enter(page: Page, server: Server, person: Pick<Person, 'email' | 'password'>) {
  const { name, value } = await server.sessionOf(person)
  // A page of the same origin without the app: nothing of it may have run before.
  await page.goto('/robots.txt')
  await page.evaluate(
    ([name, value, language]) => {
      localStorage.setItem(name, value)
      localStorage.setItem('passerelle.language', JSON.stringify(language))
    },
    [name, value, currentLanguage()] as const,
  )
  await page.goto('/')
  await expectHome(page)
}

/** A new, verified person on the home screen. */
export async function arriveHome(page: Page, server: Server): Promise<Person & { readonly uid: string }> {
  const person = somebody()
  const uid = await server.register(person)
  await enter(page, server, person)
  return { ...person, uid }
}

/** Presses a button of the side of the sign-in card that is in sight, or the one that turns it. */
export const press = (page: Page, name: string) =>
  panel(page).getByRole('button', { name, exact: true }).click()

/** What the page says is wrong. */
export const alert = (page: Page) => page.getByRole('main').getByRole('alert')

/** The next call of this kind is refused with these words of the sign-in service. */
export const refuseOnce = (server: Server, call: keyof typeof CALLS, message: string) =>
  server.addFault({
    on: `POST /identitytoolkit.googleapis.com/v1/${CALLS[call]}`,
    times: 1,
    what: { kind: 'status', status: 400, message },
  })
