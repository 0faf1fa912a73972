import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useRef, useSyncExternalStore } from 'react'
import { hideMissingCode, isMissingCodeShown, watchMissingCode } from '../pwa/untilLoaded.ts'
import { useHeadingAfter } from './focusHeading.ts'
import { ReopenAdvice, ReopenButton } from './Reopen.tsx'
import classes from './toast.module.css'

/** Says that code of the app does not come, and offers to open the app anew, until the code is there after all. */
export function MissingCode() {
  const isShown = useSyncExternalStore(watchMissingCode, isMissingCodeShown, () => false)
  return (
    <div className={isShown ? classes.toast : undefined} data-kind="error">
      {/* Always there, so that assistive technology hears what comes into it. */}
      <div role="alert">
        {isShown && (
          <>
            <p>
              <Trans>Une partie de l’application n’a pas pu être chargée.</Trans>
            </p>
            <ReopenAdvice />
          </>
        )}
      </div>
      {isShown && <Ways />}
    </div>
  )
}

function Ways() {
  const ways = useRef<HTMLDivElement>(null)
  useHeadingAfter(ways)
  return (
    <div ref={ways} className={classes.ways}>
      <ReopenButton />
      <Button variant="default" onClick={hideMissingCode}>
        <Trans>Plus tard</Trans>
      </Button>
    </div>
  )
}
