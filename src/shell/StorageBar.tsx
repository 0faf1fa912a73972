import { Trans } from '@lingui/react/macro'
import { storageProblemStore } from '../cache/deviceStorage.ts'
import { WarningIcon } from '../ui/icons/common.ts'
import { useStore } from '../ui/useStore.ts'
import classes from './OfflineBar.module.css'

export function StorageBar() {
  const problem = useStore(storageProblemStore)
  return (
    problem && (
      <p className={classes.bar}>
        <WarningIcon isSmall />
        <span>
          {problem === 'full' ? (
            <Trans>
              La mémoire de cet appareil est pleine. Tout fonctionne avec le réseau, mais vos derniers
              transferts ne seront pas disponibles hors ligne.
            </Trans>
          ) : (
            <Trans>
              Cet appareil ne peut rien enregistrer pour l’instant. Tout fonctionne avec le réseau, mais vos
              transferts et vos reçus ne seront pas disponibles hors ligne.
            </Trans>
          )}
        </span>
      </p>
    )
  )
}
