import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useEffect, useRef } from 'react'
import type { PopupRequest } from '../../../machines/popupQueue.ts'
import { broughtBack, popupQueue } from '../../actors/popupQueue.ts'
import { standsAlone } from '../../browser/standsAlone.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import { failureText } from '../failureText.ts'
import { Notice } from '../Notice.tsx'
import { useFocusBack } from '../useFocusBack.ts'
import { GoogleButton } from './GoogleButton.tsx'

/**
 * Signs in, up or once more with a Google account, in a popup; in an app that stands alone by its own window, where it goes on with
 * what the window has brought back. Specification, sections 4, 8 and 9.
 */
export function GoogleSignIn({
  purpose,
  isAsked = false,
  onDone,
}: {
  purpose: PopupRequest['purpose']
  /** Whether the button was pressed before this code was there. */
  isAsked?: boolean
  onDone?: () => void
}) {
  const { i18n } = useLingui()
  const queue = useActorRef(popupQueue, { input: { isSlow: isSlowNetwork() } })
  const failure = useSelector(queue, ({ context }) => context.problem)
  const isDone = useSelector(queue, ({ context }) => context.result?.outcome === 'signedIn')
  const isBusy = useSelector(queue, (snapshot) => snapshot.hasTag('busy'))
  useEffect(() => {
    if (isDone) onDone?.()
  }, [isDone, onDone])
  const noteFocus = useFocusBack(isBusy)
  const request = () => {
    noteFocus()
    queue.send({
      type: 'popup.request',
      id: crypto.randomUUID(),
      purpose,
      window: standsAlone() ? 'own' : 'popup',
    })
  }
  const isProof = purpose === 'reauthenticate'
  useEffect(() => {
    const back = broughtBack(isProof)
    if (back) queue.send(back)
  }, [queue, isProof])
  const button = useRef<HTMLButtonElement>(null)
  const isToAnswer = useRef(isAsked)
  useEffect(() => {
    if (!isToAnswer.current) return
    isToAnswer.current = false
    // The button that was pressed is gone, and this one stands in its place.
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
    request()
  })
  return (
    <>
      {failure && <Notice kind="error">{i18n._(failureText(failure))}</Notice>}
      <GoogleButton ref={button} isBusy={isBusy} onClick={request} />
    </>
  )
}

/** Whether the network is slow, as far as the browser tells: what it calls 3G or slower, or a phone that saves data. */
function isSlowNetwork(): boolean {
  const { connection } = navigator as { connection?: { effectiveType?: string; saveData?: boolean } }
  return connection !== undefined && (connection.saveData === true || connection.effectiveType !== '4g')
}
