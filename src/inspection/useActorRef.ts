import { useActorRef as useUninspected } from '@xstate/react'
import { inspected } from './inspected.ts'

/** `useActorRef` of the library, for an actor that can be inspected. */
export const useActorRef = import.meta.env.DEV ? (useInspected as typeof useUninspected) : useUninspected

function useInspected(...[logic, options, ...more]: Parameters<typeof useUninspected>) {
  return useUninspected(logic, { ...options, ...inspected }, ...more)
}
