import { beforeEach, expect, test, vi } from 'vitest'
import { addContact, removeContact, setContactName } from './contactBook.ts'

const { server, withRows } = vi.hoisted(() => ({
  server: { createContact: vi.fn(), renameContact: vi.fn(), deleteContact: vi.fn() },
  withRows: vi.fn(),
}))
vi.mock('../../services/contacts.ts', () => server)
vi.mock('../../cache/database.ts', () => ({ withRows }))

const contact = { id: 'u_224620000000', userId: 'u', name: 'Awa Ba', phone: '+224620000000', createdAt: 1 }

const changes: [string, () => Promise<unknown>, keyof typeof server, unknown][] = [
  ['added', () => addContact('u', contact), 'createContact', contact],
  ['renamed', () => setContactName('u', contact.id, 'Awa Sow'), 'renameContact', undefined],
  ['deleted', () => removeContact('u', contact.id), 'deleteContact', undefined],
]

beforeEach(() => {
  vi.resetAllMocks()
})

test.each(changes)(
  'a contact %s on the server counts as changed without storage',
  async (_, change, call, done) => {
    server[call].mockResolvedValue(done)
    withRows.mockRejectedValue(new Error('this device fails'))
    expect(await change()).toEqual(done)
  },
)

test.each(changes)('the device stores no change that was not %s on the server', async (_, change, call) => {
  server[call].mockRejectedValue(new Error('refused'))
  await expect(change()).rejects.toThrow('refused')
  expect(withRows).not.toHaveBeenCalled()
})
