import { fromPromise } from 'xstate'
import { pushMachine } from '../../machines/push.ts'
import { getStoredLanguage } from '../browser/storedLanguage.ts'
import { readPushState, subscribeDevice, unsubscribeDevice } from '../pwa/pushDevice.ts'

export const pushLogic = pushMachine.provide({
  actors: {
    readState: fromPromise(({ input: { uid } }) => readPushState(uid)),
    // Ask immediately: browsers show the prompt only right after a user gesture.
    askPermission: fromPromise(() => Notification.requestPermission()),
    subscribe: fromPromise(({ input: { uid } }) => subscribeDevice(uid, getStoredLanguage())),
    unsubscribe: fromPromise(() => unsubscribeDevice()),
  },
})
