import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Fault, Faults } from 'service-emulators/faults'

const COMMIT = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:commit'
const FIRESTORE = 'POST /v1/projects/demo-passerelle/databases/'
const MESSAGE = 'POST /identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode'
const FUNCTIONS = 'POST /.netlify/functions/'

const TRANSFER = 'POST /disbursement/v1_0/transfer'
const inMtnsWords = (message: string, code: string) => JSON.stringify({ message, code })
const INTERNAL = inMtnsWords('An internal error occurred while processing.', 'INTERNAL_PROCESSING_ERROR')

const SWITCHES: Readonly<Record<string, Pick<Fault, 'on' | 'what'>>> = {
  'Stripe: creating a payment takes 3 s': {
    on: 'POST /v1/payment_intents',
    what: { kind: 'delay', ms: 3000 },
  },
  'Stripe: creating a payment fails with 500': {
    on: 'POST /v1/payment_intents',
    what: { kind: 'status', status: 500 },
  },
  'Stripe: a payment is created, but the response is lost': {
    on: 'POST /v1/payment_intents',
    what: { kind: 'cutAfter' },
  },
  'Stripe: too many requests (429)': { on: 'POST /v1/', what: { kind: 'status', status: 429 } },
  'Stripe: creating a refund fails with 500': {
    on: 'POST /v1/refunds',
    what: { kind: 'status', status: 500 },
  },
  'Stripe: a refund is created, but the response is lost': {
    on: 'POST /v1/refunds',
    what: { kind: 'cutAfter' },
  },
  'MTN: a transfer request is lost': { on: TRANSFER, what: { kind: 'cutBefore' } },
  'MTN: a transfer is accepted, but the response is lost': { on: TRANSFER, what: { kind: 'cutAfter' } },
  'MTN: a transfer is accepted, but the response is 500': {
    on: TRANSFER,
    what: { kind: 'answer', status: 500, body: INTERNAL, done: true },
  },
  'MTN: a transfer is lost after the response 202': {
    on: TRANSFER,
    what: { kind: 'answer', status: 202, body: '', done: false },
  },
  'MTN: a status query fails with 503': {
    on: 'GET /disbursement/v1_0/transfer/',
    what: {
      kind: 'answer',
      status: 503,
      body: inMtnsWords('Service temporarily unavailable, try again later.', 'SERVICE_UNAVAILABLE'),
      done: false,
    },
  },
  'MTN: a status response is malformed': {
    on: 'GET /disbursement/v1_0/transfer/',
    what: { kind: 'answer', status: 200, body: '{"amount":', done: true },
  },
  'MTN: a callback is lost': { on: 'webhook mtn.transfer', what: { kind: 'lost' } },
  'MTN: a callback is sent three times': {
    on: 'webhook mtn.transfer',
    what: { kind: 'doubled', copies: 3 },
  },
  'Database: a request is lost': { on: FIRESTORE, what: { kind: 'cutBefore' } },
  'Database: a commit succeeds, but the response is lost': { on: COMMIT, what: { kind: 'cutAfter' } },
  'Database: a commit is aborted': { on: COMMIT, what: { kind: 'abort' } },
  'Sign-in: a text message is refused, because the captcha keys are wrong': {
    on: MESSAGE,
    what: { kind: 'status', status: 400, message: 'INVALID_APP_CREDENTIAL' },
  },
  'Sign-in: a text message is refused, because its country is not enabled': {
    on: MESSAGE,
    what: {
      kind: 'status',
      status: 400,
      message:
        'OPERATION_NOT_ALLOWED : SMS unable to be sent until this region enabled by the app developer.',
    },
  },
  'Functions: the response is lost': { on: FUNCTIONS, what: { kind: 'cutAfter' } },
  'Functions: the response takes 3 s': { on: FUNCTIONS, what: { kind: 'delay', ms: 3000 } },
  'Webhook: lost': { on: 'webhook', what: { kind: 'lost' } },
  'Webhook: sent three times at once': { on: 'webhook', what: { kind: 'doubled', copies: 3 } },
  'Webhook: delayed by 10 s': { on: 'webhook', what: { kind: 'late', ms: 10_000 } },
  'Webhook: sent after the next one': { on: 'webhook', what: { kind: 'reordered' } },
  'Webhook: invalid signature': { on: 'webhook', what: { kind: 'badSignature' } },
  'Webhook: timestamp in the future': { on: 'webhook', what: { kind: 'signedAt', offsetSeconds: 3600 } },
  'Webhook: timestamp too old': { on: 'webhook', what: { kind: 'signedAt', offsetSeconds: -3600 } },
}

export function createFaultSwitches(faults: Faults) {
  const app = new Hono()
  app.post('/faults/switches', async (c) => {
    const { name, times } = await c.req.parseBody()
    const chosen = SWITCHES[String(name)]
    if (chosen) faults.add({ ...chosen, times: Number(times) } as Fault)
    else faults.reset()
    return c.redirect('/sandbox#faults', 303)
  })
  return app
}

export function renderFaultSection(faults: Faults) {
  const pending = faults.pending()
  return html`<h2 id="faults">Faults</h2>
    <form method="post" action="/sandbox/faults/switches">
      <p>
        <label
          >The next
          <input name="times" type="number" min="1" max="1000" value="1" required />
          times:
          <select name="name">
            ${Object.keys(SWITCHES).map((name) => html`<option>${name}</option>`)}
          </select></label
        >
        <button>Switch on</button>
      </p>
    </form>
    <ul>
      ${pending.map(
        ({ on, times, what }) =>
          html`<li><code>${on}</code> — <code>${JSON.stringify(what)}</code>, ${times} left</li>`,
      )}
    </ul>
    <form method="post" action="/sandbox/faults/switches">
      <p>${pending.length === 0 ? 'No fault is on.' : html`<button>Switch all off</button>`}</p>
    </form>`
}
