import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { findContacts } from '../../../domain/contact.ts'
import { failureOf } from '../../browser/failure.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { useCached } from '../useCached.ts'
import { useLanguage } from '../useLanguage.ts'
import { useRefresh } from '../useRefresh.ts'
import { loadText } from './contactText.ts'

export const everyContact = ({ contacts }: UserDatabase) => contacts.toArray()

/** Keeps the contacts on this device like the server's while a screen needs them; tells why they may not be. */
export function useRefreshContacts(uid: string) {
  const { error, ...fresh } = useRefresh(
    useCallback(async () => (await import('./contactBook.ts')).refreshContacts(uid), [uid]),
  )
  return { problem: error === null ? null : loadText(failureOf(error)), ...fresh }
}

/** The contacts on this device, and those of them that are looked for. Undefined until they were read. */
export function useContactSearch(uid: string) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text)
  const contacts = useCached(uid, everyContact)
  const language = useLanguage()
  const found = useMemo(
    () => contacts && findContacts(contacts, wanted, language),
    [contacts, wanted, language],
  )
  return { contacts, found, text, setText }
}
