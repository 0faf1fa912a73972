/**
 * Brings a new version of the app to whoever has it open. It exists because a version that changes under a payment
 * could lose it: the new one waits on the device, is offered in words in a calm moment only, takes over when the
 * person says so and no tab has a payment under way, and then each tab reloads, once it is calm itself. 'Calm' is
 * said of all tabs of the app on this device; where that can't be known, nothing is offered, and the new version opens
 * with the next start.
 */

import { type AnyEventObject, fromCallback, fromPromise, setup } from 'xstate'
import { HOUR } from '../domain/duration.ts'
import { unprovided, unprovidedAction, unprovidedAnswer, withAnswer } from './actors.ts'

export type UpdateEvent =
  /** A new version is complete on the device, and waits. */
  | { type: 'version.ready' }
  /** It serves this tab now, whichever tab asked for it. */
  | { type: 'version.activated' }
  | { type: 'page.shown' }
  | { type: 'payment.begun' }
  /** No payment is under way in any tab. */
  | { type: 'payment.over' }
  | { type: 'update.accept' }
  | { type: 'update.later' }

export const updateMachine = setup({
  types: { events: {} as UpdateEvent },
  actors: {
    /** Sends `version.ready`, `version.activated` and `page.shown` for as long as the page lives. */
    watchVersions: fromCallback<AnyEventObject>(unprovided),
    /** Sends `payment.over` as soon as there is no payment in any tab, and then each change. */
    watchPayments: fromCallback<AnyEventObject>(unprovided),
    /**
     * Lets the new version take over, unless a payment is under way in any tab, and keeps payments out until it has.
     * Resolves with whether it has.
     */
    activate: fromPromise<boolean>(unprovidedAnswer),
  },
  actions: {
    /** Asks the server whether there is a new version; `watchVersions` tells. */
    askForVersion: unprovidedAction,
    reloadPage: unprovidedAction,
  },
  guards: {
    isActivated: (_, isActivated: boolean) => isActivated,
  },
  delays: {
    /** One hour. At the start of the app the browser asks by itself. */
    askAgain: HOUR,
    /** One day. */
    offerAgain: 86_400_000,
    activationTimeout: 10_000,
  },
}).createMachine({
  id: 'update',
  // Without it the app works; it is as new as the page was.
  invoke: { src: 'watchVersions', onError: {} },
  initial: 'upToDate',
  on: { 'version.activated': '.activated' },
  states: {
    upToDate: {
      description:
        'The app is as new as is known; it asks each hour for a newer one, and the person notices nothing.',
      after: { askAgain: { target: 'upToDate', reenter: true, actions: 'askForVersion' } },
      on: {
        'page.shown': { target: 'upToDate', reenter: true, actions: 'askForVersion' },
        'version.ready': 'ready',
      },
    },

    ready: {
      description: 'A new version is on the device, and waits.',
      // What can't be known is taken for a payment.
      invoke: { src: 'watchPayments', onError: '.awaitingCalm' },
      initial: 'awaitingCalm',
      states: {
        awaitingCalm: {
          description: 'A payment may be under way in some tab, so nothing is offered yet.',
          on: { 'payment.over': 'offered' },
        },
        offered: {
          description: 'The new version is offered in words; the person takes it, or says later.',
          on: {
            'payment.begun': 'awaitingCalm',
            'update.accept': '#update.activating',
            'update.later': '#update.postponed',
          },
        },
      },
    },

    postponed: {
      description: 'The person has said later; it is offered again after a day.',
      after: { offerAgain: 'ready' },
    },

    activating: {
      description: 'The new version takes over on this device; the person waits.',
      invoke: {
        src: 'activate',
        onDone: [{ guard: withAnswer('isActivated'), target: 'activated' }, { target: 'ready' }],
        onError: 'ready',
      },
      after: { activationTimeout: 'ready' },
    },

    activated: {
      description: 'The new version serves this tab, which is to be loaded anew.',
      on: { 'version.activated': {} },
      invoke: { src: 'watchPayments', onError: {} },
      initial: 'awaitingCalm',
      states: {
        awaitingCalm: {
          description: 'A payment may be under way in some tab, so the page stays as it is.',
          on: { 'payment.over': { target: 'reloading', actions: 'reloadPage' } },
        },
        reloading: { description: 'The page is loaded anew.' },
      },
    },
  },
})
