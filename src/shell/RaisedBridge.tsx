import { Drawing, LINE, THIN_LINE, Walker } from '../ui/drawings/Drawing.tsx'

export const RaisedBridge = () => (
  <Drawing>
    <path d="M24 109h40M156 109h40" {...LINE} />
    <path d="M64 109 98 62M156 109l-34-47" {...LINE} />
    <path d="M64 109V60M156 109V60" {...LINE} />
    <path d="M64 60l34 2M156 60l-34 2" {...THIN_LINE} />
    <circle cx="110" cy="34" r="14" fill="var(--sun)" />
    <Walker x={42} y={106} />
  </Drawing>
)
