import { type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import { type AppLockEvent, appLockMachine } from '../../machines/appLock.ts'
import { recognizeUser } from '../browser/passkey.ts'
import { deviceStore } from '../browser/storage.ts'

export const appLockLogic = appLockMachine.provide({
  actors: {
    recognizeUser: fromPromise(({ signal }) =>
      recognizeUser(deviceStore.get('lock')?.passkey ?? null, signal),
    ),
    watchPage: fromCallback<AnyEventObject>(({ sendBack }) => {
      const report = () =>
        sendBack({
          type: document.visibilityState === 'hidden' ? 'page.hidden' : 'page.shown',
          at: { wall: Date.now(), running: performance.now() },
        } satisfies AppLockEvent)
      report()
      document.addEventListener('visibilitychange', report)
      return () => document.removeEventListener('visibilitychange', report)
    }),
  },
})
