import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'

/** After how long somebody who waits wants to know that it still goes on, in milliseconds. */
const LONG = 6000

/** Says after some seconds that an answer is still awaited. A turning sign alone looks the same on a dead network. */
export function SlowAnswer({ isAwaited }: { isAwaited: boolean }) {
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
    <p role="status" className={isLong ? undefined : 'unseen'}>
      {isLong && <Trans>Le réseau est lent. Nous attendons toujours la réponse.</Trans>}
    </p>
  )
}
