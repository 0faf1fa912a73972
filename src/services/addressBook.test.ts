import { expect, test, vi } from 'vitest'
import { chooseFromAddressBook } from './addressBook.ts'

test('the address book is asked for the names and numbers of one entry', async () => {
  const select = vi.fn(async () => [{ name: ['Élodie'], tel: ['+33 6 12 34 56 78'] }])
  vi.stubGlobal('navigator', { contacts: { select } })
  expect(await chooseFromAddressBook()).toEqual({ name: 'Élodie', phone: '+33612345678' })
  expect(select).toHaveBeenCalledExactlyOnceWith(['name', 'tel'], { multiple: false })
  select.mockResolvedValue([])
  expect(await chooseFromAddressBook()).toBe(null)
  vi.unstubAllGlobals()
})
