import classes from './Icon.module.css'

/**
 * An icon in the set's stroke. Hidden from screen readers, because a word is next to it or names its button.
 */
export type Icon = (props: { isSmall?: boolean }) => React.ReactNode

/**
 * Makes an icon from its path in a grid of 24. Each set of icons is one file, because a file loads as a
 * whole: the first screen must not load the icons of a screen that opens later.
 */
export const createIcon =
  (path: string): Icon =>
  ({ isSmall = false }) => (
    <svg viewBox="0 0 24 24" className={classes.icon} data-small={isSmall} aria-hidden="true">
      <path d={path} />
    </svg>
  )
