import { ok } from '../domain/common/result.ts'
import { payment } from '../machines/testing/transferSituations.ts'
import { failWith, neverAnswer } from './fixtures.ts'
import { drawBankQuestion } from './frame/bankQuestion.ts'
import { showTransfer } from './machines.ts'
import type { Scene } from './scene.ts'

const atCardForm = showTransfer('awaitingCard')

export const PAYMENT_SCENES: readonly Scene[] = [
  {
    name: 'payment-looking-up',
    ...showTransfer('lookingUp', 'lookingUp.asking'),
    answers: { functions: { 'latest-attempt': neverAnswer } },
  },
  {
    name: 'payment-opening',
    ...atCardForm,
    answers: { cardPayments: { openCardForm: () => () => {} } },
  },
  {
    name: 'payment-form-failed',
    ...atCardForm,
    answers: {
      cardPayments: {
        openCardForm(_element, _options, onState) {
          onState('failed')
          return () => {}
        },
      },
    },
  },
  { name: 'payment', ...atCardForm },
  {
    name: 'payment-saved-card',
    ...showTransfer('reserving', 'awaitingCard', ({ reserve }) =>
      reserve.answer(ok({ ...payment, status: 'requires_payment_method', customerSession: 'cuss_1' })),
    ),
  },
  {
    name: 'payment-card-incomplete',
    ...showTransfer('confirmingCard', 'awaitingCard', ({ confirmCard }) =>
      confirmCard.answer({ kind: 'cardInvalid' }),
    ),
  },
  {
    name: 'payment-3-d-secure',
    ...showTransfer('confirmingCard', 'confirmingCard.expected'),
    answers: { cardPayments: { confirmCard: drawBankQuestion } },
  },
  { name: 'payment-declined', ...showTransfer('declined', 'editing') },
  { name: 'payment-recording', ...showTransfer('recording') },
  {
    name: 'payment-checking',
    ...showTransfer('waiting', 'checkingOutcome.waiting'),
    // The machine asks as soon as it learns that there is a network; this failure makes it wait again.
    answers: { functions: { 'record-transfer': failWith({ kind: 'network' }) } },
  },
  {
    name: 'payment-still-checking',
    ...showTransfer('waiting', 'editing', ({ send }) => send({ type: 'outcome.leave' })),
  },
]
