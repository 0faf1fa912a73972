import type { Page } from '@playwright/test'
import type { Language } from '../domain/language.ts'
import { formatDay } from '../domain/month.ts'
import { paidUntil } from '../domain/plans.ts'
import { CRASH_OR_BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { PLAN_ENDS, PLAN_REFUSALS, PLANS, PRICES, WALLET } from './moneyTexts/plans.ts'
import {
  answer,
  dated,
  expectRefusals,
  expectSaid,
  FUNCTIONS,
  refusal,
  writePlan,
} from './steps/moneyTexts.ts'
import { openWallet, pressKey } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import { openPlans, subscribeButton } from './steps/plans.ts'
import { arriveHome, enter } from './steps/waysIn.ts'

// What is said about money, to the word, where a person reads it. The answers are put in the functions' mouths: what they answer when is
// tested elsewhere.
test.use({ expectedErrors: [CRASH_OR_BROKEN_CALLS] })

const BUTTONS = {
  fr: {
    checkAgain: 'Vérifier à nouveau',
    anotherCard: 'Prendre une autre carte',
    cancel: 'Résilier le forfait',
    confirm: 'Résilier',
  },
  en: {
    checkAgain: 'Check again',
    anotherCard: 'Use another card',
    cancel: 'Cancel the plan',
    confirm: 'Cancel the plan',
  },
}

const OFFERS = {
  none: { fr: 'Sans forfait', en: 'Without a plan' },
  basic: { fr: 'Forfait Basic', en: 'Basic Plan' },
  premium: { fr: 'Forfait Premium', en: 'Premium Plan' },
}

/** Somebody at home who has such a plan. */
async function arriveWithPlan(page: Page, server: Server, language: Language, change: object) {
  const person = somebody()
  const somebodyNew = { ...person, uid: await server.register(person) }
  await writePlan(server, somebodyNew, change)
  await enter(page, server, language, person)
  return somebodyNew
}

test('the plans say what every refusal means for the money @spec-plan-texts', async ({
  page,
  server,
  language,
  words,
}) => {
  await arriveHome(page, server, language)
  await openPlans(page, words)
  const subscribe = subscribeButton(page, 'basic')
  await expectRefusals(page, 'create-subscription', PLAN_REFUSALS, language, () => subscribe.click())
  await answer(page, 'create-subscription', { json: {} })
  await subscribe.click()
  await expectSaid(page, PLANS.noCheckoutUrl, language)
  await page.context().setOffline(true)
  await subscribe.click()
  await expectSaid(page, PLANS.offline, language)
  await page.context().setOffline(false)

  await page.goto('/settings?session_id=cs_test_unknown')
  await expectSaid(page, PLANS.verifyFailed, language)
})

test('a plan that is looked up, not renewed or left says what is charged @spec-plan-end-texts', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = BUTTONS[language]
  await arriveWithPlan(page, server, language, { renewalFailed: true })
  // It is asked again by itself, after a while.
  const verify = `${FUNCTIONS}/verify-subscription*`
  await page.route(verify, () => undefined)
  await page.goto('/settings?session_id=cs_test_1')
  await expectSaid(page, PLANS.verifying, language)
  await page.route(verify, (route) => route.fulfill(refusal('unavailable')))
  await page.reload()
  await expectSaid(page, PLANS.verifyUnclear, language)
  await expect(page.getByRole('button', { name: words.leaveChecking })).toBeVisible()
  // The app asks by itself too, and the button goes with a final answer: so there is one only after the press.
  await page.getByRole('button', { name: said.checkAgain }).click()
  await page.route(verify, (route) =>
    route.fulfill({ json: { success: false, tier: 'premium', subscriptionId: 'sub_1', status: 'declined' } }),
  )
  await expectSaid(page, PLANS.cardDeclined, language)
  await expectSaid(page, PLANS.renewalFailed, language, said.anotherCard)

  await answer(page, 'change-card', refusal('unavailable'))
  const anotherCard = page.getByRole('button', { name: said.anotherCard })
  await pressKey(anotherCard)
  await expectSaid(page, PLANS.cardChangeFailed, language)
  await expect(anotherCard).toBeFocused()
  for (const [code, told] of [
    ['unavailable', PLANS.updateFailed],
    ['planNotFound', PLANS.planNotFound],
  ] as const) {
    await answer(page, 'cancel-subscription', refusal(code))
    await page.getByRole('button', { name: said.cancel }).click()
    await page.getByRole('dialog').getByRole('button', { name: said.confirm }).click()
    await expectSaid(page, told, language)
  }
})

