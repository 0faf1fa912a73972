import { expect, test } from 'vitest'
import type { Failure, Operation } from '../../../domain/failure.ts'
import { BY_OPERATION } from '../failureText.ts'
import { changeText, loadText } from './contactText.ts'

// A device that fails in the middle, a part of the app with an error.
const unforeseen: Failure = { kind: 'authOther', message: 'The transaction was aborted' }
const refused = (operation: Operation): Failure => ({ kind: 'data', operation, cause: 'other' })

test('a list that can not be loaded says so, whatever it was', () => {
  for (const failure of [unforeseen, refused('fetchContacts')])
    expect(loadText(failure)).toEqual(BY_OPERATION.fetchContacts)
})

test.each(['addContact', 'renameContact', 'deleteContact'] as const)(
  'what came to nothing is told by what was asked for, whatever it was: %s',
  (operation) => {
    for (const failure of [unforeseen, refused(operation)])
      expect(changeText(operation)(failure)).toEqual(BY_OPERATION[operation])
  },
)
