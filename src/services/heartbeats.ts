import * as firebase from 'firebase/app'

/*
 * Each request of the sign-in waits for the database of the SDK's heartbeats, which never ends on a device
 * whose databases hang. This relies on `_addOrOverwriteComponent` and the component 'heartbeat' of firebase
 * 13.2. A test in e2e/missing-parts.spec.ts signs in on such a device.
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
