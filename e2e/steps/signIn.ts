import { expect, type Page } from '@playwright/test'
import type { Language } from '../../domain/common/language.ts'
import { AUTH_ENDPOINTS } from '../authErrors.ts'
import type { Server } from '../server.ts'
import { getTestLanguage } from '../texts.ts'
import { words } from '../words.ts'
import { expectHome } from './pages.ts'
import { createPerson, type Person, type PhonePerson } from './person.ts'

export async function openInTestLanguage(page: Page) {
  await page.goto('/')
  // Earlier taps work too, but a browser refuses to open a window more than five seconds after the tap.
  await page.waitForFunction(() => window.opening?.isTakenOver)
  await chooseTestLanguage(page)
}

async function chooseTestLanguage(page: Page) {
  const language = getTestLanguage()
  if (language === 'en') await page.getByRole('button', { name: 'English' }).click()
  await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language)
}

export async function chooseLanguageInOtherTab(page: Page, language: Language) {
  await page.evaluate((chosen) => {
    localStorage.setItem('passerelle.language', JSON.stringify(chosen))
    dispatchEvent(new StorageEvent('storage', { key: 'passerelle.language' }))
  }, language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

export const openSignUp = (page: Page) => page.getByRole('button', { name: words.createInstead }).click()

export async function fillSignUp(page: Page, person: Person) {
  await openSignUp(page)
  await fillSignUpFields(page, person)
}

async function fillSignUpFields(page: Page, person: Person) {
  await page.getByLabel(words.name).fill(person.name)
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
}

export async function signUp(page: Page, person: Person) {
  await openSignUp(page)
  await submitSignUp(page, person)
}

export async function submitSignUp(page: Page, person: Person) {
  await fillSignUpFields(page, person)
  await page.getByRole('button', { name: words.createAccount }).click()
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
}

export async function signIn(page: Page, person: Person) {
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
  await page.getByRole('button', { name: words.signIn }).click()
}

/** The other side of the card keeps its values. */
export const signInPanel = (page: Page) => page.getByRole('tabpanel')

export async function openPhoneTab(page: Page, side: 'signIn' | 'signUp' = 'signIn') {
  await page.getByRole('tab', { name: words.phoneTab, exact: true }).click()
  await expect(signInPanel(page).getByLabel(words.phoneNumber)).toBeVisible()
  if (side === 'signIn') return
  await signInPanel(page).getByRole('button', { name: words.createInstead }).click()
  await expect(signInPanel(page).getByLabel(words.name)).toBeVisible()
}

export async function openPhoneSignUp(page: Page) {
  await openInTestLanguage(page)
  await openPhoneTab(page, 'signUp')
}

export async function requestCode(page: Page, phone: string) {
  await signInPanel(page).getByLabel(words.phoneNumber).fill(phone)
  await pressInPanel(page, words.getCode)
}

export async function requestSignUpCode(page: Page, { name, phone }: PhonePerson) {
  await signInPanel(page).getByLabel(words.name).fill(name)
  await requestCode(page, phone)
  await expect(signInPanel(page).getByText(words.codeSent)).toBeVisible()
}

export async function waitForSentCode(page: Page, server: Server, { phone }: { phone: string }) {
  await expect(page.getByText(words.codeSent)).toBeVisible()
  return server.smsCode(phone)
}

export async function enterCode(page: Page, server: Server, person: { phone: string }) {
  const code = await waitForSentCode(page, server, person)
  await signInPanel(page).getByLabel(words.code).fill(code)
}

/** The sign-up tab does not check the account first. */
export async function signInByPhone(page: Page, server: Server, person: PhonePerson) {
  await openPhoneTab(page, 'signUp')
  await requestSignUpCode(page, person)
  await enterCode(page, server, person)
  await pressInPanel(page, words.createAccount)
  await expectHome(page)
}

export async function openGooglePopup(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: words.google }).click()
  const popup = await opened
  // The page that leads to Google has a heading with the same name.
  await expect(popup.getByRole('textbox', { name: words.googleEmail })).toBeVisible()
  return popup
}

/** An installed app has one window and no address bar. */
export const emulateStandalone = (page: Page) =>
  page.addInitScript(() => {
    const { matchMedia } = window
    window.matchMedia = (query) =>
      matchMedia.call(window, query === '(display-mode: standalone)' ? 'all' : query)
  })

export async function openGoogleInOwnWindow(page: Page) {
  await page.getByRole('button', { name: words.google }).click()
  await expect(page.getByRole('textbox', { name: words.googleEmail })).toBeVisible()
  await expect(page).toHaveURL(/\/sandbox\/google\/auth/)
}

export async function completeGoogleSignIn(popup: Page, { name, email }: { name: string; email: string }) {
  await popup.getByRole('textbox', { name: words.googleName, exact: true }).fill(name)
  await popup.getByRole('textbox', { name: words.googleEmail }).fill(email)
  await popup.getByRole('button', { name: words.goOn, exact: true }).click()
}

export async function signOut(page: Page) {
  await page.getByRole('button', { name: words.menu }).click()
  await page.getByRole('menuitem', { name: words.signOut }).click()
  await expect(page.getByRole('tab', { name: words.emailTab })).toBeVisible()
}

/** The user has signed in and chosen the language on this device before. */
export async function openSignedInHome(
  page: Page,
  server: Server,
  person: Pick<Person, 'email' | 'password'>,
) {
  const { name, value } = await server.buildSession(person)
  // A page of the same origin that does not run the app.
  await page.goto('/robots.txt')
  await page.evaluate(
    ([name, value, language]) => {
      localStorage.setItem(name, value)
      localStorage.setItem('passerelle.language', JSON.stringify(language))
    },
    [name, value, getTestLanguage()] as const,
  )
  await page.goto('/')
  await expectHome(page)
}

export async function registerAndOpenHome(
  page: Page,
  server: Server,
): Promise<Person & { readonly uid: string }> {
  const person = createPerson()
  const uid = await server.register(person)
  await openSignedInHome(page, server, person)
  return { ...person, uid }
}

export async function registerAndOpenSignIn(page: Page, server: Server): Promise<Person> {
  const person = createPerson()
  await server.register(person)
  await openInTestLanguage(page)
  return person
}

export async function openMailedLink(page: Page, server: Server, email: string) {
  await page.goto(await server.mailLink(email))
  // The official emulator redirects immediately.
  if (!server.hasAuthEmulator) await page.getByRole('link', { name: words.goOn }).click()
}

export const pressInPanel = (page: Page, name: string) =>
  signInPanel(page).getByRole('button', { name, exact: true }).click()

export const mainAlert = (page: Page) => page.getByRole('main').getByRole('alert')

export const refuseNextAuthCall = (server: Server, call: keyof typeof AUTH_ENDPOINTS, message: string) =>
  server.addFault({
    on: `POST /identitytoolkit.googleapis.com/v1/${AUTH_ENDPOINTS[call]}`,
    times: 1,
    what: { kind: 'status', status: 400, message },
  })
