import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { updateLogic } from '../actors/update.ts'
import { useActorRef } from '../inspection/useActorRef.ts'
import { handleLaunches } from '../pwa/launches.ts'
import { linkSplashScreens } from '../pwa/splash.ts'
import { useIsAnnouncementEnabled } from '../ui/announcements.ts'
import { DisappearingButton } from '../ui/DisappearingButton.tsx'
import classes from './UpdateOffer.module.css'

if ('standalone' in navigator) linkSplashScreens()
handleLaunches()

/** The offer's machine also registers the service worker. */
export function UpdateOffer() {
  const { t } = useLingui()
  const actor = useActorRef(updateLogic)
  const isActivating = useSelector(actor, (state) => state.matches('activating'))
  const isOffered = useSelector(actor, (state) => state.matches({ ready: 'offered' }))
  const isWanted = useIsAnnouncementEnabled('version')
  const isShown = (isOffered && isWanted) || isActivating
  return (
    <section
      className={classes.offer}
      aria-label={isShown ? t`Mise à jour` : undefined}
      data-shown={isShown || undefined}
    >
      {/* Screen readers announce what appears in an existing status. */}
      <p role="status">{isShown && <Trans>Une nouvelle version est prête.</Trans>}</p>
      {isShown && (
        <>
          <Button loading={isActivating} onClick={() => actor.send({ type: 'update.accept' })}>
            <Trans>Mettre à jour</Trans>
          </Button>
          {isOffered && (
            <DisappearingButton variant="subtle" onClick={() => actor.send({ type: 'update.postpone' })}>
              <Trans>Plus tard</Trans>
            </DisappearingButton>
          )}
        </>
      )}
    </section>
  )
}
