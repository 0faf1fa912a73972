// Renders the app's root component in the state of the scene that the hash names:
// `#scene=…&language=…&scheme=…&text=…`.
import { scene, view } from './environment.ts'
// Tests and the storyboard set responses before a service is loaded.
import './answerCall.ts'
import '../../src/ui/theme.css'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { createActor } from 'xstate'
import { sessionLogic } from '../../src/actors/session.ts'
import { rememberProfile } from '../../src/browser/deviceSession.ts'
import { reportFirstScreen } from '../../src/browser/firstScreen.ts'
import { RECEIPT_CHECK_PATH } from '../../src/browser/receiptCheckPath.ts'
import { deviceStore } from '../../src/browser/storage.ts'
import { tolerateTranslation } from '../../src/browser/translatedPage.ts'
import { withRows } from '../../src/cache/database.ts'
import { ACCOUNT_KEY_PREFIX } from '../../src/services/storedAccount.ts'
import { Root } from '../../src/shell/Root.tsx'
import { followLanguageOfOtherTabs, loadWithPageMessages, setLanguage } from '../../src/ui/i18n.ts'
import {
  createSnapshots,
  findSnapshot,
  forgetSnapshots,
  inspect,
  listWrongStates,
  waitForStates,
} from './machines.ts'
import { user } from './user.ts'

const startSession = () => createActor(sessionLogic, { ...findSnapshot('session'), inspect }).start()

const render = (page: ReactNode) => {
  const root = document.getElementById('root')
  if (root) createRoot(root).render(page)
}

async function show() {
  const { account, device = {}, rows = {} } = scene
  if (account) {
    const { uid, email, phone, emailVerified, usesPassword } = account
    const providerData = [{ providerId: usesPassword ? 'password' : 'phone' }]
    localStorage.setItem(
      `${ACCOUNT_KEY_PREFIX}scene`,
      JSON.stringify({ uid, email, phoneNumber: phone, emailVerified, providerData }),
    )
    if (!('profile' in device)) rememberProfile(uid, { name: 'Awa Diallo', email, phone })
    await withRows(uid, async (database) => {
      for (const [table, stored] of Object.entries(rows)) await database.table(table).bulkPut([...stored])
    })
  }
  for (const [key, value] of Object.entries(device)) deviceStore.set(key as 'keep', value as true)
  await createSnapshots()
  await setLanguage(view.language)
  followLanguageOfOtherTabs()
  tolerateTranslation()
  if (scene.path === RECEIPT_CHECK_PATH) {
    const { ReceiptCheckRoot } = await loadWithPageMessages(import('../../src/shell/ReceiptCheckRoot.tsx'))
    render(<ReceiptCheckRoot />)
  } else render(<Root session={startSession()} />)
  // Some screens come before the app's first one.
  reportFirstScreen()
  // The end-to-end tests call these.
  Object.assign(window, { listWrongStates, setLanguage })
  await scene.act?.(user)
  await user.see(scene.shows ?? '')
  await waitForStates()
  forgetSnapshots()
  await waitForQuiet()
  document.documentElement.dataset.scene = 'shown'
}

/**
 * Checks in a row, 5 ms apart, that must find the page unchanged: some parts appear only with their chunk or
 * rows. Counts checks, because a busy machine can let time pass without doing any work.
 */
const QUIET_TURNS = 30

async function waitForQuiet() {
  let turns = 0
  const observer = new MutationObserver(() => {
    turns = 0
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  for (; turns < QUIET_TURNS; turns += 1) await new Promise((resolve) => setTimeout(resolve, 5))
  observer.disconnect()
}

show()
