import { expect } from '@playwright/test'
import { demandProof } from '../steps/faults.ts'
import { openProfile } from '../steps/pages.ts'
import { somebody, somebodyWithPhone } from '../steps/people.ts'
import { signInByPhone, speak } from '../steps/waysIn.ts'
import { words } from '../words.ts'
import { arrive } from './people.ts'
import { button, IN_APP, type ScreensOf, type Stage, text } from './screen.ts'

export const PROFILE_SCREENS: ScreensOf = {
  testedBy: ['profile'],
  at: IN_APP,
  screens: [
    {
      name: 'profile-password-for-address',
      async reach({ page, server }) {
        await server.protectAddresses(true)
        const person = somebodyWithPhone()
        await server.registerPhone(person)
        await speak(page)
        await signInByPhone(page, server, person)
        await openProfile(page)
        await page.getByRole('textbox', { name: words.email }).fill(somebody().email)
        await page.getByRole('button', { name: words.changeEmail }).click()
        await expect(page.getByText(words.passwordForAddress)).toBeVisible()
        await server.protectAddresses(false)
      },
      shows: text('passwordForAddress'),
    },
    {
      name: 'profile',
      async reach(stage) {
        await arrive(stage)
        await openProfile(stage.page)
      },
      shows: button('security'),
    },
    {
      name: 'profile-by-phone',
      reach: openProfileByPhone,
      shows: text('signsInWith'),
    },
    {
      name: 'profile-errors',
      async reach(stage) {
        const { page } = stage
        await arrive(stage)
        await openProfile(page)
        await page.getByLabel(words.name).fill('')
        await page.getByLabel(words.email, { exact: true }).fill('aissatou@')
        for (const save of [words.saveName, words.changeEmail, words.savePhone])
          await page.getByRole('button', { name: save }).click()
        for (const said of [words.ownNameWanted, words.ownAddressWrong])
          await expect(page.getByText(said)).toBeVisible()
      },
      shows: text('phoneWanted'),
    },
    {
      name: 'profile-link-sent',
      async reach(stage) {
        await arrive(stage)
        await changeAddress(stage)
      },
      shows: text('openLink'),
    },
    {
      name: 'proof',
      async reach(stage) {
        await arrive(stage)
        await demandProof(stage.server)
        await changeAddress(stage)
      },
      shows: ({ page }) => page.getByRole('dialog').getByLabel(words.currentPassword),
    },
    {
      name: 'change-number',
      at: { phoneOtp: 'editing' },
      async reach(stage) {
        await openProfileByPhone(stage)
        await stage.page.getByRole('button', { name: words.changeNumber }).click()
      },
      shows: ({ page }) => page.getByRole('dialog').getByLabel(words.phoneNumber),
    },
    {
      name: 'change-number-code',
      at: { phoneOtp: 'enteringCode' },
      async reach(stage) {
        const { page } = stage
        await openProfileByPhone(stage)
        await page.getByRole('button', { name: words.changeNumber }).click()
        const sheet = page.getByRole('dialog')
        await sheet.getByLabel(words.phoneNumber).fill(somebodyWithPhone().phone)
        await sheet.getByRole('button', { name: words.getCode }).click()
      },
      shows: text('codeSent'),
    },
  ],
}

async function openProfileByPhone({ page, server }: Stage) {
  const person = somebodyWithPhone()
  await server.registerPhone(person)
  await speak(page)
  await signInByPhone(page, server, person)
  await expect(page.getByText(words.welcome)).toBeHidden()
  await openProfile(page)
}

async function changeAddress({ page }: Stage) {
  await openProfile(page)
  await page.getByLabel(words.email, { exact: true }).fill('aissatou.barry@example.com')
  await page.getByRole('button', { name: words.changeEmail }).click()
}
