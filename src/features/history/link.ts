import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import type { KeptTransaction } from '../../cache/database.ts'
import { toast } from '../../ui/toast.ts'
import { historyMessage } from './historyMessages.ts'

/** The address that opens the history; the device's icon for the app offers it too. */
export const HISTORY_LINK = '/?view=history'

/** The settings with the plans in sight: the way back from their checkout. Specification, section 2. */
export const SETTINGS = '/settings'

/** What an address can ask for that is answered once somebody is signed in. */
const ANSWERED = ['view', 'transaction', 'signup', 'tab', 'email']

const NOT_FOUND = msg`Ce transfert est introuvable.`

/**
 * Opens what the address asks for, such as that of a notification: the history, the settings, or the receipt of a
 * transfer, from this device or else from the server. What was asked for is taken out of the address: a reload does not ask again, and
 * the next person who signs in does not find it. None of the arguments may change. Specification, section 2: the app has no router.
 */
export function useLink(
  uid: string,
  onHistory: () => void,
  onTransaction: (transaction: KeptTransaction) => void,
  onPlans: (address: string) => void,
) {
  const [{ view, transactionId }] = useState(readLink)
  useEffect(() => {
    if (isAnswered()) history.replaceState(history.state, '', '/')
    if (view === 'history') onHistory()
    if (location.pathname === SETTINGS && history.state?.page !== 'settings') {
      const address = SETTINGS + location.search
      history.replaceState(null, '', '/')
      onPlans(address)
    }
    if (transactionId !== null) openTransaction(uid, transactionId, onTransaction)
  }, [uid, view, transactionId, onHistory, onTransaction, onPlans])
}

let questions = 0

/** Another transfer has been opened: what was asked for before comes too late to open over it. */
export const forgetAsked = () => {
  questions += 1
}

/** Finds a transfer of the person, on this device or else at the server, or says that it is not there. */
export function openTransaction(
  uid: string,
  id: string,
  onTransaction: (transaction: KeptTransaction) => void,
) {
  forgetAsked()
  const own = questions
  import('./serverHistory.ts')
    .then(({ linked }) => linked(uid, id))
    .then((found) => {
      if (!found) toast('error', i18n._(NOT_FOUND))
      else if (own === questions) onTransaction(found)
    })
    .catch((error) => toast('error', i18n._(historyMessage(error))))
}

/** The settings keep their address until the checkout is answered, a verified address until the sign-in service has said so. */
function isAnswered(): boolean {
  const asked = new URLSearchParams(location.search)
  if (location.pathname === SETTINGS || asked.has('emailVerified')) return false
  return location.pathname !== '/' || ANSWERED.some((name) => asked.has(name))
}

/** Whether the address asks for the history, which is then drawn first. */
export const asksForHistory = () => readLink().view === 'history'

function readLink() {
  const asked = new URLSearchParams(location.search)
  return { view: asked.get('view'), transactionId: asked.get('transaction') }
}
