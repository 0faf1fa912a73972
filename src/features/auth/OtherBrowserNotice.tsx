import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { buildBrowserLink, canOpenInBrowser } from '../../browser/inAppBrowser.ts'
import { Notice } from '../../ui/Notice.tsx'

/** Google refuses to sign in inside of another app. */
export function OtherBrowserNotice() {
  const [isCopied, setCopied] = useState<boolean | null>(null)
  const { origin } = location
  const copy = async () => {
    // Browsers inside of other apps may lack a clipboard.
    try {
      await navigator.clipboard.writeText(origin)
      setCopied(true)
    } catch {
      setCopied(false)
    }
  }
  return (
    <Notice
      kind="info"
      title={<Trans>Google refuse de vous connecter ici</Trans>}
      action={
        canOpenInBrowser() ? (
          <Button component="a" href={buildBrowserLink(location)} variant="light">
            <Trans>Ouvrir dans le navigateur</Trans>
          </Button>
        ) : (
          <Button variant="light" onClick={copy}>
            {isCopied ? <Trans>Adresse copiée</Trans> : <Trans>Copier l’adresse</Trans>}
          </Button>
        )
      }
    >
      <Trans>
        Cette page est ouverte dans une autre application. Connectez-vous par e-mail ou par téléphone, ou
        ouvrez Passerelle dans Safari ou Chrome.
      </Trans>
      {isCopied === false && (
        <>
          {' '}
          <Trans>
            L’adresse est <b translate="no">{origin}</b>.
          </Trans>
        </>
      )}
    </Notice>
  )
}
