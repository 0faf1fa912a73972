import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { update } from '../actors/update.ts'
import { useActorRef } from '../inspection/useActorRef.ts'
import { linkSplashScreens } from '../pwa/splash.ts'
import { useAnnounced } from '../ui/notifications.ts'
import { PassingButton } from '../ui/PassingButton.tsx'
import classes from './UpdateOffer.module.css'

if ('standalone' in navigator) linkSplashScreens()

/** Keeps the app on the device, and offers a new version of it in a calm moment. It never takes the focus. */
export function UpdateOffer() {
  const { t } = useLingui()
  const actor = useActorRef(update)
  const isActivating = useSelector(actor, (state) => state.matches('activating'))
  const isOffered = useSelector(actor, (state) => state.matches({ ready: 'offered' }))
  const isWanted = useAnnounced('version')
  const isShown = (isOffered && isWanted) || isActivating
  return (
    <section
      className={classes.offer}
      aria-label={isShown ? t`Mise à jour` : undefined}
      data-shown={isShown || undefined}
    >
      {/* Always there, so that assistive technology hears what comes into it. */}
      <p role="status">{isShown && <Trans>Une nouvelle version est prête.</Trans>}</p>
      {isShown && (
        <>
          <Button loading={isActivating} onClick={() => actor.send({ type: 'update.accept' })}>
            <Trans>Mettre à jour</Trans>
          </Button>
          <PassingButton variant="subtle" onClick={() => actor.send({ type: 'update.later' })}>
            <Trans>Plus tard</Trans>
          </PassingButton>
        </>
      )}
    </section>
  )
}
