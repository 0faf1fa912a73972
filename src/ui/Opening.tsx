import { Trans } from '@lingui/react/macro'
import { Loader } from '@mantine/core'
import classes from './Opening.module.css'

/** In place of a sheet or a page whose code is still on its way: what was pressed was heard. */
export const Opening = () => (
  <div role="status" className={classes.opening}>
    <Loader />
    <span className="unseen">
      <Trans>Ouverture…</Trans>
    </span>
  </div>
)
