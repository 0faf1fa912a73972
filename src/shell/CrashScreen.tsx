import { Trans } from '@lingui/react/macro'
import { ReopenAdvice, ReopenButton } from '../ui/Reopen.tsx'
import { WholeScreen } from './WholeScreen.tsx'

export const CrashScreen = () => (
  <WholeScreen
    isAlert
    title={<Trans>L’application a rencontré un problème.</Trans>}
    action={<ReopenButton />}
  >
    <ReopenAdvice />
  </WholeScreen>
)
