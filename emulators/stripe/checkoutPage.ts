import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import {
  findSessionPayment,
  payCheckoutSession,
  saveCardForSession,
  settleCheckoutSessions,
} from './checkout.ts'
import { getBrowserLanguage, renderHostedPage, setPageHeaders } from './hostedPage.ts'
import type { CheckoutSession } from './objects.ts'
import { StripeRefusal } from './refusals.ts'
import type { Call } from './state.ts'

const TEXTS = {
  en: {
    title: 'Subscribe',
    to: 'Subscribe to',
    monthly: 'per month',
    number: 'Card number',
    expiry: 'Expiration date',
    expiryHint: 'MM / YY',
    cvc: 'Security code',
    pay: 'Subscribe',
    save: 'Save card',
    saveTitle: 'Another card',
    back: 'Back',
    sandbox: 'Sandbox: no money moves. Use a test card.',
    gone: 'This page is no longer valid',
    goneMore: 'The checkout has ended. Go back to the app to start again.',
    expiryWrong: "Your card's expiration date is incomplete.",
    unauthenticated: 'Your bank could not confirm that it is you. Nothing was charged. Try again.',
    declined: 'Your card was declined. Nothing was charged.',
  },
  fr: {
    title: 'S’abonner',
    to: 'S’abonner à',
    monthly: 'par mois',
    number: 'Numéro de carte',
    expiry: 'Date d’expiration',
    expiryHint: 'MM / AA',
    cvc: 'Code de sécurité',
    pay: 'S’abonner',
    save: 'Enregistrer la carte',
    saveTitle: 'Une autre carte',
    back: 'Retour',
    sandbox: 'Bac à sable : aucun argent ne circule. Utilisez une carte de test.',
    gone: 'Cette page n’est plus valable',
    goneMore: 'Le paiement est terminé. Revenez à l’application pour recommencer.',
    expiryWrong: 'La date d’expiration de votre carte est incomplète.',
    unauthenticated: 'Votre banque n’a pas pu confirmer que c’est vous. Rien n’a été débité. Réessayez.',
    declined: 'Votre carte a été refusée. Rien n’a été débité.',
  },
} as const

/** The page has another origin than the app, and needs no script. */
export function createCheckoutPage(newCall: () => Call): Hono {
  const app = new Hono()

  const findSession = (call: Call, c: Context) => {
    settleCheckoutSessions(call)
    return call.state.sessions.get(c.req.param('session') ?? '') ?? null
  }
  const getSuccessUrl = (session: CheckoutSession | null) =>
    session?.status === 'complete'
      ? session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id)
      : null

  const show = (c: Context, call: Call, session: CheckoutSession | null, problem = '') => {
    setPageHeaders(c)
    const language = getLanguage(session, c)
    return c.html(
      session?.status === 'open' ? form(call, session, language, problem) : gone(session, language),
    )
  }

  app.get('/:session', (c) => {
    const call = newCall()
    const session = findSession(call, c)
    const back = getSuccessUrl(session)
    return back ? c.redirect(back, 303) : show(c, call, session)
  })

  app.post('/:session', async (c) => {
    const call = newCall()
    const session = findSession(call, c)
    if (session?.status !== 'open') return c.redirect(getSuccessUrl(session) ?? c.req.path, 303)
    const { number = '', expiry = '', cvc = '' } = (await c.req.parseBody()) as Record<string, string>
    const language = getLanguage(session, c)
    const texts = TEXTS[language]
    const [, month = '', year = ''] = /^\s*(\d{1,2})\s*\/?\s*(\d{2}|\d{4})\s*$/.exec(expiry) ?? []
    if (month === '') return show(c, call, session, texts.expiryWrong)
    const returnUrl = new URL(`${c.req.path}/return`, c.req.url).href
    const card = { number, exp_month: month, exp_year: year, cvc }
    try {
      if (session.mode === 'setup') saveCardForSession(call, session, card)
      else payCheckoutSession(call, session, card, returnUrl)
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error
      return show(c, call, session, error.error.decline_code ? texts.declined : error.message)
    }
    const next = findSessionPayment(call, session)?.next_action
    const bank = next?.type === 'redirect_to_url' ? `${next.redirect_to_url.url}&locale=${language}` : null
    return c.redirect(bank ?? getSuccessUrl(session) ?? c.req.path, 303)
  })

  app.get('/:session/return', (c) => {
    const call = newCall()
    const session = findSession(call, c)
    const back = getSuccessUrl(session)
    if (back || !session) return back ? c.redirect(back, 303) : show(c, call, session)
    const { unauthenticated, declined } = TEXTS[getLanguage(session, c)]
    const refusal = findSessionPayment(call, session)?.last_payment_error
    return show(c, call, session, refusal?.type === 'card_error' ? declined : unauthenticated)
  })

  return app
}

function getLanguage(session: CheckoutSession | null, c: Context): 'fr' | 'en' {
  const wanted = session?.locale ?? 'auto'
  return wanted === 'auto' ? getBrowserLanguage(c) : wanted === 'fr' ? 'fr' : 'en'
}

function form(call: Call, session: CheckoutSession, language: 'fr' | 'en', problem: string) {
  const texts = TEXTS[language]
  const price = call.state.prices.get(call.state.checkouts.get(session.id)?.price ?? '')
  const name = call.state.products.get(price?.product ?? '')?.name ?? ''
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: session.currency })
  const head =
    session.amount_total === null
      ? html`<h1>${texts.saveTitle}</h1>`
      : html`<p class="quiet">${texts.to} ${name}</p>
          <h1>${format.format(session.amount_total / 100)} <span class="quiet">${texts.monthly}</span></h1>`
  return renderHostedPage(
    language,
    session.amount_total === null ? texts.saveTitle : texts.title,
    html`${head}
      <p class="quiet">${texts.sandbox}</p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <form method="post">
        <label>${texts.number} <input name="number" inputmode="numeric" autocomplete="cc-number" required /></label>
        <label>${texts.expiry} <input name="expiry" inputmode="numeric" autocomplete="cc-exp" placeholder="${texts.expiryHint}" required /></label>
        <label>${texts.cvc} <input name="cvc" inputmode="numeric" autocomplete="cc-csc" required /></label>
        <button>${session.amount_total === null ? texts.save : texts.pay}</button>
      </form>
      ${session.cancel_url && html`<p><a href="${session.cancel_url}">${texts.back}</a></p>`}`,
  )
}

function gone(session: CheckoutSession | null, language: 'fr' | 'en') {
  const texts = TEXTS[language]
  return renderHostedPage(
    language,
    texts.gone,
    html`<h1>${texts.gone}</h1>
      <p>${texts.goneMore}</p>
      ${session?.cancel_url && html`<p><a href="${session.cancel_url}">${texts.back}</a></p>`}`,
  )
}
