import type { CountryCode } from '../../domain/numbers/destinations.ts'
import classes from './Flag.module.css'

export type FlagCode = CountryCode | 'EU'

const STRIPES: Record<string, [string, string, string]> = {
  GN: ['#ce1126', '#fcd116', '#009460'],
  FR: ['#000091', '#ffffff', '#e1000f'],
}

/** Drawn inline, so that it shows offline. Hidden from screen readers. */
export function Flag({ code }: { code: FlagCode }) {
  const stripes = STRIPES[code]
  return (
    <svg viewBox="0 0 24 24" className={classes.flag} aria-hidden="true">
      {stripes ? (
        stripes.map((color, index) => <rect key={color} x={index * 8} width="8" height="24" fill={color} />)
      ) : code === 'EU' ? (
        <>
          <rect width="24" height="24" fill="#1b3f94" />
          <circle
            cx="12"
            cy="12"
            r="7"
            fill="none"
            stroke="#ffcf33"
            strokeWidth="2.2"
            strokeLinecap="round"
            strokeDasharray="0 3.665"
          />
        </>
      ) : (
        <>
          <rect width="24" height="24" fill="#ffffff" />
          <path
            fill="#d80621"
            d="M0 0h6v24H0zM18 0h6v24h-6zM12 6l1 2 1.3-.7-.5 3 1.7-1.5.4 1 1.7-.3-.8 1.8.8.6-2.8 2.3.3 1.2-2.7-.4.1 2.5h-1l.1-2.5-2.7.4.3-1.2L6.4 11.9l.8-.6-.8-1.8 1.7.3.4-1 1.7 1.5-.5-3L11 8z"
          />
        </>
      )}
    </svg>
  )
}
