import { Trans } from '@lingui/react/macro'
import { Loader } from '@mantine/core'
import { useLateCodeReport } from './MissingCode.tsx'
import classes from './OpeningPlaceholder.module.css'

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
