import type { DoctorCheck } from './findings.ts'
import { checkRules } from './firestore.ts'

export const storageChecks: readonly DoctorCheck[] = [
  [
    'The rules of the storage',
    ({ settings }) => checkRules(settings, `firebase.storage/${settings.storageBucket}`, 'storage'),
  ],
]
