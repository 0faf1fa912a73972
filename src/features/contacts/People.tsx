import { Drawing, LINE } from '../../ui/drawings/Drawing.tsx'

export const People = () => (
  <Drawing>
    <path d="M24 109h172" {...LINE} />
    <path d="M58 70C74 44 92 34 110 34s36 10 52 36" {...LINE} strokeDasharray="1 10" />
    <circle cx="110" cy="34" r="9" fill="var(--sun)" />
    <circle cx="46" cy="76" r="11" fill="var(--river-ink)" />
    <path d="M28 107c1-13 8-19 18-19s17 6 18 19z" fill="var(--river-ink)" />
    <circle cx="174" cy="76" r="11" fill="var(--action)" />
    <path d="M156 107c1-13 8-19 18-19s17 6 18 19z" fill="var(--action)" />
  </Drawing>
)
