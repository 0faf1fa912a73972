import { Trans } from '@lingui/react/macro'
import { storageProblem } from '../cache/deviceStorage.ts'
import { useStore } from '../ui/useStore.ts'
import classes from './OfflineBar.module.css'

/** Says for as long as it is so that this device keeps nothing, and what that means. */
export function StorageBar() {
  const problem = useStore(storageProblem)
  return (
    <div role="status">
      {problem && (
        <p className={classes.bar}>
          {problem === 'full' ? (
            <Trans>
              La mémoire de cet appareil est pleine. Tout fonctionne avec le réseau, mais vos derniers
              transferts ne seront pas là hors ligne.
            </Trans>
          ) : (
            <Trans>
              Cet appareil ne peut rien garder pour l’instant. Tout fonctionne avec le réseau, mais vos
              transferts et vos reçus ne seront pas là hors ligne.
            </Trans>
          )}
        </p>
      )}
    </div>
  )
}
