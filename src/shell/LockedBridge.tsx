import { Drawing, LINE, THIN_LINE, Walker } from '../ui/drawings/Drawing.tsx'

export const LockedBridge = () => (
  <Drawing>
    <path d="M14 109h192" {...LINE} />
    <path d="M36 108c16-40 40-60 74-60s58 20 74 60" {...LINE} />
    <path d="M66 68v40M154 68v40" {...THIN_LINE} />
    <path d="M100 79v-8a10 10 0 0 1 20 0v8" {...LINE} />
    <rect x="93" y="78" width="34" height="27" rx="6" fill="var(--sun)" />
    <Walker x={25} y={106} />
  </Drawing>
)
