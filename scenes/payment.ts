import { ok } from '../domain/common/result.ts'
import { payment } from '../machines/testing/transferSituations.ts'
import { AWA, failWith, neverAnswer } from './fixtures.ts'
import { drawBankQuestion } from './frame/bankQuestion.ts'
import { walkTo } from './machines.ts'
import { IN_APP_STATES, type Scene } from './scene.ts'

const account = AWA
const paying = { at: { ...IN_APP_STATES, transfer: 'awaitingCard' }, account } as const
const atCardForm = { ...paying, snapshots: { transfer: walkTo('awaitingCard') } } as const

export const PAYMENT_SCENES: readonly Scene[] = [
  {
    name: 'payment-looking-up',
    at: { ...IN_APP_STATES, transfer: 'lookingUp.asking' },
    account,
    snapshots: { transfer: walkTo('lookingUp') },
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
    ...paying,
    snapshots: {
      transfer: walkTo('reserving', ({ reserve }) =>
        reserve.answer(ok({ ...payment, status: 'requires_payment_method', customerSession: 'cuss_1' })),
      ),
    },
  },
  {
    name: 'payment-card-incomplete',
    ...paying,
    snapshots: {
      transfer: walkTo('confirmingCard', ({ confirmCard }) => confirmCard.answer({ kind: 'cardInvalid' })),
    },
  },
  {
    name: 'payment-3-d-secure',
    at: { ...IN_APP_STATES, transfer: 'confirmingCard.expected' },
    account,
    snapshots: { transfer: walkTo('confirmingCard') },
    answers: { cardPayments: { confirmCard: drawBankQuestion } },
  },
  { name: 'payment-declined', at: IN_APP_STATES, account, snapshots: { transfer: walkTo('declined') } },
  {
    name: 'payment-recording',
    at: { ...IN_APP_STATES, transfer: 'recording' },
    account,
    snapshots: { transfer: walkTo('recording') },
  },
  {
    name: 'payment-checking',
    at: { ...IN_APP_STATES, transfer: 'checkingOutcome.waiting' },
    account,
    snapshots: { transfer: walkTo('waiting') },
    // The machine asks as soon as it learns that there is a network; this failure makes it wait again.
    answers: { functions: { 'record-transfer': failWith({ kind: 'network' }) } },
  },
  {
    name: 'payment-still-checking',
    at: IN_APP_STATES,
    account,
    snapshots: { transfer: walkTo('waiting', ({ send }) => send({ type: 'outcome.leave' })) },
  },
]
