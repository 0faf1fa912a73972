import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { missingCodeShown, sayWhenLate } from '../browser/importWithRetry.ts'
import { useHeadingAfter } from './focusHeading.ts'
import { MissingWords, ReopenButton } from './Reopen.tsx'
import classes from './toast.module.css'
import { useStore } from './useStore.ts'

/** Says that code of the app does not come, and offers to open the app anew, until the code is there after all. */
export function MissingCode() {
  const isShown = useStore(missingCodeShown)
  return (
    <div className={isShown ? classes.toast : undefined} data-kind="error">
      {/* Always there, so that assistive technology hears what comes into it. */}
      <div role="alert">{isShown && <MissingWords />}</div>
      {isShown && <Ways />}
    </div>
  )
}

/** Stands in a screen while its code is awaited. After a long wait the page says that the code does not come: a bad network may never fail. */
export const useSaidWhenLate = () => useEffect(sayWhenLate, [])

function Ways() {
  const ways = useRef<HTMLDivElement>(null)
  useHeadingAfter(ways)
  return (
    <div ref={ways} className={classes.ways}>
      <ReopenButton />
      <Button variant="default" onClick={() => missingCodeShown.set(false)}>
        <Trans>Plus tard</Trans>
      </Button>
    </div>
  )
}
