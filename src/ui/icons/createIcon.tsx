import classes from './Icon.module.css'

/** Hidden from screen readers, because a word is next to it or names its button. */
export type Icon = (props: { isSmall?: boolean }) => React.ReactNode

/**
 * The grid is 24 wide. Each set of icons is one file: the first screen must not load the icons of a later
 * one.
 */
export const createIcon =
  (path: string): Icon =>
  ({ isSmall = false }) => (
    <svg viewBox="0 0 24 24" className={classes.icon} data-small={isSmall} aria-hidden="true">
      <path d={path} />
    </svg>
  )
