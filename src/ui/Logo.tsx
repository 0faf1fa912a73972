import classes from './Logo.module.css'

/** The footbridge: an arch that carries a deck from one bank to the other. */
export function Emblem() {
  return (
    <svg viewBox="0 0 64 64" className={classes.emblem} aria-hidden="true">
      <path d="M8 46h48" className={classes.deck} />
      <path d="M12 45c2-16 9.500-24 20-24s18 8 20 24" className={classes.arch} />
      <path d="M32 22v23M22 26v19M42 26v19" className={classes.hangers} />
      <circle cx="32" cy="12" r="5" className={classes.sun} />
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
