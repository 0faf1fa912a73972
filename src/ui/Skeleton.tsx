import classes from './Skeleton.module.css'

/** The skeleton appears only if loading takes long enough to be noticed. */
export const Skeleton = ({ rows = 3 }: { rows?: number }) => (
  <div className={classes.rows} aria-hidden="true">
    {Array.from({ length: rows }, (_, index) => (
      <div key={String(index)} className={classes.row}>
        <span className={classes.picture} />
        <span className={classes.lines}>
          <span />
          <span />
        </span>
      </div>
    ))}
  </div>
)
