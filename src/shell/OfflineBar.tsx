import { Trans } from '@lingui/react/macro'
import { useOnline } from '../ui/useOnline.ts'
import classes from './OfflineBar.module.css'

/** Says for as long as it is so that there is no network, and what that means. */
export function OfflineBar() {
  const isOnline = useOnline()
  return (
    <div role="status" className={classes.place}>
      {!isOnline && (
        <p className={classes.bar}>
          <Trans>
            Hors ligne. Vos transferts et vos reçus restent là ; le paiement attendra le retour du réseau.
          </Trans>
        </p>
      )}
    </div>
  )
}
