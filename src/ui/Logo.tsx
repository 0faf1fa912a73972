import classes from './Logo.module.css'

/** The emblem is a footbridge: an arch that carries a deck from one bank to the other. */
export function Emblem() {
  return (
    <svg
      viewBox="0 0 64 64"
      className={classes.emblem}
      fill="none"
      stroke="currentColor"
      strokeWidth="5"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M5 47h54M9 46c6-15 13-20 23-20s17 5 23 20" />
      <path d="M32 27v19M21 30v16M43 30v16" strokeWidth="3" strokeLinecap="butt" />
      <circle cx="49" cy="16" r="7" fill="var(--sun)" stroke="none" />
    </svg>
  )
}

export function Wordmark() {
  return (
    <span className={classes.wordmark}>
      <Emblem />
      Passerelle
    </span>
  )
}
