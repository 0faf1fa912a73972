import { fromPromise } from 'xstate'
import type { Language } from '../../domain/common/language.ts'
import { pushMachine } from '../../machines/push.ts'
import { readPushState, subscribeDevice, unsubscribeDevice } from '../pwa/pushDevice.ts'

export const createPushLogic = (language: () => Language) =>
  pushMachine.provide({
    actors: {
      readState: fromPromise(({ input: { uid } }) => readPushState(uid)),
      // Ask immediately: browsers show the prompt only right after a user gesture.
      askPermission: fromPromise(() => Notification.requestPermission()),
      subscribe: fromPromise(({ input: { uid } }) => subscribeDevice(uid, language())),
      unsubscribe: fromPromise(() => unsubscribeDevice()),
    },
  })
