import { Hono } from 'hono'
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { AuthEmulator } from 'service-emulators/auth'
import type { Faults } from 'service-emulators/faults'
import type { SmtpEmulator } from 'service-emulators/smtp'
import { STRIPE_TEST_CARDS, type StripeEmulator } from 'service-emulators/stripe'
import { createFaultSwitches, renderFaultSection } from './faultSwitches.ts'
import type { IdentityReviewSection } from './identityReview.ts'

type Html = HtmlEscapedString | Promise<HtmlEscapedString>

const STYLE = raw(`
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 60rem; margin: 0 auto; padding: 1rem }
  h1, h2 { line-height: 1.2 }
  article, li { border: 1px solid #8886; border-radius: .75rem; padding: .75rem 1rem; margin-block: .5rem; overflow-wrap: anywhere }
  ul { list-style: none; padding: 0 }
  pre { white-space: pre-wrap; margin: 0; font: inherit }
  code { font-size: 1.05em }
  .quiet { opacity: .75 }
`)

const renderPage = (title: string, content: Html) => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      <title>${title}</title>
      <style>${STYLE}</style>
    </head>
    <body><h1>${title}</h1>${content}</body>
  </html>`

/** `empty`: shown without items. */
const renderSection = (id: string, title: string, empty: string, items: readonly Html[]) =>
  html`<h2 id="${id}">${title}</h2>
    ${items.length === 0 ? html`<p class="quiet">${empty}</p>` : ''}
    <ul>
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>`

const renderMail = (at: number, to: string, subject: string, text: string, links: Html | readonly Html[]) =>
  html`<p class="quiet">${new Date(at).toISOString()} to ${to}</p>
    <h3>${subject}</h3>
    <pre>${text}</pre>
    ${links}`

export function createSandboxPage({
  auth,
  stripe,
  smtp,
  identityReview,
  invoices,
  mtnAccount,
  handPayouts,
  faults,
}: {
  auth: AuthEmulator
  stripe: StripeEmulator
  smtp: SmtpEmulator
  identityReview: IdentityReviewSection
  invoices: () => Html
  mtnAccount: () => Html
  handPayouts: () => Html
  faults: Faults
}) {
  const app = new Hono()
  app.route('/', identityReview.app)
  app.route('/', createFaultSwitches(faults))
  app.post('/sign-ups', async (c) => {
    const { blocked } = await c.req.parseBody()
    auth.setPhoneSignUpsBlocked(blocked === 'yes')
    return c.redirect('/sandbox#sign-ups', 303)
  })
  app.post('/addresses', async (c) => {
    const { isProtected } = await c.req.parseBody()
    auth.setEmailEnumerationProtection(isProtected === 'yes')
    return c.redirect('/sandbox#addresses', 303)
  })
  app.get('/chat', (c) => {
    const about = html`<p>In production, the page that <code>VITE_SUPPORT_CHAT_URL</code> names opens here.</p>`
    return c.html(renderPage('Support chat', about))
  })
  app.get('/mails', (c) =>
    c.json(
      smtp.mails().map(({ attachments, ...mail }) => ({
        ...mail,
        attachments: attachments.map(({ name, type, content }) => ({ name, type, size: content.length })),
      })),
    ),
  )
  app.get('/mails/:mail/:attachment', (c) => {
    const mail = smtp.mails()[Number(c.req.param('mail'))]
    const file = mail?.attachments[Number(c.req.param('attachment'))]
    return file ? c.body(new Uint8Array(file.content), 200, { 'content-type': file.type }) : c.notFound()
  })
  app.post('/plans', async (c) => {
    const { customer } = await c.req.parseBody()
    stripe.advance(String(customer), 31)
    return c.redirect('/sandbox#plans', 303)
  })

  const listMails = () => [
    ...auth
      .mails()
      .map(({ createdAt, to, subject, text, link }) =>
        renderMail(createdAt, to, subject, text, html`<p><a href="${link}">${link}</a></p>`),
      ),
    ...smtp.mails().map(({ receivedAt, to, subject, text, attachments }, mail) =>
      renderMail(
        receivedAt,
        to.join(', '),
        subject,
        text,
        attachments.map(
          ({ name }, at) =>
            html`<p><a href="/sandbox/mails/${mail}/${at}" download="${name}">${name}</a></p>`,
        ),
      ),
    ),
  ]
  const listMessages = () =>
    auth.messages().map(
      ({ to, text, createdAt }) =>
        html`<p class="quiet">${new Date(createdAt).toISOString()} to ${to}</p>
          <p>${text}</p>`,
    )
  const listPayments = () =>
    stripe
      .paymentIntents()
      .map(
        ({ id, amount, currency, status, description }) =>
          html`<code>${id}</code> ${amount} minor units of ${currency.toUpperCase()}: <strong>${status}</strong> — ${description ?? ''}`,
      )
  const listPlans = () =>
    stripe.subscriptions().map(
      ({ id, customer, metadata, status, cancel_at_period_end: ends, items }) =>
        html`<code>${id}</code> ${metadata.tier ?? ''}: <strong>${status}</strong>${ends ? ', to be canceled' : ''},
          paid until ${new Date(items.data[0].current_period_end * 1000).toISOString().slice(0, 10)}
          ${
            status === 'canceled'
              ? ''
              : html`<form method="post" action="/sandbox/plans">
                  <button name="customer" value="${customer}">Advance one month</button>
                </form>`
          }`,
    )
  const listCards = () =>
    STRIPE_TEST_CARDS.map(
      ({ number, about }) => html`<code>${number.replace(/(.{4})(?=.)/g, '$1 ')}</code> — ${about}`,
    )
  const listGoogleAccounts = () => auth.googleAccounts().map(({ name, email }) => html`${name} — ${email}`)

  app.get('/', (c) => {
    const isBlocked = auth.phoneSignUpsBlocked()
    const isProtected = auth.emailEnumerationProtection()
    const content = html`<p>What the emulated services have sent and stored. <a href="/">Open the app</a></p>
      ${renderSection('inbox', 'Inbox', 'No mail yet. Create an account in the app.', listMails())}
      ${renderSection('messages', 'Text messages', 'None yet. Sign in by phone in the app.', listMessages())}
      <h2 id="sign-ups">Sign-ups by phone</h2>
      <form method="post" action="/sandbox/sign-ups">
        <p>
          ${isBlocked ? 'Off: a blocking function refuses them.' : 'On: users can sign up by phone.'}
          <button name="blocked" value="${isBlocked ? 'no' : 'yes'}">${isBlocked ? 'Allow' : 'Refuse'} them</button>
        </p>
      </form>
      <h2 id="addresses">Protection against e-mail enumeration</h2>
      <form method="post" action="/sandbox/addresses">
        <p>
          ${isProtected ? 'On: responses do not reveal whether an address has an account.' : 'Off: responses reveal that an address has no account.'}
          <button name="isProtected" value="${isProtected ? 'no' : 'yes'}">Switch it ${isProtected ? 'off' : 'on'}</button>
        </p>
      </form>
      ${renderFaultSection(faults)}
      ${renderSection('google', 'Google accounts', '', listGoogleAccounts())}
      <p>‘Continue with Google’ offers this choice; another account can be added there.</p>
      ${renderSection('cards', 'Test cards', '', listCards())}
      <p>Any date in the future, any security code.</p>
      ${invoices()}
      ${renderSection('payments', 'Payments', 'None yet.', listPayments())}
      ${renderSection('plans', 'Plans', 'None yet.', listPlans())}
      ${mtnAccount()} ${handPayouts()} ${identityReview.section()}
      <h2>For programs</h2>
      <p>
        <a href="/sandbox/hosts.json">hosts.json</a> names the address of each emulator;
        <a href="/sandbox/faults">faults</a> lists the faults that are switched on (POST one, DELETE all);
        <a href="/sandbox/unknown-calls">unknown-calls</a> lists what no emulator understood.
      </p>`
    return c.html(renderPage('Passerelle sandbox', content))
  })
  return app
}
