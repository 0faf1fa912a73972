import { Drawing, LINE, THIN_LINE } from './Drawing.tsx'

export const Lens = () => (
  <Drawing>
    <path d="M24 109h172" {...LINE} />
    <path d="M36 108C56 52 82 30 110 30s54 22 74 78" {...THIN_LINE} strokeDasharray="2 9" />
    <circle cx="112" cy="66" r="27" fill="var(--surface)" {...LINE} />
    <path d="m132 86 22 22" stroke="var(--action)" strokeWidth="7" />
    <path d="M99 74c4-9 8-12 13-12s9 3 13 12" stroke="var(--sun)" strokeWidth="4" />
    <path d="M95 76h34" {...LINE} strokeWidth="3" />
  </Drawing>
)
