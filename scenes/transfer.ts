import { getNextMonthStart } from '../domain/common/month.ts'
import { err } from '../domain/common/result.ts'
import { money } from '../domain/money/money.ts'
import type { WalletTariffs } from '../domain/prices/walletTariffsSchema.ts'
import { listRecentTransfers } from '../domain/transfers/recentTransfers.ts'
import type { TransferDraft } from '../domain/transfers/shapes/draftSchema.ts'
import type { PartsRefusal } from '../machines/checkoutTypes.ts'
import { draft, ledger, type StartedActor } from '../machines/testing/transferSituations.ts'
import type { TransferParts } from '../machines/transfer.ts'
import { AWA, buildPlanRows, failWith, neverAnswer, PREMIUM_SUBSCRIPTION } from './fixtures.ts'
import type { User } from './frame/user.ts'
import { showTransfer } from './machines.ts'
import { IN_APP_STATES, SCENE_TIME, type Scene } from './scene.ts'
import { buildPaidTransfer, HISTORY } from './transactions.ts'

// After a sign-up, the device knows that the user has no recipients yet.
const atHome = { at: IN_APP_STATES, account: AWA, device: { nobodyKnown: true } } as const
const FORM: TransferDraft = { ...draft, amount: '150' }
const TO_MTN = { phone: '+224 660 00 04 80', receivingMethod: 'mtn_money' } as const
const TARIFFS: WalletTariffs = {
  mtn_money: { since: '2026-11-01', limit: 4_000_000, cashOut: { percent: 1 } },
}
const BASIC = { ...PREMIUM_SUBSCRIPTION, tier: 'basic', transactionsLeft: 2 } as const

const filled = (form: Partial<TransferDraft> = {}, steps: (started: StartedActor) => unknown = () => {}) => ({
  ...atHome,
  ...showTransfer('editing', 'editing', async (started) => {
    started.send({ type: 'draft.change', patch: { ...FORM, ...form } })
    await steps(started)
  }),
})

const refused = (refusal: PartsRefusal<TransferParts>, form: Partial<TransferDraft> = {}) =>
  filled(form, ({ confirm, reserve }) => {
    confirm()
    return reserve.answer(err(refusal))
  })

const holder = (answer: { kind: 'named'; name: string } | { kind: 'none' }) => ({
  ...filled(TO_MTN),
  answers: { holders: { fetchWalletHolder: async () => answer } },
  // The app looks up the holder once the number has not changed for 500 ms.
  delays: { 500: 0 },
})

/** MTN Money has configured tariffs. */
const typedForMtn = (amount: string, text: string, pressed?: string) => ({
  ...atHome,
  answers: { walletTariffs: { getWalletTariffs: () => TARIFFS } },
  async act({ type, see, press }: User) {
    await type('Vous payez', amount)
    await type('Téléphone du bénéficiaire', TO_MTN.phone)
    await see(text)
    if (pressed) await press(pressed)
  },
})

const IN_HAND = 'Environ {amount} en main après le retrait (tarif du {date})'

const withLedger = (recordedCents: number) => ({
  rows: { ledgers: [{ ...ledger, recordedCents, asOf: SCENE_TIME }] },
})

