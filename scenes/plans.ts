import { DAY } from '../domain/common/duration.ts'
import { arrange } from '../machines/testing/subscriptionSituations.ts'
import { ledger } from '../machines/testing/transferSituations.ts'
import { AWA, buildPlanRows, failData, failWith, PREMIUM_SUBSCRIPTION } from './fixtures.ts'
import { inState } from './machines.ts'
import { IN_APP_STATES, SCENE_TIME, type Scene } from './scene.ts'

const wallet = {
  at: { ...IN_APP_STATES, subscription: 'none' },
  account: AWA,
  page: 'wallet',
} as const

/** `state`: expected state of the subscription machine. */
const plans = (state: string) =>
  ({ at: { ...IN_APP_STATES, subscription: state }, account: AWA, path: '/settings' }) as const

const withPremium = { ...plans('active.idle'), rows: buildPlanRows(PREMIUM_SUBSCRIPTION) }
const UNCONFIRMED = {
  ...PREMIUM_SUBSCRIPTION,
  renewalFailed: true,
  confirmation: { url: 'https://invoice.example/in_1', keptUntil: SCENE_TIME + 3 * DAY },
} as const
const CANCELED = { ...PREMIUM_SUBSCRIPTION, status: 'canceled', cancelAt: SCENE_TIME + 12 * DAY } as const

export const PLANS_SCENES: readonly Scene[] = [
  {
    ...wallet,
    name: 'wallet',
    rows: { ledgers: [{ ...ledger, recordedCents: 42_000, reservedCents: 15_000, asOf: SCENE_TIME }] },
  },
  {
    ...wallet,
    name: 'wallet-failed',
    answers: { ledgers: { fetchLedger: failData('fetchLedger') } },
    shows: 'Impossible de vérifier le plafond mensuel pour le moment. Veuillez réessayer plus tard.',
  },
  { ...plans('none'), name: 'plans' },
  {
    ...plans('none'),
    name: 'plans-none-cheaper',
    async act({ type }) {
      await type('Montant par transfert', '10')
      await type('Transferts par mois', '')
    },
  },
  {
    ...plans('none'),
    name: 'plan-refused',
    ...inState('subscription', 'none', arrange.startingCheckout, ({ startCheckout }) => startCheckout.fail()),
  },
  { ...plans('verifying.asking'), name: 'plan-checking', path: '/settings?session_id=cs_test_1' },
  {
    ...plans('verifying.waiting'),
    name: 'plan-unclear',
    path: '/settings?session_id=cs_test_1',
    answers: { subscriptions: { fetchCheckoutStatus: failWith({ kind: 'network' }) } },
  },
  { ...withPremium, name: 'plan-active' },
  {
    ...withPremium,
    name: 'plan-not-renewed',
    rows: buildPlanRows({ ...PREMIUM_SUBSCRIPTION, renewalFailed: true }),
  },
  { ...withPremium, name: 'plan-unconfirmed', rows: buildPlanRows(UNCONFIRMED) },
  {
    ...withPremium,
    name: 'plan-card-unconfirmed',
    rows: buildPlanRows(UNCONFIRMED),
    ...inState('subscription', 'active.idle', arrange.cardUnconfirmed),
  },
  {
    name: 'home-renewal-unconfirmed',
    at: IN_APP_STATES,
    account: AWA,
    rows: buildPlanRows(UNCONFIRMED),
    shows: 'Votre banque attend votre confirmation',
  },
  {
    ...withPremium,
    ...inState('subscription', 'active.confirmingCancel', arrange.confirmingCancel),
    name: 'plan-cancel',
  },
  {
    ...withPremium,
    name: 'plan-update-unclear',
    ...inState('subscription', 'active.idle', arrange.canceling, async ({ cancel, refresh }) => {
      await cancel.fail()
      await refresh.fail()
    }),
  },
  { ...plans('canceled'), name: 'plan-canceled', rows: buildPlanRows(CANCELED) },
  {
    ...plans('none'),
    name: 'plan-stopped',
    rows: buildPlanRows({ ...CANCELED, cancelAt: SCENE_TIME - 2 * DAY, renewalFailed: true }),
  },
]
