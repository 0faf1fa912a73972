import { Trans, useLingui } from '@lingui/react/macro'
import { loginPageStore } from '../browser/network.ts'
import { LOGIN_PAGE } from '../ui/failureText.ts'
import { OfflineIcon } from '../ui/icons/common.ts'
import { useOnline } from '../ui/useOnline.ts'
import { useStore } from '../ui/useStore.ts'
import classes from './OfflineBar.module.css'

export function OfflineBar() {
  const { i18n } = useLingui()
  const isOnline = useOnline()
  const isLoginPage = useStore(loginPageStore)
  return (
    <div role="status" className={classes.place}>
      {!isOnline && (
        <p className={classes.bar}>
          <OfflineIcon isSmall />
          <span>
            {isLoginPage ? (
              i18n._(LOGIN_PAGE)
            ) : (
              <Trans>
                <strong>Hors ligne.</strong> Vos reçus et votre saisie restent là.
              </Trans>
            )}
          </span>
        </p>
      )}
    </div>
  )
}
