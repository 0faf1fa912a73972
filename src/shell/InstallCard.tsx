import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useRef, useSyncExternalStore } from 'react'
import { answer, currentInvitation, type Invitation, install, watchInvitation } from '../pwa/installation.ts'
import { useHeadingAfter } from '../ui/focusHeading.ts'
import classes from './InstallCard.module.css'

/** Invites to install the app, once it has shown what it is good for. */
export function InstallCard() {
  const invitation = useSyncExternalStore(watchInvitation, currentInvitation)
  return invitation && <Card invitation={invitation} />
}

function Card({ invitation }: { invitation: Invitation }) {
  const card = useRef<HTMLElement>(null)
  // Each of its buttons takes it away.
  useHeadingAfter(card)
  return (
    <section ref={card} className={classes.card} aria-labelledby="install" data-passing>
      <h2 id="install">
        <Trans>Passerelle sur votre écran d’accueil</Trans>
      </h2>
      <p>
        <Trans>Ouvrez vos transferts et vos reçus d’un geste, même sans réseau.</Trans>
      </p>
      {invitation === 'share' && (
        <p>
          <Trans>
            Touchez <ShareIcon /> Partager dans Safari, puis « Sur l’écran d’accueil ».
          </Trans>
        </p>
      )}
      <div className={classes.buttons}>
        {invitation === 'prompt' && (
          <Button onClick={install}>
            <Trans>Installer l’application</Trans>
          </Button>
        )}
        <Button variant="subtle" onClick={answer}>
          <Trans>Non merci</Trans>
        </Button>
      </div>
    </section>
  )
}

/** Safari's own sign, beside the word. */
const ShareIcon = () => (
  <svg className={classes.share} viewBox="0 0 24 24" aria-hidden="true">
    <path d="M12 15V3m0 0L8 7m4-4 4 4M8 10H6v11h12V10h-2" />
  </svg>
)
