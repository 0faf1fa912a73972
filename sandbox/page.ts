import { Hono } from 'hono'
import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { AuthEmulator } from 'service-emulators/auth'
import type { Faults } from 'service-emulators/faults'
import type { SmtpEmulator } from 'service-emulators/smtp'
import { STRIPE_TEST_CARDS, type StripeEmulator } from 'service-emulators/stripe'
import { createFaultSwitches, renderFaultSection } from './faultSwitches.ts'
import type { IdentityReviewSection } from './identityReview.ts'

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 60rem; margin: 0 auto; padding: 1rem }
  h1, h2 { line-height: 1.2 }
  article, li { border: 1px solid #8886; border-radius: .75rem; padding: .75rem 1rem; margin-block: .5rem; overflow-wrap: anywhere }
  ul { list-style: none; padding: 0 }
  pre { white-space: pre-wrap; margin: 0; font: inherit }
  code { font-size: 1.05em }
  .quiet { opacity: .75 }
`

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
  auth: Pick<
    AuthEmulator,
    | 'mails'
    | 'messages'
    | 'googleAccounts'
    | 'phoneSignUpsBlocked'
    | 'setPhoneSignUpsBlocked'
    | 'emailEnumerationProtection'
    | 'setEmailEnumerationProtection'
  >
  stripe: Pick<StripeEmulator, 'paymentIntents' | 'subscriptions' | 'advance'>
  smtp: Pick<SmtpEmulator, 'mails'>
  identityReview: IdentityReviewSection
  invoices: () => HtmlEscapedString | Promise<HtmlEscapedString>
  mtnAccount: () => HtmlEscapedString | Promise<HtmlEscapedString>
  handPayouts: () => HtmlEscapedString | Promise<HtmlEscapedString>
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
  app.get('/chat', (c) =>
    c.html(html`<!doctype html>
      <html lang="en">
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <title>Support chat</title>
        <style>
          ${STYLE}
        </style>
        <h1>Support chat</h1>
        <p>In production, the page that <code>VITE_SUPPORT_CHAT_URL</code> names opens here.</p>
      </html>`),
  )
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
  app.get('/', (c) => {
    const payments = stripe.paymentIntents()
    const plans = stripe.subscriptions()
    const mails = auth.mails()
    const receipts = smtp.mails()
    const messages = auth.messages()
    const isBlocked = auth.phoneSignUpsBlocked()
    const isProtected = auth.emailEnumerationProtection()
    return c.html(html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <link rel="icon" href="/icon.svg" type="image/svg+xml" />
          <title>Passerelle sandbox</title>
          <style>
            ${STYLE}
          </style>
        </head>
        <body>
          <h1>Passerelle sandbox</h1>
          <p>What the emulated services have sent and stored. <a href="/">Open the app</a></p>
          <h2 id="inbox">Inbox</h2>
          ${mails.length + receipts.length === 0 ? html`<p class="quiet">No mail yet. Create an account in the app.</p>` : ''}
          ${mails.map(
            (mail) => html`<article>
              <p class="quiet">${new Date(mail.createdAt).toISOString()} to ${mail.to}</p>
              <h3>${mail.subject}</h3>
              <pre>${mail.text}</pre>
              <p><a href="${mail.link}">${mail.link}</a></p>
            </article>`,
          )}
          ${receipts.map(
            (mail, index) => html`<article>
              <p class="quiet">${new Date(mail.receivedAt).toISOString()} to ${mail.to.join(', ')}</p>
              <h3>${mail.subject}</h3>
              <pre>${mail.text}</pre>
              ${mail.attachments.map(
                ({ name }, place) =>
                  html`<p><a href="/sandbox/mails/${index}/${place}" download="${name}">${name}</a></p>`,
              )}
            </article>`,
          )}
          <h2 id="messages">Text messages</h2>
          ${messages.length === 0 ? html`<p class="quiet">None yet. Sign in by phone in the app.</p>` : ''}
          ${messages.map(
            ({ to, text, createdAt }) =>
              html`<article>
                <p class="quiet">${new Date(createdAt).toISOString()} to ${to}</p>
                <p>${text}</p>
              </article>`,
          )}
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
          <h2 id="google">Google accounts</h2>
          <p>The choice that ‘Continue with Google’ offers; another one can be added there.</p>
          <ul>
            ${auth.googleAccounts().map(({ name, email }) => html`<li>${name} — ${email}</li>`)}
          </ul>
          <h2 id="cards">Test cards</h2>
          <p>Any date in the future, any security code.</p>
          <ul>
            ${STRIPE_TEST_CARDS.map(
              ({ number, about }) =>
                html`<li><code>${number.replace(/(.{4})(?=.)/g, '$1 ')}</code> — ${about}</li>`,
            )}
          </ul>
          ${invoices()}
          <h2 id="payments">Payments</h2>
          ${payments.length === 0 ? html`<p class="quiet">None yet.</p>` : ''}
          <ul>
            ${payments.map(
              ({ id, amount, currency, status, description }) =>
                html`<li>
                  <code>${id}</code> ${amount} minor units of ${currency.toUpperCase()}:
                  <strong>${status}</strong> — ${description ?? ''}
                </li>`,
            )}
          </ul>
          <h2 id="plans">Plans</h2>
          ${plans.length === 0 ? html`<p class="quiet">None yet.</p>` : ''}
          <ul>
            ${plans.map(
              ({ id, customer, metadata, status, cancel_at_period_end: ends, items }) =>
                html`<li>
                  <code>${id}</code> ${metadata.tier ?? ''}: <strong>${status}</strong>${ends ? ', to be canceled' : ''},
                  paid until ${new Date(items.data[0].current_period_end * 1000).toISOString().slice(0, 10)}
                  ${
                    status === 'canceled'
                      ? ''
                      : html`<form method="post" action="/sandbox/plans">
                        <button name="customer" value="${customer}">Advance one month</button>
                      </form>`
                  }
                </li>`,
            )}
          </ul>
          ${mtnAccount()} ${handPayouts()}
          ${identityReview.section()}
          <h2>For programs</h2>
          <p>
            <a href="/sandbox/hosts.json">hosts.json</a> names the address of each emulator;
            <a href="/sandbox/faults">faults</a> lists the faults that are switched on (POST one, DELETE all);
            <a href="/sandbox/unknown-calls">unknown-calls</a> lists what no emulator understood.
          </p>
        </body>
      </html>`)
  })
  return app
}
