import { useEffect } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { transferMachine } from '../../../machines/transfer.ts'
import { importWithRetry } from '../../browser/importWithRetry.ts'
import { keepWantedQuote, wantedQuote } from '../../browser/wantedQuote.ts'

const importDrafts = () => import('../../cache/drafts.ts')

/** How long the typing rests before the form is written down, in milliseconds. */
const REST = 150

/**
 * Keeps the form on the device as it is typed, and brings it back when the app opens: after a reload, another sign-in, the
 * bank's own check or the return of the network. What was typed into the calculator before the sign-in comes over it, unless the form has changed by then. Never holds card
 * data: that is typed elsewhere.
 */
export function useKeptDraft(uid: string, actor: ActorRefFrom<typeof transferMachine>) {
  useEffect(() => {
    const loading = importWithRetry(importDrafts)
    const untouched = actor.getSnapshot().context.draft
    let last = untouched
    let timer: ReturnType<typeof setTimeout> | undefined
    const write = () => {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      const draft = last
      // On a device that keeps nothing only the form is lost with the page.
      loading.then(({ keepDraft }) => keepDraft(uid, draft)).catch(() => undefined)
    }
    const { unsubscribe } = actor.subscribe(({ context: { draft, origin } }) => {
      if (draft === last) return
      last = draft
      clearTimeout(timer)
      // The device keeps the form of an attempt with the attempt. It must not replace a form that was typed since.
      timer = origin === 'attempt' ? undefined : setTimeout(write, REST)
    })
    // The page may be closed before the typing rests, so the form is written when it goes out of sight.
    document.addEventListener('visibilitychange', write)
    loading
      .then(({ keptDraft }) => keptDraft(uid))
      .catch(() => null)
      .then((draft) => {
        const isTouched = last !== untouched
        if (draft) actor.send({ type: 'draft.restore', draft })
        const wanted = wantedQuote()
        // What was typed here since then counts.
        if (wanted && !isTouched) {
          const { amount, currency, country } = wanted
          actor.send({ type: 'draft.change', patch: { amount, currency, country } })
        }
        keepWantedQuote(null)
      })
    return () => {
      unsubscribe()
      document.removeEventListener('visibilitychange', write)
      write()
    }
  }, [uid, actor])
}
