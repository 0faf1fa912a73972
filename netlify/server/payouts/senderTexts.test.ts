import { expect, test } from 'vitest'
import { mapSenderTexts } from '../../../domain/transfers/shapes/fields.ts'
import { SAMPLE_OPERATOR } from '../../../print/receipt.samples.ts'
import { buildReceiptContent } from '../../../print/receiptContent.ts'
import { enableSimulatedProvider, passTimeWithJob, payTransfer, readOrder } from '../../testing/deliveries.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { parseTransaction } from '../platform/documents.ts'

resetWorldForEachTest({ isMoneyChecked: true })

test('each text of the sender reaches the receipt and the provider', async () => {
  enableSimulatedProvider()
  const texts = mapSenderTexts((name) => `The ${name} of this transfer`)
  const { id } = await payTransfer({ request: texts })
  await passTimeWithJob()
  expect(await readOrder(id)).toMatchObject(texts)
  expect(world.payouts.taken()).toMatchObject([texts])
  const transaction = parseTransaction((await world.context.db.doc(`transactions/${id}`).get()).data())
  expect(transaction).toMatchObject(texts)
  const reader = { language: 'en', operator: SAMPLE_OPERATOR, isLate: false } as const
  const lines = buildReceiptContent(transaction, reader).groups.flatMap((group) => group.lines)
  expect(lines.map(({ value }) => value)).toEqual(expect.arrayContaining(Object.values(texts)))
})
