/**
 * Installs a new version of the app in open tabs. It exists because an update during a payment could lose it:
 * the new version waits on the device, is offered only in a calm moment, takes over when the user accepts and
 * no tab has a payment in progress, and then each tab reloads once it is calm itself. 'Calm' covers all tabs
 * of the app on this device; if that can't be known, nothing is offered, and the new version opens with the
 * next start.
 */

import { type AnyEventObject, fromCallback, fromPromise, setup } from 'xstate'
import { DAY, HOUR } from '../domain/common/duration.ts'
import { rejectUnprovided, throwUnprovided, throwUnprovidedAction, withAnswer } from './actors.ts'

export type UpdateEvent =
  | { type: 'version.ready' }
  /** The new version serves this tab, whichever tab activated it. */
  | { type: 'version.activated' }
  | { type: 'page.shown' }
  | { type: 'payment.started' }
  /** No tab has a payment in progress. */
  | { type: 'payment.ended' }
  | { type: 'update.accept' }
  | { type: 'update.postpone' }

export const updateMachine = setup({
  types: { events: {} as UpdateEvent },
  actors: {
    /** Sends `version.ready`, `version.activated` and `page.shown`. */
    watchVersions: fromCallback<AnyEventObject>(throwUnprovided),
    /** Sends `payment.ended` once no tab has a payment in progress, then each change. */
    watchPayments: fromCallback<AnyEventObject>(throwUnprovided),
    /** Resolves with false while a tab has a payment in progress; none can begin during the activation. */
    activate: fromPromise<boolean>(rejectUnprovided),
  },
  actions: {
    /** `watchVersions` reports the answer. */
    checkForVersion: throwUnprovidedAction,
    reloadPage: throwUnprovidedAction,
  },
  guards: {
    isActivated: (_, isActivated: boolean) => isActivated,
  },
  delays: {
    /** The browser itself checks at the start of the app. */
    checkInterval: HOUR,
    offerInterval: DAY,
    activationTimeout: 10_000,
  },
}).createMachine({
  id: 'update',
  // The app works in the version of the page.
  invoke: { src: 'watchVersions', onError: {} },
  initial: 'upToDate',
  on: { 'version.activated': '.activated' },
  states: {
    upToDate: {
      description: 'No newer version is known; the app asks hourly, and the user notices nothing.',
      after: { checkInterval: { target: 'upToDate', reenter: true, actions: 'checkForVersion' } },
      on: {
        'page.shown': { target: 'upToDate', reenter: true, actions: 'checkForVersion' },
        'version.ready': 'ready',
      },
    },

    ready: {
      description: 'A new version is on the device, and waits.',
      // If it is unknown whether a payment is in progress, nothing is offered.
      invoke: { src: 'watchPayments', onError: '.awaitingPayments' },
      initial: 'awaitingPayments',
      states: {
        awaitingPayments: {
          description: 'A tab may have a payment in progress, so nothing is offered yet.',
          on: { 'payment.ended': 'offered' },
        },
        offered: {
          description: 'The new version is offered; the user accepts or postpones it.',
          on: {
            'payment.started': 'awaitingPayments',
            'update.accept': '#update.activating',
            'update.postpone': '#update.postponed',
          },
        },
      },
    },

    postponed: {
      description: 'The user has postponed it; it is offered again after a day.',
      after: { offerInterval: 'ready' },
    },

    activating: {
      description: 'The new version is being activated on this device; the user waits.',
      invoke: {
        src: 'activate',
        onDone: [{ guard: withAnswer('isActivated'), target: 'activated' }, { target: 'ready' }],
        onError: 'ready',
      },
      after: { activationTimeout: 'ready' },
    },

    activated: {
      description: 'The new version serves this tab, which must reload.',
      on: { 'version.activated': {} },
      invoke: { src: 'watchPayments', onError: {} },
      initial: 'awaitingPayments',
      states: {
        awaitingPayments: {
          description: 'A tab may have a payment in progress, so this page does not reload yet.',
          on: { 'payment.ended': { target: 'reloading', actions: 'reloadPage' } },
        },
        reloading: { description: 'The page of this tab reloads.' },
      },
    },
  },
})
