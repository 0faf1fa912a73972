import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { findContacts } from '../../../domain/people/contact.ts'
import { toFailure } from '../../browser/failure.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { useLanguage } from '../useLanguage.ts'
import { useLiveQuery } from '../useLiveQuery.ts'
import { useRefresh } from '../useRefresh.ts'
import { getContactLoadFailureText } from './contactText.ts'

export const listContacts = ({ contacts }: UserDatabase) => contacts.toArray()

export function useRefreshContacts(uid: string) {
  const { error, ...fresh } = useRefresh(
    useCallback(async () => (await import('./contactBook.ts')).refreshContacts(uid), [uid]),
  )
  return { problem: error === null ? null : getContactLoadFailureText(toFailure(error)), ...fresh }
}

/** Undefined until the contacts have been read. */
export function useContactSearch(uid: string) {
  const [text, setText] = useState('')
  const query = useDeferredValue(text)
  const contacts = useLiveQuery(uid, listContacts)
  const language = useLanguage()
  const found = useMemo(
    () => contacts && findContacts(contacts, query, language),
    [contacts, query, language],
  )
  return { contacts, found, text, setText }
}
