import { Trans } from '@lingui/react/macro'
import { Loader } from '@mantine/core'
import { useSaidWhenLate } from './MissingCode.tsx'
import classes from './Opening.module.css'

/** In place of a sheet or a page whose code is still on its way: what was pressed was heard. */
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
