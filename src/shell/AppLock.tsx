import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { appLockLogic } from '../actors/appLock.ts'
import { coverPage, lockActiveStore } from '../browser/appLock.ts'
import { useActorRef } from '../inspection/useActorRef.ts'
import { canTakeFocusBack, focusHeading } from '../ui/focusHeading.ts'
import { Emblem } from '../ui/Logo.tsx'
import { Notice } from '../ui/Notice.tsx'
import { toasts } from '../ui/toast.ts'
import { useStore } from '../ui/useStore.ts'
import classes from './AppLock.module.css'
import { LockedBridge } from './LockedBridge.tsx'

/**
 * A modal dialog of the browser lies above everything, also above the bank's frame, and makes the rest inert.
 * `isOpen`: the lock was switched on in this page.
 */
export default function AppLock({ isOpen, onSignOut }: { isOpen: boolean; onSignOut: () => void }) {
  const actor = useActorRef(appLockLogic, { input: { isOpen } })
  const state = useSelector(actor, (snapshot) => snapshot)
  useEffect(() => {
    lockActiveStore.set(true)
    return () => lockActiveStore.set(false)
  }, [])
  const isCovering = !state.matches('open')
  const isAway = state.matches('away')
  const isAsking = state.matches('asking')
  // The toast of a failed sign-out is covered too.
  const error = useStore(toasts).findLast(({ kind }) => kind === 'error')
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()

  useLayoutEffect(() => {
    const cover = dialog.current
    if (!isCovering || !cover) return
    coverPage(true)
    cover.showModal()
    return () => {
      coverPage(false)
      cover.close()
      const { activeElement } = document
      if (!canTakeFocusBack(activeElement) || cover.contains(activeElement))
        focusHeading(document.querySelector('[role=dialog]'))
    }
  }, [isCovering])
  // At the end of an absence the dialog is already open, without the button.
  const unlock = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isCovering && !isAway) unlock.current?.focus()
  }, [isCovering, isAway])

  return createPortal(
    <main className={classes.place} hidden={!isCovering}>
      <dialog
        ref={dialog}
        className={classes.lock}
        aria-labelledby={title}
        onCancel={(event) => event.preventDefault()}
        // Chrome closes a dialog at the second request, whatever the page says.
        onClose={({ currentTarget: cover }) => isCovering && !cover.open && cover.showModal()}
        data-away={isAway || undefined}
      >
        {isAway ? (
          <Emblem />
        ) : (
          <>
            <LockedBridge />
            <h2 id={title}>
              <Trans>Passerelle est verrouillée</Trans>
            </h2>
            {state.matches('failed') ? (
              <Notice kind="error" isCalling>
                <Trans>
                  Votre appareil ne vous a pas reconnu. Réessayez. Si la clé d’accès a été supprimée,
                  connectez-vous autrement.
                </Trans>
              </Notice>
            ) : (
              <p>
                <Trans>Votre appareil doit d’abord vous reconnaître : empreinte, visage ou code.</Trans>
              </p>
            )}
            {error && (
              <Notice key={error.id} kind="error" isCalling>
                {error.message}
              </Notice>
            )}
            <div className={classes.ways}>
              <Button
                ref={unlock}
                // A disabled button would lose the focus while the device asks.
                aria-disabled={isAsking}
                aria-busy={isAsking}
                onClick={() => actor.send({ type: 'unlock.request' })}
              >
                {isAsking ? <Trans>Un instant…</Trans> : <Trans>Déverrouiller</Trans>}
              </Button>
              <Button variant="subtle" onClick={onSignOut}>
                <Trans>Se connecter autrement</Trans>
              </Button>
            </div>
          </>
        )}
      </dialog>
    </main>,
    document.body,
  )
}
