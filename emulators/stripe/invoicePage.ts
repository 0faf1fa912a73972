import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { getBrowserLanguage, renderHostedPage, setPageHeaders } from './hostedPage.ts'
import type { Invoice } from './objects.ts'
import { StripeRefusal } from './refusals.ts'
import type { Call } from './state.ts'
import { billSubscriptions, findInvoiceIntent, payInvoice } from './subscriptions.ts'

const TEXTS = {
  en: {
    title: 'Invoice',
    sandbox: 'Sandbox: no money moves. The bank asks for a confirmation.',
    confirm: 'Confirm payment',
    failed: 'The payment was not confirmed. Nothing was charged.',
    paid: 'Invoice paid',
    paidMore: 'You can close this page.',
    gone: 'This invoice can no longer be paid',
    goneMore: 'Nothing was charged.',
  },
  fr: {
    title: 'Facture',
    sandbox: 'Bac à sable : aucun argent ne circule. La banque demande une confirmation.',
    confirm: 'Confirmer le paiement',
    failed: 'Le paiement n’a pas été confirmé. Rien n’a été débité.',
    paid: 'Facture payée',
    paidMore: 'Vous pouvez fermer cette page.',
    gone: 'Cette facture ne peut plus être payée',
    goneMore: 'Rien n’a été débité.',
  },
} as const

/** Unlike Stripe's page, it only charges the subscription's card. */
export function createInvoicePage(newCall: () => Call): Hono {
  const app = new Hono()

  /** Runs the billing that is due, such as for an invoice whose payment was confirmed. */
  const findInvoice = (call: Call, c: Context) => {
    billSubscriptions(call)
    return call.state.invoices.get(c.req.param('invoice') ?? '')
  }

  app.get('/:invoice', (c) => {
    const call = newCall()
    const invoice = findInvoice(call, c)
    setPageHeaders(c)
    return c.html(renderInvoice(call, invoice, getBrowserLanguage(c)))
  })

  app.post('/:invoice', (c) => {
    const call = newCall()
    const invoice = findInvoice(call, c)
    const isAwaited = () => invoice && findInvoiceIntent(call, invoice)?.status === 'requires_action'
    try {
      if (invoice?.status === 'open' && !isAwaited()) payInvoice(call, {}, invoice.id)
    } catch (error) {
      // The page shows what the PaymentIntent says.
      if (!(error instanceof StripeRefusal)) throw error
    }
    const action = invoice && findInvoiceIntent(call, invoice)?.next_action
    return c.redirect(action?.type === 'redirect_to_url' ? action.redirect_to_url.url : c.req.path, 303)
  })

  return app
}

function renderInvoice(call: Call, invoice: Invoice | undefined, language: 'fr' | 'en') {
  const texts = TEXTS[language]
  const end = invoice?.status === 'paid' ? 'paid' : 'gone'
  if (invoice?.status !== 'open')
    return renderHostedPage(
      language,
      texts[end],
      html`<h1>${texts[end]}</h1>
        <p>${texts[`${end}More`]}</p>`,
    )
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: invoice.currency })
  const hasFailed = findInvoiceIntent(call, invoice)?.last_payment_error
  return renderHostedPage(
    language,
    texts.title,
    html`<p class="quiet">${texts.title}</p>
      <h1>${format.format(invoice.amount_remaining / 100)}</h1>
      <p class="quiet">${texts.sandbox}</p>
      ${hasFailed && html`<p class="problem" role="alert">${texts.failed}</p>`}
      <form method="post"><button>${texts.confirm}</button></form>`,
  )
}
