import { useActorRef as useUninspected } from '@xstate/react'
import { inspectionOptions, isInspectionEnabled } from './inspection.ts'

export const useActorRef = isInspectionEnabled ? (useInspected as typeof useUninspected) : useUninspected

function useInspected(...[logic, options, ...more]: Parameters<typeof useUninspected>) {
  return useUninspected(logic, { ...options, ...inspectionOptions }, ...more)
}
