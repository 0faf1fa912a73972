import { useActorRef as useUnrestored } from '@xstate/react'
import { findSnapshot, inspect } from './machines.ts'

/** The library's `useActorRef`, with actors that start in the scene's snapshots and are inspected. */
export const useActorRef = ((...[logic, options, ...more]: Parameters<typeof useUnrestored>) =>
  useUnrestored(
    logic,
    { ...options, ...findSnapshot((logic as { id?: string }).id), inspect },
    ...more,
  )) as typeof useUnrestored
