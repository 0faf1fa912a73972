import { Trans } from '@lingui/react/macro'
import { Loader } from '@mantine/core'
import { useSaidWhenLate } from './MissingCode.tsx'
import classes from './Opening.module.css'

/** Stands in the place of a sheet or a page whose code is on its way. It shows that the press was heard. */
export function Opening() {
  useSaidWhenLate()
  return (
    <div role="status" className={classes.opening}>
      <Loader />
      <span className="unseen">
        <Trans>Ouverture…</Trans>
      </span>
    </div>
  )
}
