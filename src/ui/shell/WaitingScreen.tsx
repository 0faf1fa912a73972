import { Trans } from '@lingui/react/macro'
import { Emblem } from '../Logo.tsx'
import classes from './WholeScreen.module.css'

export function WaitingScreen() {
  return (
    <main className={classes.screen} aria-busy="true">
      <Emblem />
      <p role="status">
        <Trans>Ouverture de votre compte…</Trans>
      </p>
    </main>
  )
}
