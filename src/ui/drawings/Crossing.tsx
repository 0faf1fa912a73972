import { Drawing, LINE, THIN_LINE, Walker } from './Drawing.tsx'

export const Crossing = () => (
  <Drawing>
    <circle cx="150" cy="40" r="16" fill="var(--sun)" />
    <path d="M36 108C56 52 82 30 110 30s54 22 74 78" {...LINE} />
    <path d="M24 109h172" {...LINE} />
    <path d="M66 68v40M88 44v64M110 34v74M132 44v64M154 68v40" {...THIN_LINE} />
    <Walker x={52} y={106} />
  </Drawing>
)
