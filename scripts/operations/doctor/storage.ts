import type { Check } from './findings.ts'
import { checkRules } from './firestore.ts'

export const storageChecks: readonly Check[] = [
  [
    'The rules of the storage',
    ({ settings }) => checkRules(settings, `firebase.storage/${settings.storageBucket}`, 'storage'),
  ],
]
