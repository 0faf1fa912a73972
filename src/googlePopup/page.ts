/*
 * The page opens first, so that the app knows that the window exists, then goes to Google. In an installed
 * app it temporarily replaces the app. Specification, sections 4 and 9.
 */
import '../ui/theme.css'
import './page.css'
import { getStoredScheme, showScheme } from '../browser/colorScheme.ts'
import { openChannel } from '../browser/openChannel.ts'
import { getStoredLanguage } from '../browser/storedLanguage.ts'
import { consumeGoogleRequest, saveGoogleAnswer } from '../services/googleReturn.ts'
import { settings } from '../services/settings.ts'
import { GOOGLE_POPUP_CHANNEL, OWN_WINDOW_PREFIX, type PopupMessage } from './messages.ts'

const channel = openChannel(GOOGLE_POPUP_CHANNEL)
const tell = (message: PopupMessage) => channel?.postMessage(message)
const fragment = new URLSearchParams(location.hash.slice(1))
const { requestId, rawNonce, state, id_token: idToken, error } = Object.fromEntries(fragment)
const at = Date.now()
const answer = idToken ? { idToken } : { error: error ?? 'server_error' }

const dress = () => showScheme(getStoredScheme())
dress()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', dress)

// Remove the token from the URL, and so from the history, first.
if (state) history.replaceState(null, '', location.pathname)
if (state?.startsWith(OWN_WINDOW_PREFIX)) {
  const own = consumeGoogleRequest(state, at)
  if (own) {
    saveGoogleAnswer({ ...own.request, at, ...answer })
    location.replace(location.origin + own.address)
  } else show('ended', 'back')
} else if (state) {
  tell({ kind: 'redirect', requestId: state, at, ...answer })
  show('done')
  window.close()
} else if (requestId && rawNonce) {
  // The app's own window needs a way back, because Google's page may never load.
  if (requestId.startsWith(OWN_WINDOW_PREFIX)) show('opening', 'back')
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
    hl: getStoredLanguage(),
  }).toString()
  return address.href
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function show(...parts: ('opening' | 'done' | 'ended' | 'back')[]) {
  const language = getStoredLanguage()
  document.documentElement.lang = language
  for (const part of parts)
    document.getElementById(language === 'fr' ? part : `${part}-en`)?.removeAttribute('hidden')
}
