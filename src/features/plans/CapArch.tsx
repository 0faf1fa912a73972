import type { CapGauge } from '../../../domain/prices/capUse.ts'
import classes from './CapArch.module.css'

const ARCH = 'M16 112C46 42 96 16 160 16s114 26 144 96'

/** Hidden from screen readers, because the amounts are next to it. */
export function CapArch({ gauge: { sent, used } }: { gauge: CapGauge }) {
  const part = (end: number, of: 'sent' | 'inFlight') =>
    end > 0 && <path d={ARCH} pathLength="100" className={classes[of]} strokeDasharray={`${end} 100`} />
  return (
    <svg viewBox="0 0 320 124" className={classes.arch} aria-hidden="true">
      <path d={ARCH} className={classes.month} />
      {used > sent && part(used, 'inFlight')}
      {part(sent, 'sent')}
    </svg>
  )
}
