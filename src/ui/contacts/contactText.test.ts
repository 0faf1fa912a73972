import { setupI18n } from '@lingui/core'
import { expect, test } from 'vitest'
import type { DataOperation, Failure } from '../../../domain/errors/failure.ts'
import { OPERATION_FAILURE_TEXTS } from '../failureText.ts'
import { contactChangeFailureText, getContactLoadFailureText, getContactProblemText } from './contactText.ts'

const unforeseen: Failure = { kind: 'authOther', message: 'The transaction was aborted' }
const refused = (operation: DataOperation): Failure => ({ kind: 'data', operation, cause: 'other' })

test('contacts that fail to load have their operation’s text', () => {
  for (const failure of [unforeseen, refused('fetchContacts')])
    expect(getContactLoadFailureText(failure)).toEqual(OPERATION_FAILURE_TEXTS.fetchContacts)
})

test.each(['addContact', 'renameContact', 'deleteContact'] as const)(
  'a failed %s has its operation’s text, even after unexpected failures',
  (operation) => {
    for (const failure of [unforeseen, refused(operation)])
      expect(contactChangeFailureText(operation)(failure)).toEqual(OPERATION_FAILURE_TEXTS[operation])
  },
)

test('the text about too many contacts states the maximum', () => {
  const i18n = setupI18n({ locale: 'fr', messages: { fr: {} } })
  expect(getContactProblemText({ field: 'name', kind: 'tooManyContacts', most: 500 }, i18n)).toBe(
    'Vous avez déjà 500 contacts, le maximum. Supprimez-en un pour en ajouter un autre.',
  )
})
