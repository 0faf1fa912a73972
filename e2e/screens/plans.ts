import type { Locator } from '@playwright/test'
import { openWallet } from '../steps/pages.ts'
import { openPlans, subscribeButton } from '../steps/plans.ts'
import { arrive, inDays, registerWithLedger, registerWithPlan, signInAs } from './people.ts'
import { IN_APP, type ScreensOf, type Stage } from './screen.ts'

export const PLANS_SCREENS: ScreensOf = {
  testedBy: ['plans', 'prices', 'plan-texts'],
  at: IN_APP,
  screens: [
    {
      name: 'wallet',
      async reach(stage) {
        await signInAs(
          stage,
          await registerWithLedger(stage, { recordedCents: 42_000, reservedCents: 15_000 }),
        )
        await openWallet(stage.page)
      },
      shows: ({ page }) => page.getByRole('main').getByText(/430[,.]00/),
    },
    {
      name: 'wallet-plan',
      async reach(stage) {
        await signInAs(stage, await registerWithPlan(stage, { status: 'canceled', cancelAt: inDays(12) }))
        await openWallet(stage.page)
      },
      shows: ({ page }) => page.getByText(/^(3 sur 5|3 of 5)$/),
    },
    {
      name: 'wallet-failed',
      async reach(stage) {
        await arrive(stage)
        await stage.page.route('**/documents:batchGet**', (route) => route.fulfill({ status: 500, json: {} }))
        await openWallet(stage.page)
      },
      shows: ({ page }) => page.getByText(/Impossible de vérifier le plafond|monthly limit can’t be checked/),
    },
    {
      name: 'plans',
      at: { subscription: 'none' },
      async reach(stage) {
        await arrive(stage)
        await openPlans(stage.page)
      },
      shows: ({ page }) => subscribeButton(page, 'premium'),
    },
    {
      name: 'plans-none-cheaper',
      at: { subscription: 'none' },
      async reach(stage) {
        await arrive(stage)
        await openPlans(stage.page)
        await stage.page.locator('[name=habitAmount]').fill('10')
        await stage.page.locator('[name=habitCount]').fill('')
      },
      shows: ({ page }) => page.getByText(/Aucun forfait n’est moins cher|No plan is cheaper/),
    },
    {
      name: 'plan-refused',
      at: { subscription: 'none' },
      async reach(stage) {
        await arrive(stage)
        await stage.page.route('**/create-subscription', (route) => route.abort())
        await openPlans(stage.page)
        await subscribeButton(stage.page, 'basic').click()
      },
      shows: ({ page }) => page.getByText(/n’a pas pu être créé|Failed to create subscription/),
    },
    {
      name: 'plan-checking',
      at: { subscription: 'verifying.asking' },
      async reach(stage) {
        await arrive(stage)
        await stage.page.route('**/verify-subscription*', () => undefined)
        await stage.page.goto('/settings?session_id=cs_test_1')
      },
      shows: ({ page }) => page.getByText(/Nous vérifions votre paiement|We are checking your payment/),
    },
    {
      name: 'plan-unclear',
      at: { subscription: 'verifying.waiting' },
      async reach(stage) {
        await arrive(stage)
        await stage.page.route('**/verify-subscription*', (route) => route.abort())
        await stage.page.goto('/settings?session_id=cs_test_1')
      },
      shows: ({ page }) =>
        page.getByRole('button', { name: /Continuer sans attendre|Go on without waiting/ }),
    },
    {
      name: 'plan-active',
      at: { subscription: 'active.idle' },
      async reach(stage) {
        await signInAs(stage, await registerWithPlan(stage, {}))
        await openPlans(stage.page)
      },
      shows: cancelPlanButton,
    },
    {
      name: 'plan-not-renewed',
      at: { subscription: 'active.idle' },
      async reach(stage) {
        await signInAs(stage, await registerWithPlan(stage, { renewalFailed: true }))
        await openPlans(stage.page)
      },
      shows: ({ page }) => page.getByText(/n’a pas pu être débité|could not be charged/),
    },
    {
      name: 'plan-cancel',
      at: { subscription: 'active.confirmingCancel' },
      async reach(stage) {
        await signInAs(stage, await registerWithPlan(stage, {}))
        await openPlans(stage.page)
        await cancelPlanButton(stage).click()
      },
      shows: ({ page }) => page.getByRole('dialog').getByRole('button', { name: /Garder|Keep/ }),
    },
    {
      name: 'plan-update-unclear',
      at: { subscription: 'active.idle' },
      async reach(stage) {
        await signInAs(stage, await registerWithPlan(stage, {}))
        await openPlans(stage.page)
        await stage.page.route(/cancel-subscription|documents:batchGet/, (route) => route.abort())
        await cancelPlanButton(stage).click()
        await stage.page
          .getByRole('dialog')
          .getByRole('button', { name: /^(Résilier|Cancel the plan)$/ })
          .click()
      },
      shows: ({ page }) => page.getByText(/où en est votre forfait|how your plan stands/),
    },
    {
      name: 'plan-canceled',
      at: { subscription: 'canceled' },
      async reach(stage) {
        await signInAs(stage, await registerWithPlan(stage, { status: 'canceled', cancelAt: inDays(12) }))
        await openPlans(stage.page)
      },
      shows: ({ page }) => page.getByText(/Résilié\s: vous le gardez|Cancelled: you keep it/),
    },
    {
      name: 'plan-stopped',
      at: { subscription: 'none' },
      async reach(stage) {
        const over = { status: 'canceled', cancelAt: inDays(-2), renewalFailed: true }
        await signInAs(stage, await registerWithPlan(stage, over))
        await openPlans(stage.page)
      },
      shows: ({ page }) => page.getByText(/s’est arrêté le|stopped on/),
    },
  ],
}

function cancelPlanButton({ page }: Stage): Locator {
  return page.getByRole('main').getByRole('button', { name: /Résilier le forfait|Cancel the plan/ })
}
