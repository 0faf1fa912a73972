import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import type { StoredTransaction } from '../../cache/database.ts'
import { showToast } from '../../ui/toast.ts'
import { getHistoryLoadFailureText } from './historyMessages.ts'

/** Also a shortcut of the installed app. */
export const HISTORY_LINK = '/?view=history'

/** The checkout of a plan returns to this path. Specification, section 2. */
export const SETTINGS_PATH = '/settings'

const NOT_FOUND = msg`Ce transfert est introuvable.`
const UNREADABLE = msg`Cette version de l’application ne peut pas afficher ce transfert.`

/**
 * Removes the request from the URL, so that a reload does not repeat it and the next user does not find it.
 * The arguments must not change. Specification, section 2: the app has no router.
 */
export function useLinkRequest(
  uid: string,
  onPage: (name: 'history' | 'security') => void,
  onTransaction: (transaction: StoredTransaction) => void,
  onPlans: (address: string) => void,
) {
  const [{ view, transactionId }] = useState(readLink)
  useEffect(() => {
    if (hasHandledRequest()) history.replaceState(history.state, '', '/')
    if (view === 'history' || view === 'security') onPage(view)
    if (location.pathname === SETTINGS_PATH && history.state?.page !== 'wallet') {
      const address = SETTINGS_PATH + location.search
      history.replaceState(null, '', '/')
      onPlans(address)
    }
    if (transactionId !== null) openTransaction(uid, transactionId, onTransaction)
  }, [uid, view, transactionId, onPage, onTransaction, onPlans])
}

let questions = 0

/** A late response must not open over a transfer that was opened since. */
export const discardLinkRequest = () => {
  questions += 1
}

export function openTransaction(
  uid: string,
  id: string,
  onTransaction: (transaction: StoredTransaction) => void,
) {
  discardLinkRequest()
  const own = questions
  import('./serverHistory.ts')
    .then(({ fetchLinkedTransfer }) => fetchLinkedTransfer(uid, id))
    .then((transaction) => {
      if (!transaction) showToast('error', i18n._(NOT_FOUND))
      else if (transaction === 'unreadable') showToast('error', i18n._(UNREADABLE))
      else if (own === questions) onTransaction(transaction)
    })
    .catch((error) => showToast('error', i18n._(getHistoryLoadFailureText(error))))
}

/**
 * A payment's return and the settings keep their request until the result is known, and a verified address
 * stays until the sign-in service confirms it.
 */
function hasHandledRequest(): boolean {
  if (location.pathname === SETTINGS_PATH || /[?&](payment_intent|emailVerified)=/.test(location.search))
    return false
  return location.pathname !== '/' || /[?&](view|transaction|signup|tab|email)\b/.test(location.search)
}

export const isHistoryRequested = () => readLink().view === 'history'

function readLink() {
  const parameters = new URLSearchParams(location.search)
  return { view: parameters.get('view'), transactionId: parameters.get('transaction') }
}
