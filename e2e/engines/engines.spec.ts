import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { applyTextSpacing, findLayoutProblems, findTargetProblems } from '../layout.ts'
import { startServer } from '../server.ts'
import { PAGES } from '../steps/allPages.ts'
import { checkForNewVersion, waitUntilInstalled } from '../steps/deployment.ts'
import { historyRows, historyWords, openHistory, openSharing } from '../steps/history.ts'
import { expectHome } from '../steps/pages.ts'
import { createPerson, createPhonePerson } from '../steps/person.ts'
import { createTwoReleases, SECOND_RELEASE_SUFFIX } from '../steps/releases.ts'
import {
  completeGoogleSignIn,
  enterCode,
  openInTestLanguage,
  openPhoneTab,
  openSignUp,
  pressInPanel,
  registerAndOpenHome,
  signIn,
  signInByPhone,
  signInPanel,
  signOut,
  signUp,
} from '../steps/signIn.ts'
import { activityRows, closeReceipt, receiptSheet, sendMoney } from '../steps/transfer.ts'
import { words } from '../words.ts'
import type { Driver } from './driver.ts'
import { createPage, expect, test } from './fixtures.ts'

// These letters are on every keyboard.
const { name: NAME } = createPhonePerson()
const TRANSFER = { amount: '100' }

const getDownloadButton = (page: Page) => receiptSheet(page).getByRole('button', { name: words.download })

test('a user signs up by email, sends money and gets a receipt', async ({ page, driver, server }) => {
  const person = { ...createPerson(), name: NAME }
  await openInTestLanguage(page)
  await signUp(page, person)
  await page.goto(await server.mailLink(person.email))
  await page.getByRole('link', { name: words.goOn }).click()
  await expectHome(page)

  await sendMoney(page, TRANSFER)
  const [transfer, ...others] = await server.readTransactions(person.email)
  expect(others).toEqual([])
  expect(await server.listPaymentIntents(person.email)).toMatchObject([
    { amount: 10_000, status: 'succeeded' },
  ])
  await getDownloadButton(page).click()
  expect(await takeSavedPdf(driver)).toBe(`receipt-${transfer?.id}.pdf`)

  await receiptSheet(page).getByRole('button', { name: words.done }).click()
  await page.reload()
  await activityRows(page).click()
  await closeReceipt(page)
  await signOut(page)
  await signIn(page, person)
  await expect(page.getByText(NAME.toLocaleUpperCase(), { exact: true })).toBeVisible()
})

test('a user signs up with a phone and signs in again', async ({ page, server }) => {
  const person = createPhonePerson()
  await openInTestLanguage(page)
  await signInByPhone(page, server, person)

  await signOut(page)
  await openPhoneTab(page)
  await signInPanel(page).getByLabel(words.phoneNumber).fill(person.phone)
  await pressInPanel(page, words.getCode)
  await enterCode(page, server, person)
  await pressInPanel(page, words.signIn)
  await expect(page.getByText(NAME.toLocaleUpperCase(), { exact: true })).toBeVisible()
})

test('a user signs up with Google in the installed app', async ({ page }) => {
  await openInTestLanguage(page)
  // Simulates an app on the home screen of an iPhone.
  await page.evaluate(() => void Object.defineProperty(navigator, 'standalone', { value: true }))
  await openSignUp(page)
  await page.getByRole('button', { name: words.google }).click()
  await completeGoogleSignIn(page, { ...createPerson(), name: NAME })
  await expect(page.getByText(NAME.toLocaleUpperCase(), { exact: true })).toBeVisible()
})

test('the app works offline, and installs a new version once accepted', async ({ driver }) => {
  const releases = await createTwoReleases()
  const { server, stop } = await startServer({ SANDBOX_APP: releases.folder })
  const page = createPage(driver, server)
  await registerAndOpenHome(page, server)
  await sendMoney(page, TRANSFER)
  await receiptSheet(page).getByRole('button', { name: words.done }).click()
  await waitUntilInstalled(page)
  await page.reload()

  await test.step('a new version', async () => {
    await expectHome(page)
    await releases.publish('second')
    await checkForNewVersion(page)
    await page.getByRole('button', { name: words.update }).click()
    const build = () => page.evaluate(() => document.documentElement?.dataset.build ?? '')
    await expect.poll(build).toContain(SECOND_RELEASE_SUFFIX)
    await expect(activityRows(page)).toBeVisible()
  })

  await test.step('no network', async () => {
    stop()
    await expect.poll(() => fetch(server.origin).catch(() => null)).toBeNull()
    await page.goto('/')
    await expectHome(page)
    await openHistory(page)
    await historyRows(page).getByRole('button').click()
    await getDownloadButton(page).click()
    expect(await takeSavedPdf(driver)).toMatch(/^receipt-.*\.pdf$/)
  })
  await releases.remove()
})

test('a receipt is shared before the browser’s user activation expires', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
  await sendMoney(page, TRANSFER)
  // Neither engine has a share sheet here; on a phone, the system refuses to share without a tap.
  await page.evaluate(() => {
    const shared: string[] = []
    Object.assign(window, { shared })
    Object.assign(navigator, {
      canShare: () => true,
      share: async ({ files }: ShareData) => {
        const isTapped = navigator.userActivation?.isActive ?? true
        shared.push(`${files?.[0]?.type}, ${isTapped ? 'tapped' : 'too late'}`)
      },
    })
  })
  const shared = () => page.evaluate(() => (window as unknown as { shared: string[] }).shared)
  await openSharing(page)
  await receiptSheet(page).getByRole('button', { name: historyWords.share }).click()
  await expect.poll(shared).toEqual(['application/pdf, tapped'])
  await receiptSheet(page).getByRole('button', { name: historyWords.picture }).click()
  await expect.poll(shared).toEqual(['application/pdf, tapped', 'image/png, tapped'])
})

test('no screen overflows, cuts off text or has too small targets', async ({ page, driver, server }) => {
  const problems: string[] = []
  const measure = async (screen: string) => {
    for (const wanted of WIDTHS) {
      const width = Math.max(wanted, driver.narrowest)
      await driver.resize(width, 800)
      expect(await page.evaluate(() => innerWidth)).toBe(width)
      const found = [...(await findLayoutProblems(page)), ...(await findTargetProblems(page))]
      const tight = await applyTextSpacing(page)
      found.push(...(await findLayoutProblems(page, { breaks: 'anywhere' })).map((one) => `loose: ${one}`))
      await tight()
      problems.push(...found.map((one) => `${screen} at ${width}: ${one}`))
    }
  }
  await openInTestLanguage(page)
  await measure('signed out')
  await openPhoneTab(page)
  await measure('by phone')
  await registerAndOpenHome(page, server)
  await measure('home')
  await sendMoney(page, TRANSFER)
  await measure('receipt')
  await receiptSheet(page).getByRole('button', { name: words.done }).click()
  for (const [name, open] of Object.entries(PAGES)) {
    await open(page)
    await measure(name)
  }
  expect(problems).toEqual([])
})

const WIDTHS = [320, 360, 1280]

/** Deletes the PDF and returns its name. */
async function takeSavedPdf({ downloads }: Driver): Promise<string> {
  const find = async () => (await readdir(downloads)).find((file) => file.endsWith('.pdf')) ?? ''
  const readStart = async () => (await readFile(join(downloads, await find()))).subarray(0, 5).toString()
  await expect.poll(() => readStart().catch(String)).toBe('%PDF-')
  const name = await find()
  await rm(join(downloads, name))
  return name
}
