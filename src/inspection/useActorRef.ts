import { useActorRef as useUninspected } from '@xstate/react'
import { inspected, isTold } from './inspected.ts'

/** `useActorRef` of the library, for an actor that can be inspected. */
export const useActorRef = isTold ? (useInspected as typeof useUninspected) : useUninspected

function useInspected(...[logic, options, ...more]: Parameters<typeof useUninspected>) {
  return useUninspected(logic, { ...options, ...inspected }, ...more)
}
