import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { isLockOn, setLock, watchLock } from '../../browser/appLock.ts'
import { canRecognizeUser, createPasskey, recognizeUser } from '../../browser/passkey.ts'
import { deviceStore } from '../../browser/storage.ts'
import { SheetRow } from '../../ui/account/SheetRow.tsx'
import { PhoneIcon } from '../../ui/icons/common.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { showToast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/useSubmit.ts'

const STAYS_OFF = msg`Le verrouillage n’est pas activé : votre appareil ne vous a pas reconnu, ou n’a rien pu enregistrer. Réessayez.`
const STAYS_ON = msg`Le verrouillage reste activé : votre appareil ne vous a pas reconnu. Réessayez, ou déconnectez-vous pour le retirer.`

/** `name`: how the device lists the user's passkey. */
export function AppLockRow({ uid, name }: { uid: string; name: string }) {
  const [isOn, setOn] = useState(isLockOn)
  useEffect(() => watchLock(() => setOn(isLockOn())), [])
  return (
    <SheetRow
      icon={PhoneIcon}
      title={<Trans>Verrouillage de l’application</Trans>}
      note={isOn ? <Trans>Activé sur cet appareil</Trans> : <Trans>Empreinte, visage ou code</Trans>}
      sheet={(close) => (
        <AppLockSheet
          {...{ uid, name, isOn }}
          onChange={() => {
            setOn(isLockOn())
            close()
          }}
          onClose={close}
        />
      )}
    />
  )
}

function AppLockSheet({
  uid,
  name,
  isOn,
  onChange,
  onClose,
}: {
  uid: string
  name: string
  isOn: boolean
  onChange: () => void
  onClose: () => void
}) {
  const { t } = useLingui()
  const [isUnsupported, setUnsupported] = useState(false)
  useEffect(() => void canRecognizeUser().then((can) => setUnsupported(!can)), [])
  const { isBusy, problem, submit } = useSubmit(
    async () => {
      // Another person may be using the unlocked app.
      const lock = deviceStore.get('lock')
      if (lock) await recognizeUser(lock.passkey)
      const isStored = await setLock(isOn ? null : { uid, passkey: await createPasskey(uid, name) })
      if (!isStored) throw new Error('The lock was not stored')
      showToast('success', isOn ? t`Le verrouillage est désactivé.` : t`Le verrouillage est activé.`)
      onChange()
    },
    () => (isOn ? STAYS_ON : STAYS_OFF),
  )
  const cannot = isUnsupported && !isOn
  return (
    <Sheet
      title={<Trans>Verrouillage de l’application</Trans>}
      onClose={onClose}
      isClosable={!isBusy}
      foot={
        !cannot && (
          <Button variant={isOn ? 'light' : 'filled'} loading={isBusy} onClick={submit} fullWidth>
            {isOn ? <Trans>Désactiver le verrouillage</Trans> : <Trans>Activer le verrouillage</Trans>}
          </Button>
        )
      }
    >
      <p>
        <Trans>
          À l’ouverture de Passerelle, et après cinq minutes passées ailleurs, votre appareil doit vous
          reconnaître : empreinte, visage ou code.
        </Trans>
      </p>
      <p>
        <Trans>
          Le verrouillage cache l’écran : il ne chiffre pas les données de cet appareil, et les notifications
          restent visibles. Si vous vous déconnectez, il est retiré.
        </Trans>
      </p>
      {cannot && (
        <Notice kind="warning">
          <Trans>
            Ce navigateur ne peut pas vous reconnaître. Ajoutez d’abord un code ou une empreinte dans les
            réglages de cet appareil, ou prenez un autre navigateur récent.
          </Trans>
        </Notice>
      )}
      {problem && (
        <Notice kind="error" isCalling>
          {problem}
        </Notice>
      )}
    </Sheet>
  )
}
