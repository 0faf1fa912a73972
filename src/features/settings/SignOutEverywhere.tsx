import { Trans } from '@lingui/react/macro'
import { SettingSheet } from '../../ui/account/SettingSheet.tsx'
import { SheetRow } from '../../ui/account/SheetRow.tsx'
import { UNKNOWN_CODE_TEXTS } from '../../ui/failureText.ts'
import { SignOutIcon } from '../../ui/icons/navigation.ts'
import { useSubmit } from '../../ui/useSubmit.ts'

/** `onDone` is called if this device must sign out too. */
export const SignOutEverywhere = ({ onDone }: { onDone: () => void }) => (
  <SheetRow
    icon={SignOutIcon}
    title={<Trans>Se déconnecter partout</Trans>}
    note={<Trans>Téléphone perdu, ou connexion oubliée quelque part ?</Trans>}
    sheet={(close) => <SignOutSheet onDone={onDone} onClose={close} />}
  />
)

function SignOutSheet({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { isBusy, problem, submit } = useSubmit(async () => {
    const { signOutEverywhere } = await import('../../services/accountEnd.ts')
    if (await signOutEverywhere()) onDone()
  }, UNKNOWN_CODE_TEXTS.signOutEverywhere)
  return (
    <SettingSheet
      title={<Trans>Se déconnecter partout ?</Trans>}
      submitLabel={<Trans>Se déconnecter partout</Trans>}
      isBusy={isBusy}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
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
    </SettingSheet>
  )
}
