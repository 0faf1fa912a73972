import { expect, type Locator } from '@playwright/test'
import { activityRows } from '../steps/transfer.ts'
import { words } from '../words.ts'
import { arrive, deliver, registerWithDeliveries, registerWithHistory, signInAs } from './people.ts'
import { IN_APP, type ScreensOf, type Stage } from './screen.ts'

export const HISTORY_SCREENS: ScreensOf = {
  testedBy: ['history', 'deliveries'],
  at: IN_APP,
  screens: [
    {
      name: 'history',
      reach: openHistory,
      shows: ({ page }) => page.getByRole('main').getByRole('listitem').nth(3),
    },
    {
      name: 'history-empty',
      async reach(stage) {
        await arrive(stage)
        await stage.page.goto('/?view=history')
      },
      shows: ({ page }) => page.getByRole('main').getByText(words.noTransfers),
    },
    {
      name: 'history-nothing-found',
      async reach(stage) {
        await openHistory(stage)
        await stage.page.getByRole('searchbox').fill('Mariama')
      },
      shows: ({ page }) => page.getByText(/ne correspond à votre recherche|matches your search/),
    },
    {
      name: 'history-offline',
      isSaidOnce: true,
      async reach(stage) {
        await openHistory(stage)
        await expect(stage.page.locator('main ol > li').first()).toBeVisible()
        await expect(stage.page.getByText(/À jour à|Updated/)).toBeVisible()
        await stage.page.context().setOffline(true)
      },
      shows: ({ page }) => page.getByText(/Hors ligne\s: données|Offline: as of/),
    },
    {
      name: 'history-failed',
      async reach(stage) {
        const { page } = stage
        await signInAs(stage, await registerWithHistory(stage))
        await expect(activityRows(page).first()).toBeVisible()
        await page.getByRole('link', { name: ALL_OF_IT }).click()
        await page.route('**/documents:runQuery**', (route) => route.fulfill({ status: 500, json: {} }))
        await comeBack(stage, failed(stage))
      },
      shows: (stage) => failed(stage),
    },
    {
      name: 'history-deliveries',
      async reach(stage) {
        await signInAs(stage, await registerWithDeliveries(stage))
        await stage.page.getByRole('link', { name: ALL_OF_IT }).click()
      },
      shows: ({ page }) => page.getByRole('main').getByText(/Remis à MTN|Handed to MTN/),
    },
    {
      name: 'home-arrived',
      async reach(stage) {
        const { page } = stage
        const person = await registerWithDeliveries(stage)
        await signInAs(stage, person)
        const rows = activityRows(page)
        await expect(rows.first()).toContainText(/Remis à MTN|Handed to MTN/)
        await deliver(stage, person)
        await comeBack(stage, arrived(stage))
      },
      shows: (stage) => arrived(stage),
    },
  ],
}

/** As when the network comes back, until something is seen: a question that was under way before may have another answer. */
const comeBack = ({ page }: Stage, seen: Locator) =>
  expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect(seen).toBeVisible({ timeout: 3000 })
  }).toPass()

const failed = ({ page }: Stage) =>
  page.getByRole('main').getByText(/n’a pas pu être chargé|Failed to load transaction history/)

const arrived = ({ page }: Stage) => page.getByRole('status').getByText(/^(Arrivé à|Arrived at)/)

const ALL_OF_IT = /Tout voir|See all/

async function openHistory(stage: Stage) {
  await signInAs(stage, await registerWithHistory(stage))
  await stage.page.getByRole('link', { name: ALL_OF_IT }).click()
}
