import { confirmForm, fillTransfer, payButton, typeCard } from '../steps/transfer.ts'
import { arrive } from './people.ts'
import type { Stage } from './screen.ts'

export const AMOUNT = { amount: '150' }

export async function confirmTransfer({ page, words }: Stage) {
  await fillTransfer(page, words, AMOUNT)
  await confirmForm(page, words)
}

export async function payWith(stage: Stage, card: string) {
  await arrive(stage)
  await confirmTransfer(stage)
  await typeCard(stage.page, stage.words, card)
  await payButton(stage.page, stage.words).click()
}
