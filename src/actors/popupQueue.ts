import { type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import { err, ok } from '../../domain/common/result.ts'
import {
  POPUP_POLL_MAX,
  POPUP_POLL_MIN,
  POPUP_SIZE,
  type PopupQueueEvent,
  type PopupRequest,
  popupQueueMachine,
} from '../../machines/popupQueue.ts'
import { toFailure } from '../browser/failure.ts'
import { isStandalone } from '../browser/isStandalone.ts'
import { openChannel } from '../browser/openChannel.ts'
import { deviceStore } from '../browser/storage.ts'
import {
  buildPopupAddress,
  GOOGLE_POPUP_CHANNEL,
  OWN_WINDOW_PREFIX,
  type PopupMessage,
} from '../googlePopup/messages.ts'
import { consumeGoogleAnswer, saveGoogleRequest } from '../services/googleReturn.ts'

/** A token must carry the nonce, which only this tab knows. */
const nonces = new Map<string, string>()

export const popupQueueLogic = popupQueueMachine.provide({
  actors: {
    watchRedirects: fromCallback<AnyEventObject>(({ sendBack }) =>
      listen((message) => {
        if (message.kind !== 'redirect') return
        sendBack({
          type: 'redirect.received',
          at: Date.now(),
          redirect: buildRedirect(message.requestId, message),
        })
      }),
    ),
    openPopup: fromCallback<AnyEventObject, PopupRequest>(({ sendBack, input: { id } }) => {
      const rawNonce = crypto.randomUUID()
      nonces.set(id, rawNonce)
      const stopListening = listen((message) => {
        if (message.kind === 'loaded' && message.requestId === id)
          sendBack({ type: 'popup.loaded', at: Date.now() })
      })
      const popup = window.open(
        buildPopupAddress({ requestId: id, rawNonce }),
        '_blank',
        buildWindowFeatures(),
      )
      if (!popup) {
        sendBack({ type: 'popup.blocked' })
        return stopListening
      }
      let pause = POPUP_POLL_MIN
      let timer = setTimeout(look, pause)
      function look() {
        if (popup?.closed) return sendBack({ type: 'popup.closed', at: Date.now() })
        pause = Math.min(pause * 1.5, POPUP_POLL_MAX)
        timer = setTimeout(look, pause)
      }
      return () => {
        clearTimeout(timer)
        stopListening()
        popup.close()
      }
    }),
    leaveForProvider: fromCallback<AnyEventObject, PopupRequest>(({ sendBack, input: { id, purpose } }) => {
      const rawNonce = crypto.randomUUID()
      const page = history.state?.page ?? null
      const request = { id: OWN_WINDOW_PREFIX + id, rawNonce }
      if (!saveGoogleRequest({ ...request, purpose, at: Date.now(), page }))
        throw new Error('The sign-in request could not be stored')
      const stopped = new AbortController()
      const { signal } = stopped
      const leave = () => {
        const undo = () => sendBack({ type: 'departure.canceled' })
        window.addEventListener('pageshow', ({ persisted }) => persisted && undo(), { signal })
        // When the user closes the page, iOS only signals that the app is visible again.
        const look = () => document.visibilityState === 'visible' && undo()
        document.addEventListener('visibilitychange', look, { signal })
        location.assign(buildPopupAddress({ requestId: request.id, rawNonce }))
      }
      // An installed app may have no way back from the browser's offline page. The service worker doesn't
      // cache this.
      fetch('/google-sign-in.html', { method: 'HEAD', cache: 'no-store', signal }).then(
        () => signal.aborted || leave(),
        () => signal.aborted || sendBack({ type: 'departure.failed' }),
      )
      return () => stopped.abort()
    }),
    signIn: fromPromise(async ({ input: { requestId, purpose, credential } }) => {
      try {
        const { finishGoogleSignIn } = await import('../services/googleSignIn.ts')
        const rawNonce = nonces.get(requestId) ?? ''
        const done = await finishGoogleSignIn(purpose, { idToken: credential.idToken, rawNonce })
        if (purpose === 'signUp') deviceStore.set('forceSignUp', null)
        return ok(done)
      } catch (error) {
        return err(toFailure(error))
      } finally {
        nonces.delete(requestId)
      }
    }),
  },
})

/** A popup answers by a channel, which some browsers lack or block. */
export function chooseGoogleWindow(): PopupRequest['window'] {
  const channel = openChannel(GOOGLE_POPUP_CHANNEL)
  channel?.close()
  return channel && !isStandalone() ? 'popup' : 'own'
}

/** `isProof`: takes the result of a re-authentication, otherwise that of a sign-in or sign-up. */
export function consumeGoogleResult(isProof: boolean): PopupQueueEvent | null {
  const answer = consumeGoogleAnswer(isProof)
  if (!answer) return null
  const { id, purpose, rawNonce } = answer
  nonces.set(id, rawNonce)
  return {
    type: 'redirect.returned',
    at: Date.now(),
    request: { id, purpose, window: 'own' },
    redirect: buildRedirect(id, answer),
  }
}

const buildRedirect = (
  requestId: string,
  answer: { readonly at: number } & ({ readonly idToken: string } | { readonly error: string }),
) => ({
  // A reload of the popup's page sends the same message again.
  eventId: requestId,
  requestId,
  issuedAt: answer.at,
  ...('idToken' in answer ? { credential: { idToken: answer.idToken } } : { error: answer.error }),
})

function listen(onMessage: (message: PopupMessage) => void): () => void {
  const channel = openChannel(GOOGLE_POPUP_CHANNEL)
  channel?.addEventListener('message', ({ data }: MessageEvent<PopupMessage>) => onMessage(data))
  return () => channel?.close()
}

/** Specification, section 9. */
function buildWindowFeatures(): string {
  const { width, height } = POPUP_SIZE
  const left = Math.max(0, window.screenX + (window.outerWidth - width) / 2)
  const top = Math.max(0, window.screenY + (window.outerHeight - height) / 2)
  return `popup,width=${width},height=${height},left=${Math.round(left)},top=${Math.round(top)}`
}
