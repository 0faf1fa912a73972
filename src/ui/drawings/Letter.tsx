import { Drawing, LINE } from './Drawing.tsx'

export const Letter = () => (
  <Drawing>
    <path d="M24 109h172" {...LINE} />
    <rect x="64" y="40" width="92" height="60" rx="8" fill="var(--surface)" {...LINE} />
    <path d="m66 46 44 32 44-32" {...LINE} />
    <circle cx="156" cy="40" r="14" fill="var(--sun)" />
    <path d="m150 40 4.500 4.500 8-9" stroke="var(--on-sun)" strokeWidth="3" />
  </Drawing>
)