test('a cancellation of which nothing is heard is not said to have failed, and is shown once it is known', async ({
  page,
  server,
  language,
  words,
}) => {
  const { cancel, confirm } = BUTTONS[language]
  const person = await arriveWithPlan(page, server, language, {})
  await openPlans(page, words)
  await page.getByRole('button', { name: cancel }).click()
  // The server has cancelled the plan when the network goes.
  const calls = /cancel-subscription|documents:batchGet/
  await page.route(calls, async (route) => {
    await writePlan(server, person, { status: 'canceled', cancelAt: new Date(Date.UTC(2030, 1, 1)) })
    await route.abort()
  })
  await page.getByRole('dialog').getByRole('button', { name: confirm }).click()
  await expectSaid(page, PLANS.updateUnclear, language)
  await page.context().setOffline(true)
  await page.unroute(calls)
  await page.context().setOffline(false)
  await expect(page.getByText(PLAN_ENDS.until[language][0], { exact: true })).toBeVisible()
  await expect(page.getByText(PLANS.updateUnclear[language][0])).toBeHidden()
})

test('the wallet and the plans say what a transfer costs, and what a plan brings @spec-plan-features', async ({
  page,
  server,
  language,
  words,
}) => {
  await arriveHome(page, server, language)
  await openWallet(page, words)
  for (const said of Object.values(WALLET))
    await expect(page.getByText(said[language][0], { exact: true })).toBeVisible()
  await page.getByRole('button', { name: words.viewPlans }).click()
  await page.locator('[name=habitAmount]').fill('100')
  await page.locator('[name=habitCount]').fill('3')
  await expectSaid(page, PRICES.saved, language)
  for (const [plan, said] of Object.entries(PRICES).filter(([name]) => name !== 'saved')) {
    const [costs, ...features] = said[language]
    const name = OFFERS[plan as keyof typeof OFFERS][language]
    const offer = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
    await expect(offer.getByText(costs, { exact: true })).toBeVisible()
    await expect(offer.getByRole('listitem')).toHaveText(features)
  }
})

test('the end of a plan says until when, and that nothing is charged after it', async ({
  page,
  server,
  language,
  words,
}) => {
  const { cancel, confirm } = BUTTONS[language]
  const startDate = new Date(Date.now() - 18 * 24 * 3_600_000)
  const person = await arriveWithPlan(page, server, language, { startDate })
  await openPlans(page, words)
  await page.getByRole('button', { name: cancel }).click()
  const until = paidUntil({ startDate: startDate.getTime(), cancelAt: null } as never, Date.now()) ?? 0
  const question = page.getByRole('dialog')
  const [asked] = dated(PLAN_ENDS.question, formatDay(until, language))[language]
  await expect(question.getByText(asked, { exact: true })).toBeVisible()
  const cancelAt = Date.UTC(2030, 1, 1)
  await page.route(`${FUNCTIONS}/cancel-subscription`, async (route) => {
    await writePlan(server, person, { status: 'canceled', cancelAt: new Date(cancelAt) })
    await route.fulfill({ json: { cancelAt } })
  })
  await question.getByRole('button', { name: confirm }).click()
  await expectSaid(page, PLAN_ENDS.canceled, language)
  await expect(page.getByText(PLAN_ENDS.until[language][0], { exact: true })).toBeVisible()
})

test('a plan that stopped says that nothing was charged for it any more', async ({
  page,
  server,
  language,
  words,
}) => {
  await arriveWithPlan(page, server, language, {
    ...{ status: 'canceled', cancelAt: new Date(Date.UTC(2026, 1, 1)), renewalFailed: true },
  })
  await openPlans(page, words)
  await expectSaid(page, PLAN_ENDS.stopped, language)
})
