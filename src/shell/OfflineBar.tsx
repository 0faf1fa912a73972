import { Trans } from '@lingui/react/macro'
import { OfflineIcon } from '../ui/icons/common.ts'
import { useOnline } from '../ui/useOnline.ts'
import classes from './OfflineBar.module.css'

export function OfflineBar() {
  const isOnline = useOnline()
  return (
    <div role="status" className={classes.place}>
      {!isOnline && (
        <p className={classes.bar}>
          <OfflineIcon isSmall />
          <span>
            <Trans>
              <strong>Hors ligne.</strong> Vos reçus et votre saisie restent là.
            </Trans>
          </span>
        </p>
      )}
    </div>
  )
}
