import { Trans } from '@lingui/react/macro'
import { Emblem } from '../ui/Logo.tsx'
import { useSaidWhenLate } from '../ui/MissingCode.tsx'
import { SlowAnswer } from '../ui/SlowAnswer.tsx'
import classes from './WholeScreen.module.css'

export function WaitingScreen() {
  useSaidWhenLate()
  return (
    <main className={classes.screen} aria-busy="true">
      <Emblem />
      <div role="status">
        <h1>
          <Trans>Ouverture de votre compte…</Trans>
        </h1>
      </div>
      <SlowAnswer isAwaited />
    </main>
  )
}
