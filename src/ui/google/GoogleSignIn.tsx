import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useEffect, useRef } from 'react'
import type { PopupRequest } from '../../../machines/popupQueue.ts'
import { chooseGoogleWindow, consumeGoogleResult, popupQueueLogic } from '../../actors/popupQueue.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import { getFailureText } from '../failureText.ts'
import { Notice } from '../Notice.tsx'
import { useRestoreFocus } from '../useRestoreFocus.ts'
import { GoogleButton } from './GoogleButton.tsx'

/**
 * An installed app, or a browser without channels, leaves for Google in its own window. Specification,
 * sections 4, 8 and 9.
 */
export function GoogleSignIn({
  purpose,
  isAsked = false,
  onDone,
}: {
  purpose: PopupRequest['purpose']
  /** The user pressed the button before this chunk had loaded. */
  isAsked?: boolean
  onDone?: () => void
}) {
  const { i18n } = useLingui()
  const queue = useActorRef(popupQueueLogic, { input: { isSlow: isSlowNetwork() } })
  // Another popup cancels the first one.
  const failure = useSelector(
    queue,
    ({ context: { problem, result } }) => problem ?? (result?.outcome === 'refused' ? result.failure : null),
  )
  const isDone = useSelector(queue, ({ context }) => context.result?.outcome === 'signedIn')
  const isBusy = useSelector(queue, (snapshot) => snapshot.hasTag('busy'))
  useEffect(() => {
    if (isDone) onDone?.()
  }, [isDone, onDone])
  const noteFocus = useRestoreFocus(isBusy)
  const request = () => {
    noteFocus()
    queue.send({
      type: 'popup.request',
      id: crypto.randomUUID(),
      purpose,
      window: chooseGoogleWindow(),
    })
  }
  const isProof = purpose === 'reauthenticate'
  useEffect(() => {
    const back = consumeGoogleResult(isProof)
    // StrictMode starts the queue twice, so a one-time request waits for the second start.
    if (back) queueMicrotask(() => queue.send(back))
  }, [queue, isProof])
  const button = useRef<HTMLButtonElement>(null)
  const isToAnswer = useRef(isAsked)
  useEffect(() => {
    if (!isToAnswer.current) return
    isToAnswer.current = false
    // This button has replaced the pressed one.
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
    queueMicrotask(request)
  })
  return (
    <>
      {failure && <Notice kind="error">{i18n._(getFailureText(failure))}</Notice>}
      <GoogleButton ref={button} isBusy={isBusy} onClick={request} />
    </>
  )
}

/** 3G or slower, or a data saver. */
function isSlowNetwork(): boolean {
  const { connection } = navigator as { connection?: { effectiveType?: string; saveData?: boolean } }
  return connection !== undefined && (connection.saveData === true || connection.effectiveType !== '4g')
}
