import type { InvoiceType } from '../../../domain/suppliers.ts'
import classes from './InvoicesPage.module.css'

const DRAWINGS: Record<InvoiceType, string> = {
  electricity: 'M13 2 5 14h6l-1 8 8-12h-6z',
  water: 'M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11z',
  phone: 'M8 2h8a1 1 0 0 1 1 1v18a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1zM11 18.500h2',
  internet: 'M3 9c5-5 13-5 18 0M6 12.500c3.500-3.500 8.500-3.500 12 0M9 16c2-2 4-2 6 0M12 19.500v.010',
  school: 'M2 9l10-5 10 5-10 5zM6 11.500V17c3 2.500 9 2.500 12 0v-5.500M22 9v6',
}

/** Decoration: the name stands beside it. */
export function TypeIcon({ type }: { type: InvoiceType }) {
  return (
    <svg viewBox="0 0 24 24" className={classes.icon} aria-hidden="true">
      <path d={DRAWINGS[type]} />
    </svg>
  )
}
