import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { storageProblemStore } from '../../cache/deviceStorage.ts'
import { type Persistence, readPersistence } from '../../pwa/persistence.ts'
import { offlineRefusedStore } from '../../pwa/serviceWorkers.ts'
import { SheetRow } from '../../ui/account/SheetRow.tsx'
import { PhoneIcon } from '../../ui/icons/common.ts'
import { Sheet } from '../../ui/Sheet.tsx'
import { useStore } from '../../ui/useStore.ts'

/** Other texts explain why nothing can be stored or opened without a network. */
export function DeviceStorageRow() {
  const isOfflineRefused = useStore(offlineRefusedStore)
  const isBroken = useStore(storageProblemStore) !== null
  const [persistence, setPersistence] = useState<Persistence | null>(null)
  useEffect(() => void readPersistence().then(setPersistence), [])
  if (isBroken || isOfflineRefused || !persistence) return null
  return (
    <SheetRow
      icon={PhoneIcon}
      title={<Trans>Sur cet appareil</Trans>}
      note={<Trans>Ce qui s’ouvre sans réseau</Trans>}
      sheet={(close) => (
        <Sheet title={<Trans>Sur cet appareil</Trans>} onClose={close}>
          <p>
            <Trans>
              Vos transferts, vos reçus et vos contacts sont gardés ici jusqu’à votre déconnexion, pour
              s’ouvrir sans réseau.
            </Trans>
          </p>
          <p>
            {persistence === 'kept' ? (
              <Trans>Votre navigateur s’est engagé à ne pas les effacer, même si la place manque.</Trans>
            ) : persistence === 'mayGo' ? (
              <Trans>
                Si la place manque, votre navigateur peut les effacer. Rien n’est perdu : ils reviennent avec
                le réseau.
              </Trans>
            ) : (
              <Trans>
                Après votre premier reçu ou contact, nous demanderons à votre navigateur de ne pas les effacer
                si la place manque.
              </Trans>
            )}
          </p>
        </Sheet>
      )}
    />
  )
}
