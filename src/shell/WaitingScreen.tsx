import { Trans } from '@lingui/react/macro'
import { Emblem } from '../ui/Logo.tsx'
import { useLateCodeReport } from '../ui/MissingCode.tsx'
import { SlowResponseNotice } from '../ui/SlowResponseNotice.tsx'
import classes from './WholeScreen.module.css'

export function WaitingScreen() {
  useLateCodeReport()
  return (
    <main className={classes.screen} aria-busy="true">
      <Emblem />
      <div role="status">
        <h1>
          <Trans>Ouverture de votre compte…</Trans>
        </h1>
      </div>
      <SlowResponseNotice isAwaited />
    </main>
  )
}
