import type { ReactNode } from 'react'

/** Specification, section 2: settings. What belongs to other features comes from outside. */
export function SettingsPage({ plans }: { plans: ReactNode; onContact: () => void }) {
  return plans
}
