import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useState } from 'react'

/** In milliseconds. */
const LONG = 6000

/** A spinner looks the same on a dead network. `children`: a way out of a wait that takes long. */
export function SlowResponseNotice({ isAwaited, children }: { isAwaited: boolean; children?: ReactNode }) {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isAwaited) return
    const timer = setTimeout(() => setLong(true), LONG)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isAwaited])
  return (
    <>
      <p role="status" className={isLong ? undefined : 'unseen'}>
        {isLong && <Trans>Le réseau est lent. Nous attendons toujours la réponse.</Trans>}
      </p>
      {isLong && children}
    </>
  )
}
