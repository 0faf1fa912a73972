import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useRef, useSyncExternalStore } from 'react'
import {
  endInstallInvitation,
  getInstallInvitation,
  type InstallInvitation,
  openInstallPrompt,
  watchInstallInvitation,
} from '../pwa/installation.ts'
import { useFocusHeadingAfter } from '../ui/focusHeading.ts'
import classes from './InstallCard.module.css'

export function InstallCard() {
  const invitation = useSyncExternalStore(watchInstallInvitation, getInstallInvitation)
  return invitation && <Card invitation={invitation} />
}

function Card({ invitation }: { invitation: InstallInvitation }) {
  const card = useRef<HTMLElement>(null)
  useFocusHeadingAfter(card)
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
          <Button variant="light" onClick={openInstallPrompt}>
            <Trans>Installer l’application</Trans>
          </Button>
        )}
        <Button variant="subtle" onClick={endInstallInvitation}>
          <Trans>Non merci</Trans>
        </Button>
      </div>
    </section>
  )
}

const ShareIcon = () => (
  <svg className={classes.share} viewBox="0 0 24 24" aria-hidden="true">
    <path d="M12 15V3m0 0L8 7m4-4 4 4M8 10H6v11h12V10h-2" />
  </svg>
)
