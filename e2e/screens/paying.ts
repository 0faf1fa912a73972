import { confirmForm, fillTransfer, payWithCard } from '../steps/transfer.ts'
import { arrive } from './people.ts'
import type { Stage } from './screen.ts'

export const AMOUNT = { amount: '150' }

export async function confirmTransfer({ page }: Stage) {
  await fillTransfer(page, AMOUNT)
  await confirmForm(page)
}

export async function payWith(stage: Stage, card: string) {
  await arrive(stage)
  await confirmTransfer(stage)
  await payWithCard(stage.page, card)
}
