import * as firebase from 'firebase/app'

/*
 * Switches off the SDK's heartbeats, with which Firebase counts the SDK's versions. The SDK stores them in a
 * database, and each request of the sign-in waits for it: on a device whose databases hang, the sign-in would
 * never end.
 *
 * It relies on `_addOrOverwriteComponent` and the component 'heartbeat' of firebase 13.2. If an update
 * changes them, only such devices can't sign in. A test in e2e/missing-parts.spec.ts signs in on one.
 */

interface FirebaseInternals {
  readonly _addOrOverwriteComponent?: (app: firebase.FirebaseApp, component: object) => void
}

export function disableHeartbeats(app: firebase.FirebaseApp) {
  const heartbeats = { triggerHeartbeat: async () => {}, getHeartbeatsHeader: async () => '' }
  ;(firebase as FirebaseInternals)._addOrOverwriteComponent?.(app, {
    name: 'heartbeat',
    type: 'PRIVATE',
    instanceFactory: () => heartbeats,
    instantiationMode: 'LAZY',
    multipleInstances: false,
    serviceProps: {},
    onInstanceCreated: null,
  })
}
