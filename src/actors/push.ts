import { fromPromise } from 'xstate'
import type { Language } from '../../domain/language.ts'
import { pushMachine } from '../../machines/push.ts'
import { pushStanding, subscribeDevice, unsubscribeDevice } from '../pwa/pushDevice.ts'

/** The machine of notifications with everything it needs in a browser. `language`: that of what is shown. */
export const push = (language: () => Language) =>
  pushMachine.provide({
    actors: {
      look: fromPromise(({ input: { uid } }) => pushStanding(uid)),
      // At once: the browser asks only while a press is fresh.
      askPermission: fromPromise(() => Notification.requestPermission()),
      subscribe: fromPromise(({ input: { uid } }) => subscribeDevice(uid, language())),
      unsubscribe: fromPromise(() => unsubscribeDevice()),
    },
  })
