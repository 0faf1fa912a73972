import type { ReactNode } from 'react'
import classes from './Drawing.module.css'

export const LINE = { stroke: 'var(--river-ink)', strokeWidth: 4 }
export const THIN_LINE = { stroke: 'var(--on-river-line)', strokeWidth: 2.5 }

/** Decoration, so hidden from screen readers. */
export const Drawing = ({ children }: { children: ReactNode }) => (
  <svg viewBox="0 0 220 130" className={classes.drawing} aria-hidden="true">
    <path d="M8 112c30-7 54-4 70 2h64c16-6 40-9 70-2v14H8z" fill="var(--river-tint-2)" />
    <path d="M74 115h72v11H74z" fill="var(--river-tint)" />
    {children}
  </svg>
)

export const Walker = ({ x, y }: { x: number; y: number }) => (
  <g stroke="var(--action)" strokeWidth="4">
    <circle cx={x} cy={y - 18} r="4.5" fill="var(--action)" stroke="none" />
    <path d={`M${x} ${y - 11}v5M${x - 5} ${y}l5-6 5 6`} />
  </g>
)
