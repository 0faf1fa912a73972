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
  /** A new version is completely downloaded, and waits. */
  | { type: 'version.ready' }
  /** The new version serves this tab now, whichever tab activated it. */
  | { type: 'version.activated' }
  | { type: 'page.shown' }
  | { type: 'payment.started' }
  /** No payment is in progress in any tab. */
  | { type: 'payment.ended' }
  | { type: 'update.accept' }
  | { type: 'update.postpone' }

export const updateMachine = setup({
  types: { events: {} as UpdateEvent },
  actors: {
    /** Sends `version.ready`, `version.activated` and `page.shown` as long as the page lives. */
    watchVersions: fromCallback<AnyEventObject>(throwUnprovided),
    /** Sends `payment.ended` once no tab has a payment in progress, and an event for each later change. */
    watchPayments: fromCallback<AnyEventObject>(throwUnprovided),
    /**
     * Activates the new version, unless a tab has a payment in progress; no payment can begin during the
     * activation. Resolves with whether the new version is active.
     */
    activate: fromPromise<boolean>(rejectUnprovided),
  },
  actions: {
    /** Asks the server for a new version; `watchVersions` reports it. */
    checkForVersion: throwUnprovidedAction,
    reloadPage: throwUnprovidedAction,
  },
  guards: {
    isActivated: (_, isActivated: boolean) => isActivated,
  },
  delays: {
    /** Interval between checks for a new version. The browser itself checks at the start of the app. */
    checkInterval: HOUR,
    offerInterval: DAY,
    activationTimeout: 10_000,
  },
}).createMachine({
  id: 'update',
  // Without this actor, the app works in the version of the page.
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
