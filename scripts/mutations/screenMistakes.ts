// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources are quoted here, not evaluated
// Mistakes that somebody could make in the app: each was once put in, and no test saw it. `npm run mistakes` puts them in again.
import type { Mistake } from './mistake.ts'

const MONEY_TEXTS = 'e2e/money-texts.spec.ts'
const PLAN_TEXTS = 'e2e/plan-texts.spec.ts'

export const SCREEN_MISTAKES: readonly Mistake[] = [
  {
    name: 'the features of a plan have wrong numbers',
    changes: [
      {
        file: 'src/features/plans/PlanComparison.tsx',
        from: 'const allowance = plan?.allowance ?? 0',
        to: 'const allowance = (plan?.allowance ?? 0) + 1',
      },
    ],
    seenBy: [{ file: PLAN_TEXTS, title: 'what a transfer costs, and what a plan brings' }],
  },
  {
    name: 'the tick of the identity is turned round',
    changes: [
      {
        file: 'src/features/identity/IdentityMark.tsx',
        from: "{kind === 'approved' && (",
        to: "{kind !== 'approved' && (",
      },
    ],
    seenBy: [{ file: 'e2e/identity.spec.ts', title: 'an identity from the form to the green tick' }],
  },
  {
    name: 'the greeting is not in upper case',
    changes: [
      {
        file: 'src/shell/TopBar.tsx',
        from: 'const greeted = name.toLocaleUpperCase()',
        to: 'const greeted = name',
      },
    ],
    seenBy: [{ file: 'e2e/main-job.spec.ts', title: 'a new user signs up, sends money and holds a receipt' }],
  },
  {
    name: 'the bank leads back to nowhere',
    changes: [
      {
        file: 'src/services/cardPayments.ts',
        from: '`${location.origin}/payment-complete`',
        to: '`${location.origin}/nowhere`',
      },
    ],
    seenBy: [{ file: 'e2e/refusals.spec.ts', title: 'is asked for, and the payment goes on' }],
  },
  {
    name: 'the popup is looked at every 100 ms',
    changes: [
      {
        file: 'src/actors/popupQueue.ts',
        from: 'pause = Math.min(pause * 1.5, CLOSED_POLL_MAX)',
        to: 'pause = 100',
      },
    ],
    seenBy: [{ file: 'src/actors/popupQueue.test.ts', title: 'every 2 to 10 seconds' }],
  },
  {
    name: 'a cap that can not be checked is called reached',
    changes: [
      {
        file: 'src/features/transfer/checkoutMessages.ts',
        from: "case 'capUnavailable':\n      return {\n        kind: 'error',\n        title: i18n._(\n          msg`Impossible de vérifier le plafond mensuel pour le moment. Veuillez réessayer plus tard.`,\n        ),",
        to: "case 'capUnavailable':\n      return {\n        kind: 'error',\n        title: i18n._(msg`Plafond mensuel atteint`),",
      },
    ],
    seenBy: [{ file: MONEY_TEXTS, title: 'the transfer form says what every refusal means for the money' }],
  },
  {
    name: 'a payment in doubt is called one that was not charged',
    changes: [
      {
        file: 'src/ui/payment/checkoutText.ts',
        from: 'msg`La réponse de la banque n’est pas encore arrivée. Ne payez pas une seconde fois : nous vérifions encore, et votre carte ne sera débitée qu’une fois.`',
        to: 'msg`Votre carte n’a pas été débitée.`',
      },
    ],
    seenBy: [
      {
        file: MONEY_TEXTS,
        title: 'what became of a payment that was in doubt is told once the server knows',
      },
    ],
  },
  {
    name: 'what arrives at the new price and at the old one are swapped',
    changes: [
      {
        file: 'src/features/transfer/checkoutMessages.ts',
        from: 'À recevoir : ${arrives} au lieu de ${arrivedBefore}.',
        to: 'À recevoir : ${arrivedBefore} au lieu de ${arrives}.',
      },
      {
        file: 'src/locales/signedIn/en.po',
        from: 'msgid "Frais : {fee} au lieu de {feeBefore}. À recevoir : {arrives} au lieu de {arrivedBefore}.',
        to: 'msgid "Frais : {fee} au lieu de {feeBefore}. À recevoir : {arrivedBefore} au lieu de {arrives}.',
      },
    ],
    seenBy: [{ file: MONEY_TEXTS, title: 'the transfer form says what every refusal means for the money' }],
  },
  {
    name: 'a payment that is disputed at the bank is called one that was not charged',
    changes: [
      {
        file: 'src/actors/endedPayment.ts',
        from: "answer.outcome === 'released' ? 'unpaid' : answer.outcome",
        to: "answer.outcome === 'refunded' ? 'refunded' : 'unpaid'",
      },
    ],
    seenBy: [{ file: MONEY_TEXTS, title: 'is disputed is told of behind the sign-in' }],
  },
  {
    name: 'a start that fails says nothing of the payment that may have been open',
    changes: [{ file: 'src/shell/AuthErrorScreen.tsx', from: '      <ReopenAdvice />\n', to: '' }],
    seenBy: [{ file: MONEY_TEXTS, title: 'a start that fails' }],
  },
]
