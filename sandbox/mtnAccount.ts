import { Hono } from 'hono'
import { html } from 'hono/html'
import { type MtnEmulator, TEST_NUMBERS, typed } from 'service-emulators/mtn'

const REASONS = ['PAYEE_NOT_FOUND', 'PAYEE_NOT_ALLOWED_TO_RECEIVE', 'NOT_ENOUGH_FUNDS'] as const

/** The account at MTN as its operator sees it: what it has, what was paid out, and what its test numbers do. */
export function createMtnAccount(mtn: Pick<MtnEmulator, 'balance' | 'fill' | 'transfers' | 'decide'>) {
  const app = new Hono()
  app.post('/mtn/balance', async (c) => {
    const { amount } = await c.req.parseBody()
    const added = Number(amount)
    if (!Number.isFinite(added)) return c.json({ problem: 'amount must be a number' }, 400)
    mtn.fill(added)
    return c.redirect('/sandbox#mtn', 303)
  })
  app.post('/mtn/transfers/:reference', async (c) => {
    const { as } = await c.req.parseBody()
    const reason = REASONS.find((one) => one === as)
    if (as !== 'arrived' && !reason) return c.notFound()
    mtn.decide(c.req.param('reference'), reason ?? null)
    return c.redirect('/sandbox#mtn', 303)
  })

  const section = () => {
    const transfers = mtn.transfers().reverse()
    return html`<h2 id="mtn">MTN Mobile Money</h2>
      <p>The account from which is paid has <strong>${mtn.balance()} GNF</strong>.</p>
      <form method="post" action="/sandbox/mtn/balance">
        <p>
          <label>Put in <input name="amount" type="number" value="10000000" required /> GNF (below zero: take out)</label>
          <button>Do it</button>
        </p>
      </form>
      ${transfers.length === 0 ? html`<p class="quiet">No transfer yet.</p>` : ''}
      <ul>
        ${transfers.map(
          ({ reference, amount, currency, msisdn, status, reason, financialTransactionId }) =>
            html`<li>
              <code>${reference}</code> ${amount / 100} ${currency} to ${msisdn}:
              <strong>${status}</strong> ${reason ?? financialTransactionId ?? ''}
              ${
                status === 'PENDING' || status === 'CREATED'
                  ? html`<form method="post" action="/sandbox/mtn/transfers/${reference}">
                      <button name="as" value="arrived">It arrived</button>
                      ${REASONS.map((one) => html`<button name="as" value="${one}">${one}</button> `)}
                    </form>`
                  : ''
              }
            </li>`,
        )}
      </ul>
      <p>To any number the money arrives at once, but to these:</p>
      <ul>
        ${TEST_NUMBERS.map((number) => html`<li><code>${typed(number)}</code> — ${number.about}</li>`)}
      </ul>`
  }

  return { app, section }
}
