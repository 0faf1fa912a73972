import { expect, test } from 'vitest'
import type { IdentityFile } from '../../../domain/account/identity.ts'
import { enableSimulatedProvider, payTransfer } from '../../testing/deliveries.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'

resetWorldForEachTest({ isMoneyChecked: true })

test('gives the provider birth date and number of an approved, valid document', async () => {
  enableSimulatedProvider()
  const details = { dateOfBirth: '1990-05-17', idNumber: 'O00123456' }
  const expectIdentity = async (
    identity: object,
    { status = 'approved', expirationDate = '2035-01-31' }: Partial<IdentityFile>,
  ) => {
    const { uid, id, settle } = await payTransfer({ isRecorded: false })
    await world.writeIdentity(uid, status, expirationDate, details)
    await settle()
    expect(world.payouts.taken()).toContainEqual(expect.objectContaining({ transferId: id, identity }))
  }
  await expectIdentity({}, { status: 'pending' })
  await expectIdentity({}, { expirationDate: '2026-11-19' })
  await expectIdentity({ birthDate: '1990-05-17', documentNumber: 'O00123456' }, {})
  const { deliveries } = await world.records()
  expect(JSON.stringify([...deliveries.values(), ...world.logged])).not.toMatch(/1990-05-17|O00123456/)
})

test('pays a transfer out whose document of the sender is unreadable', async () => {
  enableSimulatedProvider()
  const { uid, settle } = await payTransfer({ isRecorded: false })
  await world.context.db
    .doc('files/unreadable')
    .set({ userId: uid, category: 'identity', status: 'approved', createdAt: 'yesterday' })
  await settle()
  expect(world.payouts.taken()).toMatchObject([{ senderName: 'Ada Lovelace', identity: {} }])
})
