import { useEffect } from 'react'
import type { ActorRefFrom } from 'xstate'
import { isEmptyTransferDraft } from '../../../domain/transfers/transfer.ts'
import type { transferMachine } from '../../../machines/transfer.ts'
import { importWithRetry } from '../../browser/importWithRetry.ts'
import { storageProblemStore } from '../../cache/deviceStorage.ts'
import { setDraftId } from '../../cache/openWork.ts'
import { readWantedQuote, saveWantedQuote } from '../../ui/quote/wantedQuote.ts'

const importDrafts = () => import('../../cache/drafts.ts')

/** In milliseconds. */
const SAVE_DELAY = 150

/**
 * Restores the form e.g. after a reload or a return from 3-D Secure, and adds the calculator's values from
 * before the sign-in. The form never contains card data.
 */
export function useSavedDraft(uid: string, actor: ActorRefFrom<typeof transferMachine>) {
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
      // If storing fails, closing the page only loses the form.
      loading.then(({ saveDraft }) => saveDraft(uid, draft)).catch(() => undefined)
    }
    // The server accepts one payment for an ID, so each new form needs another.
    const identifyForm = () => setDraftId(crypto.randomUUID())
    if (isEmptyTransferDraft(untouched)) identifyForm()
    let lastCharge: unknown = null
    const { unsubscribe } = actor.subscribe(({ context: { draft, origin, receipt, chargedDraft } }) => {
      const charge = receipt ?? chargedDraft
      const isCharged = charge !== null && charge !== lastCharge
      lastCharge = charge
      if (draft === last && !isCharged) return
      if (isCharged || isEmptyTransferDraft(draft)) identifyForm()
      last = draft
      clearTimeout(timer)
      // The form of an attempt must not replace a form that was typed since.
      timer = origin === 'attempt' ? undefined : setTimeout(write, SAVE_DELAY)
    })
    // The page may be closed before the pause ends.
    document.addEventListener('visibilitychange', write)
    const restore = async () => {
      const stored = await loading.then(({ readStoredDraft }) => readStoredDraft(uid)).catch(() => null)
      const isTouched = last !== untouched
      const event =
        stored && ({ type: 'draft.restore', draft: stored.draft, draftId: stored.draftId } as const)
      // A form that was typed before the stored one was read keeps the page's own ID.
      if (event && actor.getSnapshot().can(event)) {
        setDraftId(event.draftId)
        actor.send(event)
      }
      const calculation = readWantedQuote()
      if (calculation && !isTouched) {
        const { amount, currency, country } = calculation
        actor.send({ type: 'draft.change', patch: { amount, currency, country } })
      }
      saveWantedQuote(null)
    }
    restore()
    // A slow device can read it only later.
    const unfollow = storageProblemStore.subscribe(() => {
      if (!storageProblemStore.get() && last === untouched) restore()
    })
    return () => {
      unsubscribe()
      unfollow()
      document.removeEventListener('visibilitychange', write)
      write()
    }
  }, [uid, actor])
}
