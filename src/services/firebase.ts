import { type FirebaseApp, initializeApp } from 'firebase/app'
import { disableHeartbeats } from './heartbeats.ts'
import { settings } from './settings.ts'

export const firebaseApp: FirebaseApp = initializeApp({
  projectId: settings.projectId,
  apiKey: settings.apiKey,
  authDomain: settings.authDomain,
  storageBucket: settings.storageBucket,
})
disableHeartbeats(firebaseApp)
