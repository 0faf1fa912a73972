import { type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import {
  CLOSED_POLL_MAX,
  CLOSED_POLL_MIN,
  POPUP_SIZE,
  type PopupRequest,
  popupQueueMachine,
} from '../../machines/popupQueue.ts'
import { err, ok } from '../domain/result.ts'
import { CHANNEL, type PopupMessage, popupAddress } from '../googlePopup/messages.ts'
import { forgetForcedSignUp } from '../services/deviceSession.ts'
import { failureOf } from '../services/failure.ts'

/** By request: what only this tab knows of it, and what the token must answer to. */
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
          // A page that is loaded again says the same once more.
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
    finish: fromPromise(async ({ input: { requestId, purpose, credential } }) => {
      try {
        const { finishGoogleSignIn } = await import('../services/googleSignIn.ts')
        const rawNonce = nonces.get(requestId) ?? ''
        const done = await finishGoogleSignIn(purpose, { idToken: credential.idToken, rawNonce })
        if (purpose === 'signUp') forgetForcedSignUp()
        return ok(done)
      } catch (error) {
        return err(failureOf(error))
      } finally {
        nonces.delete(requestId)
      }
    }),
  },
})

function listen(onMessage: (message: PopupMessage) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<PopupMessage>) => onMessage(data)
  return () => channel.close()
}

/** In the middle of this window, in the size of the specification's section 9. */
function features(): string {
  const { width, height } = POPUP_SIZE
  const left = Math.max(0, window.screenX + (window.outerWidth - width) / 2)
  const top = Math.max(0, window.screenY + (window.outerHeight - height) / 2)
  return `popup,width=${width},height=${height},left=${Math.round(left)},top=${Math.round(top)}`
}
