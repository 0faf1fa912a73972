import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useState } from 'react'
import sections from '../../ui/account/Section.module.css'
import { UNKNOWN } from '../../ui/failureText.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { useSubmit } from '../../ui/useSubmit.ts'

/** Signs out everywhere, for a person who has lost a phone. `onDone`: this device has to sign out too. */
export function SignOutEverywhere({ onDone }: { onDone: () => void }) {
  const [isAsked, setAsked] = useState(false)
  const { isBusy, problem, submit } = useSubmit(async () => {
    const { signOutEverywhere } = await import('../../services/accountEnd.ts')
    if (await signOutEverywhere()) onDone()
  }, UNKNOWN.signOutEverywhere)
  return (
    <section className={sections.section} aria-labelledby="devices">
      <h2 id="devices">
        <Trans>Vos appareils</Trans>
      </h2>
      <div className={sections.form}>
        <p>
          <Trans>Téléphone perdu, ou connexion oubliée quelque part ? Fermez toutes vos sessions.</Trans>
        </p>
        <Button variant="default" onClick={() => setAsked(true)}>
          <Trans>Se déconnecter partout</Trans>
        </Button>
      </div>
      {isAsked && (
        <Sheet
          title={<Trans>Se déconnecter partout ?</Trans>}
          onClose={() => setAsked(false)}
          isClosable={!isBusy}
        >
          <div className={sections.form}>
            <p>
              <Trans>
                Tous vos appareils, celui-ci compris, devront se reconnecter. Un appareil resté ouvert garde
                l’accès pendant une heure au plus.
              </Trans>
            </p>
            <p>
              <Trans>Si quelqu’un connaît votre mot de passe, changez-le d’abord.</Trans>
            </p>
            {problem && <Notice kind="error">{problem}</Notice>}
            <Button loading={isBusy} onClick={submit} fullWidth>
              <Trans>Se déconnecter partout</Trans>
            </Button>
          </div>
        </Sheet>
      )}
    </section>
  )
}
