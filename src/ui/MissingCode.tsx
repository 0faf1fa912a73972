import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { missingCodeStore, reportLateCode } from '../browser/importWithRetry.ts'
import { useFocusHeadingAfter } from './focusHeading.ts'
import { MissingCodeText, ReopenButton } from './Reopen.tsx'
import classes from './toast.module.css'
import { useStore } from './useStore.ts'

export function MissingCode() {
  const isShown = useStore(missingCodeStore)
  return (
    <div className={isShown ? classes.toast : undefined} data-kind="error">
      {/* Screen readers announce a message that appears in an existing alert. */}
      <div role="alert">{isShown && <MissingCodeText />}</div>
      {isShown && <MissingCodeActions />}
    </div>
  )
}

/** On a bad network, the request may hang without failing. */
export const useLateCodeReport = () => useEffect(reportLateCode, [])

function MissingCodeActions() {
  const ways = useRef<HTMLDivElement>(null)
  useFocusHeadingAfter(ways)
  return (
    <div ref={ways} className={classes.ways}>
      <ReopenButton />
      <Button variant="light" onClick={() => missingCodeStore.set(false)}>
        <Trans>Plus tard</Trans>
      </Button>
    </div>
  )
}
