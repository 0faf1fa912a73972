import { Drawing, LINE, THIN_LINE, Walker } from './Drawing.tsx'

export const Cloud = () => (
  <Drawing>
    <path d="M36 108C56 52 82 30 110 30s54 22 74 78" {...LINE} />
    <path d="M24 109h172" {...LINE} />
    <path d="M66 68v40M154 68v40" {...THIN_LINE} />
    <g fill="var(--surface)" stroke="var(--river-tint-2)" strokeWidth="3">
      <path d="M70 78c-10 0-12-15 0-16 1-11 18-12 21-3 6-7 20-3 19 6 10-7 25-1 22 9 12-3 15 14 3 15H82c-8 0-12-5-12-11z" />
    </g>
    <Walker x={110} y={107} />
  </Drawing>
)
