import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type CSSProperties, type ReactNode, useRef, useState } from 'react'
import { toFailure } from '../browser/failure.ts'
import { RefreshIcon } from './icons/lists.ts'
import classes from './Refresh.module.css'
import { showToast } from './toast.ts'
import { useIsMounted } from './useIsMounted.ts'
import { usePull } from './usePull.ts'

const NEEDS_NETWORK = msg`Pour actualiser, il faut du réseau. Réessayez quand il sera revenu.`
const FAILED = msg`L’actualisation a échoué. Réessayez dans un moment.`

/** `ask` resolves to the failure, or null. `children`: shown beside the button, except during a refresh. */
export function Refresh({
  name,
  done,
  ask,
  children,
}: {
  name: string
  done: string
  ask: () => Promise<unknown>
  children?: ReactNode
}) {
  const { i18n } = useLingui()
  const [begunBy, setBegunBy] = useState<'button' | 'pull' | null>(null)
  const isRunning = useRef(false)
  const isHere = useIsMounted()
  const refresh = async (by: 'button' | 'pull') => {
    if (isRunning.current) return
    isRunning.current = true
    setBegunBy(by)
    const error = await ask()
    isRunning.current = false
    setBegunBy(null)
    if (!isHere()) return
    if (error === null) showToast('success', done)
    else showToast('error', i18n._(toFailure(error).kind === 'network' ? NEEDS_NETWORK : FAILED))
  }
  const place = useRef<HTMLDivElement>(null)
  const pulled = usePull(place, () => refresh('pull'))
  const pull = begunBy === 'pull' ? 1 : pulled
  return (
    <div ref={place} className={classes.refresh} data-busy={begunBy !== null}>
      <span>
        <span role="status" className={children ? undefined : 'unseen'}>
          {begunBy && <Trans>Actualisation…</Trans>}
        </span>
        {!begunBy && children}
      </span>
      <button
        type="button"
        translate="no"
        className={classes.button}
        aria-label={name}
        // A disabled button would lose the focus.
        aria-disabled={begunBy !== null}
        onClick={() => refresh('button')}
      >
        <RefreshIcon isSmall />
      </button>
      {pull > 0 && (
        <span className={classes.pull} style={{ '--pulled': pull } as CSSProperties}>
          <RefreshIcon />
        </span>
      )}
    </div>
  )
}
