import { Trans } from '@lingui/react/macro'
import { ReopenAdvice, ReopenButton } from '../ui/Reopen.tsx'
import { WholeScreen } from './WholeScreen.tsx'

/** Shown when the app can't be drawn, so that an unforeseen error is not a blank page. */
export const CrashScreen = () => (
  <WholeScreen
    isAlert
    title={<Trans>L’application a rencontré un problème.</Trans>}
    action={<ReopenButton />}
  >
    <ReopenAdvice />
  </WholeScreen>
)
