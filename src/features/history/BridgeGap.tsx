import { Drawing, LINE, THIN_LINE, Walker } from '../../ui/drawings/Drawing.tsx'

export const BridgeGap = () => (
  <Drawing>
    <path d="M24 109h56M140 109h56" {...LINE} />
    <path d="M36 108C50 68 66 46 84 36M136 36c18 10 34 32 48 72" {...LINE} />
    <path d="M66 68v40M154 68v40" {...THIN_LINE} />
    <path d="M92 109h8M112 112h8M126 108h4" stroke="var(--sun)" strokeWidth="4" />
    <path d="M112 22a15 15 0 1 0 12 24 13 13 0 0 1-12-24z" fill="var(--sun)" />
    <Walker x={52} y={106} />
  </Drawing>
)
