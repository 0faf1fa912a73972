import { type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import { err, ok } from '../../domain/result.ts'
import {
  CLOSED_POLL_MAX,
  CLOSED_POLL_MIN,
  POPUP_SIZE,
  type PopupQueueEvent,
  type PopupRequest,
  popupQueueMachine,
} from '../../machines/popupQueue.ts'
import { failureOf } from '../browser/failure.ts'
import { deviceStore } from '../browser/storage.ts'
import { CHANNEL, OWN_WINDOW, type PopupMessage, popupAddress } from '../googlePopup/messages.ts'
import { keepGoogleRequest, takeGoogleAnswer } from '../services/googleReturn.ts'

/** What only this tab knows of each request, by its id: the token has to answer to that. */
const nonces = new Map<string, string>()

/** The popup machine with everything it needs in a browser. */
export const popupQueue = popupQueueMachine.provide({
  actors: {
    listen: fromCallback<AnyEventObject>(({ sendBack }) =>
      listen((message) => {
        if (message.kind !== 'redirect') return
        const { requestId, at } = message
        sendBack({
          type: 'redirect.received',
          at: Date.now(),
          // When the page of the popup is loaded again, it says the same once more.
          redirect: {
            eventId: requestId,
            requestId,
            issuedAt: at,
            ...('idToken' in message
              ? { credential: { idToken: message.idToken } }
              : { error: message.error }),
          },
        })
      }),
    ),
    popup: fromCallback<AnyEventObject, PopupRequest>(({ sendBack, input: { id } }) => {
      const rawNonce = crypto.randomUUID()
      nonces.set(id, rawNonce)
      const stopListening = listen((message) => {
        if (message.kind === 'loaded' && message.requestId === id)
          sendBack({ type: 'popup.loaded', at: Date.now() })
      })
      const popup = window.open(popupAddress({ requestId: id, rawNonce }), '_blank', features())
      if (!popup) {
        sendBack({ type: 'popup.blocked' })
        return stopListening
      }
      let pause = CLOSED_POLL_MIN
      let timer = setTimeout(look, pause)
      function look() {
        if (popup?.closed) return sendBack({ type: 'popup.closed', at: Date.now() })
        pause = Math.min(pause * 1.5, CLOSED_POLL_MAX)
        timer = setTimeout(look, pause)
      }
      return () => {
        clearTimeout(timer)
        stopListening()
        popup.close()
      }
    }),
    leave: fromCallback<AnyEventObject, PopupRequest>(({ sendBack, input: { id, purpose } }) => {
      const rawNonce = crypto.randomUUID()
      const page = history.state?.page ?? null
      const request = { id: OWN_WINDOW + id, rawNonce }
      if (!keepGoogleRequest({ ...request, purpose, at: Date.now(), page }))
        throw new Error('Nothing would be left of the request')
      const stopped = new AbortController()
      const { signal } = stopped
      const leave = () => {
        const undo = () => sendBack({ type: 'departure.undone' })
        window.addEventListener('pageshow', ({ persisted }) => persisted && undo(), { signal })
        // iOS opens the page over the app. When the person closes it, the app only learns that it is visible again.
        const look = () => document.visibilityState === 'visible' && undo()
        document.addEventListener('visibilitychange', look, { signal })
        location.assign(popupAddress({ requestId: request.id, rawNonce }))
      }
      // Without a network the browser would show its own error page, from which no button may lead back to an installed app. So
      // the network is tried first. The service worker keeps no answer to this request.
      fetch('/google-sign-in.html', { method: 'HEAD', cache: 'no-store', signal }).then(
        () => signal.aborted || leave(),
        () => signal.aborted || sendBack({ type: 'departure.failed' }),
      )
      return () => stopped.abort()
    }),
    finish: fromPromise(async ({ input: { requestId, purpose, credential } }) => {
      try {
        const { finishGoogleSignIn } = await import('../services/googleSignIn.ts')
        const rawNonce = nonces.get(requestId) ?? ''
        const done = await finishGoogleSignIn(purpose, { idToken: credential.idToken, rawNonce })
        if (purpose === 'signUp') deviceStore.set('forceSignUp', null)
        return ok(done)
      } catch (error) {
        return err(failureOf(error))
      } finally {
        nonces.delete(requestId)
      }
    }),
  },
})

/** What the app's window has brought back, as a sign-in or as a proof; null when it was not at Google. It is given out once. */
export function broughtBack(isProof: boolean): PopupQueueEvent | null {
  const answer = takeGoogleAnswer(isProof)
  if (!answer) return null
  const { id, purpose, rawNonce, at } = answer
  nonces.set(id, rawNonce)
  const said = 'idToken' in answer ? { credential: { idToken: answer.idToken } } : { error: answer.error }
  return {
    type: 'redirect.brought',
    at: Date.now(),
    request: { id, purpose, window: 'own' },
    redirect: { eventId: id, requestId: id, issuedAt: at, ...said },
  }
}

function listen(onMessage: (message: PopupMessage) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<PopupMessage>) => onMessage(data)
  return () => channel.close()
}

/** Places the popup in the middle of this window, in the size of the specification's section 9. */
function features(): string {
  const { width, height } = POPUP_SIZE
  const left = Math.max(0, window.screenX + (window.outerWidth - width) / 2)
  const top = Math.max(0, window.screenY + (window.outerHeight - height) / 2)
  return `popup,width=${width},height=${height},left=${Math.round(left)},top=${Math.round(top)}`
}
