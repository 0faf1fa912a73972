/*
 * The page in the popup of the sign-in with Google. It is opened first, so that the app hears that the window is there;
 * it goes on to Google, and Google comes back to it. In an app that stands alone it takes the place of the app for that time.
 * Specification, sections 4 and 9.
 */
import '../ui/theme.css'
import './page.css'
import { storedLanguage } from '../browser/storedLanguage.ts'
import { keepGoogleAnswer, takeGoogleRequest } from '../services/googleReturn.ts'
import { settings } from '../services/settings.ts'
import { CHANNEL, OWN_WINDOW, type PopupMessage } from './messages.ts'

const channel = new BroadcastChannel(CHANNEL)
const tell = (message: PopupMessage) => channel.postMessage(message)
const said = new URLSearchParams(location.hash.slice(1))
const { requestId, rawNonce, state, id_token: idToken, error } = Object.fromEntries(said)

const night = matchMedia('(prefers-color-scheme: dark)')
const dress = () => {
  document.documentElement.dataset.mantineColorScheme = night.matches ? 'dark' : 'light'
}
dress()
night.addEventListener('change', dress)

// The token leaves the address, and with it the history, before anything else.
if (state) history.replaceState(null, '', location.pathname)
if (state?.startsWith(OWN_WINDOW)) {
  const at = Date.now()
  const kept = takeGoogleRequest(state, at)
  if (kept) {
    const said = idToken ? { idToken } : { error: error ?? 'server_error' }
    keepGoogleAnswer({ ...kept.request, at, ...said })
    location.replace(location.origin + kept.address)
  } else show('ended', 'back')
} else if (state) {
  const at = Date.now()
  if (idToken) tell({ kind: 'redirect', requestId: state, at, idToken })
  else tell({ kind: 'redirect', requestId: state, at, error: error ?? 'server_error' })
  show('done')
  window.close()
} else if (requestId && rawNonce) {
  // A popup can be closed. The app's own window needs a way back, because Google's page may never come.
  if (requestId.startsWith(OWN_WINDOW)) show('opening', 'back')
  else show('opening')
  tell({ kind: 'loaded', requestId })
  location.replace(await googleAddress(requestId, rawNonce))
} else show('done')

async function googleAddress(id: string, nonce: string): Promise<string> {
  const address = new URL(settings.googleAuthUrl)
  address.search = new URLSearchParams({
    client_id: settings.googleClientId ?? '',
    redirect_uri: location.origin + location.pathname,
    response_type: 'id_token',
    scope: 'openid email profile',
    prompt: 'select_account',
    nonce: await sha256(nonce),
    state: id,
    hl: storedLanguage(),
  }).toString()
  return address.href
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function show(...parts: ('opening' | 'done' | 'ended' | 'back')[]) {
  const language = storedLanguage()
  document.documentElement.lang = language
  for (const part of parts)
    document.getElementById(language === 'fr' ? part : `${part}-en`)?.removeAttribute('hidden')
}
