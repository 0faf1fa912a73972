import { Trans } from '@lingui/react/macro'
import { Loader } from '@mantine/core'
import { useLateCodeReport } from './MissingCode.tsx'
import classes from './OpeningPlaceholder.module.css'

/** Placeholder for a sheet or page whose chunk is loading, as feedback for the press. */
export function OpeningPlaceholder() {
  useLateCodeReport()
  return (
    <div role="status" className={classes.opening}>
      <Loader />
      <span className="unseen">
        <Trans>Ouverture…</Trans>
      </span>
    </div>
  )
}
