import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import * as v from 'valibot'
import { isEmail } from './credentials.ts'
import { signGoogleToken } from './google.ts'
import { renderPublicPage } from './publicPage.ts'
import { parseLanguage } from './reply.ts'
import { type AuthContext, type GoogleProfile, type Language, normalizeEmail } from './state.ts'

const newAccount = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  email: v.pipe(v.string(), v.check(isEmail)),
  emailVerified: v.optional(v.boolean(), true),
})

/** Emulates the flow that returns an ID token in the URL fragment, below `/sandbox/google`. */
export function createGoogleChooser(core: AuthContext): Hono {
  const app = new Hono()

  app.get('/auth', (c) => {
    const bad = findBadParameter(core, c.req.query())
    return bad ? refusal(c, bad) : chooser(c, core, { name: '', email: '', isRefused: false })
  })

  app.post('/auth', async (c) => {
    const { redirect_uri: redirectUri = '', nonce = '', state = '', ...others } = c.req.query()
    const bad = findBadParameter(core, { ...others, redirect_uri: redirectUri, nonce, state })
    if (bad) return refusal(c, bad)
    const back = (answer: Record<string, string>) => {
      const address = new URL(redirectUri)
      address.hash = new URLSearchParams({ ...answer, state }).toString()
      return c.redirect(address.href, 303)
    }
    const form = await c.req.parseBody()
    if (form.cancel !== undefined) return back({ error: 'access_denied' })
    const profile = core.data.googleAccounts.find(({ sub }) => sub === form.account) ?? addAccount(core, form)
    if (profile) return back({ id_token: await signGoogleToken(core, profile, nonce), authuser: '0' })
    const typed = { name: String(form.name ?? ''), email: String(form.email ?? '') }
    return chooser(c, core, { ...typed, isRefused: true })
  })

  app.post('/accounts', async (c) => {
    const account = addAccount(core, await c.req.json())
    return account ? c.json(account) : c.json({ error: 'A name and an e-mail address are needed' }, 400)
  })

  return app
}

/** Null if the values are invalid. */
function addAccount(core: AuthContext, values: unknown): GoogleProfile | null {
  const { success, output } = v.safeParse(newAccount, values)
  if (!success) return null
  const email = normalizeEmail(output.email)
  const existing = core.data.googleAccounts.find((account) => account.email === email)
  if (existing) return existing
  const sub = String(100_000_000_000_000_000_001n + BigInt(core.data.googleAccounts.length))
  const account = { ...output, sub, email }
  core.data.googleAccounts.push(account)
  return account
}

function findBadParameter(core: AuthContext, query: Record<string, string>): string | null {
  const isGood: Record<string, boolean> = {
    client_id: query.client_id === core.googleClientId,
    redirect_uri: isOnThisMachine(query.redirect_uri ?? ''),
    response_type: query.response_type === 'id_token',
    scope: ['openid', 'email'].every((scope) => query.scope?.split(' ').includes(scope)),
    nonce: Boolean(query.nonce),
    state: Boolean(query.state),
  }
  return Object.keys(isGood).find((name) => !isGood[name]) ?? null
}

const isOnThisMachine = (address: string) => {
  const { protocol, hostname } = URL.parse(address) ?? {}
  return protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1')
}

const WORDS = {
  fr: {
    title: 'Choisissez un compte Google',
    about: 'Ces comptes sont inventés : la page remplace celle de Google.',
    another: 'Utiliser un autre compte',
    name: 'Nom',
    email: 'Adresse e-mail',
    use: 'Continuer',
    refused: 'Saisissez un nom et une adresse e-mail valable.',
    cancel: 'Annuler',
    blocked: 'Accès bloqué : la demande de cette application n’est pas valable',
  },
  en: {
    title: 'Choose a Google account',
    about: 'These accounts are invented. This page replaces Google’s.',
    another: 'Use another account',
    name: 'Name',
    email: 'E-mail address',
    use: 'Continue',
    refused: 'Enter a name and a valid e-mail address.',
    cancel: 'Cancel',
    blocked: 'Access blocked: this app’s request is invalid',
  },
} satisfies Record<Language, object>

const languageFor = (c: Context) => parseLanguage(c.req.query('hl') ?? c.req.header('accept-language'))

function refusal(c: Context, parameter: string) {
  const language = languageFor(c)
  const title = WORDS[language].blocked
  const content = html`<h1>${title}</h1><p>invalid_request: <code>${parameter}</code></p>`
  return c.html(renderPublicPage(language, title, content), 400)
}

function chooser(c: Context, core: AuthContext, typed: { name: string; email: string; isRefused: boolean }) {
  const language = languageFor(c)
  const words = WORDS[language]
  const content = html`
      <h1>${words.title}</h1>
      <p>${words.about}</p>
      <form method="post">
        ${core.data.googleAccounts.map(
          ({ sub, name, email }) =>
            html`<button class="choice quiet" name="account" value="${sub}"><strong>${name}</strong> ${email}</button>`,
        )}
      </form>
      <h2>${words.another}</h2>
      ${typed.isRefused ? html`<p id="problem" role="alert">${words.refused}</p>` : ''}
      <form method="post" novalidate>
        <label>${words.name}
          <input name="name" autocomplete="name" value="${typed.name}">
        </label>
        <label>${words.email}
          <input name="email" type="email" autocomplete="email" value="${typed.email}">
        </label>
        <button>${words.use}</button>
        <button class="quiet" name="cancel">${words.cancel}</button>
      </form>`
  return c.html(renderPublicPage(language, words.title, content), typed.isRefused ? 400 : 200)
}
