import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { SheetRow } from '../../ui/account/SheetRow.tsx'
import { UNKNOWN_CODE_TEXTS } from '../../ui/failureText.ts'
import { SignOutIcon } from '../../ui/icons/navigation.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { useSubmit } from '../../ui/useSubmit.ts'

/** `onDone` is called if this device must sign out too. */
export function SignOutEverywhere({ onDone }: { onDone: () => void }) {
  const { isBusy, problem, submit } = useSubmit(async () => {
    const { signOutEverywhere } = await import('../../services/accountEnd.ts')
    if (await signOutEverywhere()) onDone()
  }, UNKNOWN_CODE_TEXTS.signOutEverywhere)
  return (
    <SheetRow
      icon={SignOutIcon}
      title={<Trans>Se déconnecter partout</Trans>}
      note={<Trans>Téléphone perdu, ou connexion oubliée quelque part ?</Trans>}
      sheet={(close) => (
        <Sheet
          title={<Trans>Se déconnecter partout ?</Trans>}
          onClose={close}
          isClosable={!isBusy}
          foot={
            <Button loading={isBusy} onClick={submit} fullWidth>
              <Trans>Se déconnecter partout</Trans>
            </Button>
          }
        >
          <p>
            <Trans>
              Tous vos appareils, celui-ci compris, perdent l’accès aussitôt et devront se reconnecter. Un
              appareil hors ligne se déconnecte dès qu’il retrouve le réseau.
            </Trans>
          </p>
          <p>
            <Trans>Si quelqu’un connaît votre mot de passe, changez-le d’abord.</Trans>
          </p>
          {problem && <Notice kind="error">{problem}</Notice>}
        </Sheet>
      )}
    />
  )
}
