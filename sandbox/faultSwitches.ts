import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Fault, Faults } from 'service-emulators/faults'

const CREATED = 'POST /v1/payment_intents'
const REFUND = 'POST /v1/refunds'
const COMMIT = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:commit'
const FIRESTORE = 'POST /v1/projects/demo-passerelle/databases/'
const MESSAGE = 'POST /identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode'
const FUNCTIONS = 'POST /.netlify/functions/'
const TRANSFER = 'POST /disbursement/v1_0/transfer'
const STATUS = 'GET /disbursement/v1_0/transfer/'
const CALLBACK = 'webhook mtn.transfer'

const answer = (status: number, body: string, done: boolean) =>
  ({ kind: 'answer', status, body, done }) as const
const fail = (status: number, message?: string) => ({ kind: 'status', status, message }) as const
const inMtnsWords = (message: string, code: string) => JSON.stringify({ message, code })
const INTERNAL = inMtnsWords('An internal error occurred while processing.', 'INTERNAL_PROCESSING_ERROR')
const BUSY = inMtnsWords('Service temporarily unavailable, try again later.', 'SERVICE_UNAVAILABLE')
const NO_REGION =
  'OPERATION_NOT_ALLOWED : SMS unable to be sent until this region enabled by the app developer.'

const SWITCHES: Readonly<Record<string, readonly [on: string, what: Fault['what']]>> = {
  'Stripe: creating a payment takes 3 s': [CREATED, { kind: 'delay', ms: 3000 }],
  'Stripe: creating a payment fails with 500': [CREATED, fail(500)],
  'Stripe: a payment is created, but the response is lost': [CREATED, { kind: 'cutAfter' }],
  'Stripe: too many requests (429)': ['POST /v1/', fail(429)],
  'Stripe: creating a refund fails with 500': [REFUND, fail(500)],
  'Stripe: a refund is created, but the response is lost': [REFUND, { kind: 'cutAfter' }],
  'MTN: a transfer request is lost': [TRANSFER, { kind: 'cutBefore' }],
  'MTN: a transfer is accepted, but the response is lost': [TRANSFER, { kind: 'cutAfter' }],
  'MTN: a transfer is accepted, but the response is 500': [TRANSFER, answer(500, INTERNAL, true)],
  'MTN: a transfer is lost after the response 202': [TRANSFER, answer(202, '', false)],
  'MTN: a status query fails with 503': [STATUS, answer(503, BUSY, false)],
  'MTN: a status response is malformed': [STATUS, answer(200, '{"amount":', true)],
  'MTN: a callback is lost': [CALLBACK, { kind: 'lost' }],
  'MTN: a callback is sent three times': [CALLBACK, { kind: 'doubled', copies: 3 }],
  'Database: a request is lost': [FIRESTORE, { kind: 'cutBefore' }],
  'Database: a commit succeeds, but the response is lost': [COMMIT, { kind: 'cutAfter' }],
  'Database: a commit is aborted': [COMMIT, { kind: 'abort' }],
  'Sign-in: a text message is refused, because the captcha keys are wrong': [
    MESSAGE,
    fail(400, 'INVALID_APP_CREDENTIAL'),
  ],
  'Sign-in: a text message is refused, because its country is not enabled': [MESSAGE, fail(400, NO_REGION)],
  'Functions: the response is lost': [FUNCTIONS, { kind: 'cutAfter' }],
  'Functions: the response takes 3 s': [FUNCTIONS, { kind: 'delay', ms: 3000 }],
  'Webhook: lost': ['webhook', { kind: 'lost' }],
  'Webhook: sent three times at once': ['webhook', { kind: 'doubled', copies: 3 }],
  'Webhook: delayed by 10 s': ['webhook', { kind: 'late', ms: 10_000 }],
  'Webhook: sent after the next one': ['webhook', { kind: 'reordered' }],
  'Webhook: invalid signature': ['webhook', { kind: 'badSignature' }],
  'Webhook: timestamp in the future': ['webhook', { kind: 'signedAt', offsetSeconds: 3600 }],
  'Webhook: timestamp too old': ['webhook', { kind: 'signedAt', offsetSeconds: -3600 }],
}

export function createFaultSwitches(faults: Faults) {
  const app = new Hono()
  app.post('/faults/switches', async (c) => {
    const { name, times } = await c.req.parseBody()
    const chosen = SWITCHES[String(name)]
    if (chosen) faults.add({ on: chosen[0], what: chosen[1], times: Number(times) } as Fault)
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