export const TRANSFER_SCENES: readonly Scene[] = [
  { name: 'home-empty', ...atHome },
  { name: 'home-filled', ...filled(), shows: 'Premier envoi à ce numéro. Relisez chaque chiffre :' },
  {
    name: 'home-recipient-named',
    ...filled({ recipientName: 'Mariama Bah' }),
    shows: 'Nom du bénéficiaire (facultatif)',
  },
  {
    name: 'home-field-errors',
    ...atHome,
    async act({ type, leave }) {
      await type('Vous payez', '9,99')
      await type('Téléphone du bénéficiaire', '+33 6 12 34 56 78')
      leave()
    },
    shows: 'Le numéro doit commencer par {prefix} pour {country}',
  },
  {
    name: 'home-price',
    ...filled(),
    ...withLedger(20_000),
    act: ({ press }) => press('Frais'),
    shows: 'Il vous reste ce mois-ci',
  },
  {
    name: 'home-coupon-error',
    ...filled(),
    async act({ press, type, leave }) {
      await press('Frais')
      await type('Code promo (facultatif)', '!')
      leave()
    },
    shows: 'Format de code promo invalide',
  },
  {
    name: 'home-number-asked',
    ...filled({ country: 'CA', phone: '+1 876 555 0123', receivingMethod: 'interac' }),
    shows: 'Est-ce bien ce numéro ?',
  },
  {
    name: 'home-plan-unread',
    isBrief: true,
    ...filled(),
    // The session must not read the profile, so the account is never reported.
    answers: { auth: { watchAccount: () => () => {} }, profiles: { fetchProfile: neverAnswer } },
    shows: 'Frais : lecture du forfait…',
  },
  {
    name: 'home-holder-named',
    ...holder({ kind: 'named', name: 'Mariama B.' }),
    shows: 'Est-ce bien <0><1>{name}</1></0> ? C’est le nom que {provider} a pour ce numéro.',
  },
  {
    name: 'home-holder-none',
    ...holder({ kind: 'none' }),
    shows: 'Rien n’a été payé. Vérifiez le numéro, ou choisissez un autre portefeuille.',
  },
  {
    name: 'home-offline',
    ...filled({}, ({ send, confirm }) => {
      send({ type: 'network.lost' })
      confirm()
    }),
    isOffline: true,
    shows: 'Vous êtes hors ligne',
  },
  { name: 'home-activity', ...filled(), device: {}, rows: { transactions: HISTORY } },
  {
    name: 'home-history-failed',
    ...atHome,
    answers: { transactions: { fetchHistory: failWith({ kind: 'network' }) } },
    shows: 'Pas de réseau : voici les transferts déjà vus sur cet appareil.',
  },
  {
    name: 'cap-reached',
    ...refused({ kind: 'monthlyCapExceeded', leftCents: 5_000, resetsAt: getNextMonthStart(SCENE_TIME) }),
    ...withLedger(95_000),
    shows: 'Plafond mensuel atteint',
  },
  {
    name: 'price-changed',
    ...refused({ kind: 'quoteChanged', facts: { at: SCENE_TIME, subscription: BASIC, ledger } }),
    rows: buildPlanRows(BASIC),
    shows: 'Le prix de ce transfert a changé',
  },
  {
    name: 'coupon-ended',
    ...refused({ kind: 'couponEnded', coupon: 'ZERO' }, { coupon: 'ZERO' }),
    shows: 'Ce code promo n’est plus valable, et rien n’a été débité. Effacez-le pour payer au prix affiché.',
  },
  {
    name: 'payments-paused',
    ...refused({ kind: 'paymentsPaused' }),
    shows: 'Vos paiements sont suspendus pour l’instant',
  },
  {
    name: 'transfer-again',
    ...filled({}, ({ send }) =>
      send({
        type: 'form.confirm',
        attemptId: 'a1',
        at: SCENE_TIME,
        recent: listRecentTransfers(HISTORY, []),
      }),
    ),
    at: { ...IN_APP_STATES, transfer: 'confirmingDuplicate' },
    device: {},
    rows: { transactions: HISTORY },
    shows: 'Envoyer à nouveau ?',
  },
  {
    name: 'home-arrival',
    ...atHome,
    device: { arrivalsTold: 1 },
    rows: { transactions: [buildPaidTransfer(1, { id: 'pi_3Nkindia0001' }), ...HISTORY.slice(1)] },
    shows: 'Arrivée prévue à {text}',
  },
  {
    name: 'identity-required',
    ...filled({ amount: '250' }),
    ...withLedger(5_000),
    answers: { identityLimit: { getIdentityLimit: () => 25_000 } },
    shows: 'Vérifiez votre identité pour envoyer ce montant',
  },
  {
    name: 'identity-refused',
    ...refused({ kind: 'identityRequired', limitCents: 25_000, document: 'rejected' }),
    shows: 'Votre document n’a pas été accepté',
  },
  {
    name: 'profile-without-name',
    ...refused({ kind: 'nameRequired' }),
    shows: 'Ouvrir mon profil',
  },
  { name: 'wallet-limit', ...typedForMtn('500', '{name} accepte au plus {max} par transfert') },
  {
    name: 'wallet-limit-refused',
    ...refused(
      {
        ...{ kind: 'walletLimitExceeded', wallet: 'mtn_money' },
        ...{ limit: money(4_000_000, 'GNF'), fits: money(38_902, 'EUR') },
      },
      { ...TO_MTN, amount: '500' },
    ),
    shows: 'Votre carte n’a pas été débitée. Envoyez moins, ou choisissez un autre portefeuille.',
  },
  { name: 'wallet-cash-out', ...typedForMtn('100', IN_HAND) },
  { name: 'wallet-cash-out-price', ...typedForMtn('100', IN_HAND, 'Frais') },
  {
    name: 'cap-exceeded',
    ...filled({ amount: '250' }),
    ...withLedger(80_000),
    shows: 'C’est plus que ce qu’il vous reste ce mois-ci',
  },
]
