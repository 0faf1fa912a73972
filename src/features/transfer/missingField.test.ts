import { expect, test } from 'vitest'
import { EMPTY_SUBSCRIPTION } from '../../../domain/prices/plans.ts'
import type { TransferDraft } from '../../../domain/transfers/shapes/draftSchema.ts'
import { checkTransfer, EMPTY_TRANSFER_DRAFT } from '../../../domain/transfers/transfer.ts'
import { findNamedProblem, isConfirmationNext } from './missingField.ts'

const findProblems = (draft: Partial<TransferDraft>) => {
  const checked = checkTransfer(
    { ...EMPTY_TRANSFER_DRAFT, ...draft },
    { subscription: EMPTY_SUBSCRIPTION, now: 0 },
  )
  return checked.ok ? [] : checked.error
}
const FILLED = { amount: '150', phone: '+224 620 00 00 00' }

test.each<[what: string, draft: Partial<TransferDraft>, field: string | undefined]>([
  ['the amount of an empty form', {}, 'amount'],
  ['an amount above the limit', { ...FILLED, amount: '700' }, 'amount'],
  ['the number once there is an amount', { amount: '150' }, 'phone'],
  ['an invalid coupon', { ...FILLED, coupon: '!' }, 'coupon'],
  ['a confirmation out of view', FILLED, 'phoneConfirmed'],
  ['nothing of a complete form', { ...FILLED, phoneConfirmed: true }, undefined],
])('the line above the pay button names %s', (_, draft, field) => {
  expect(findNamedProblem(findProblems(draft), false)?.field).toBe(field)
})

test('the line above the button names no confirmation in view', () => {
  expect(findNamedProblem(findProblems(FILLED), true)).toBeNull()
  expect(findNamedProblem(findProblems({ amount: '150' }), true)?.field).toBe('phone')
})

test('the confirmation is the next step only if nothing else is missing', () => {
  expect(isConfirmationNext(findProblems(FILLED))).toBe(true)
  expect(isConfirmationNext(findProblems({ amount: '150' }))).toBe(false)
  expect(isConfirmationNext(findProblems({ ...FILLED, phoneConfirmed: true }))).toBe(false)
})
