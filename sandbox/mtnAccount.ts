import { Hono } from 'hono'
import { html } from 'hono/html'
import { formatTestNumber, MTN_TEST_NUMBERS, type MtnEmulator } from 'service-emulators/mtn'

const REASONS = ['PAYEE_NOT_FOUND', 'PAYEE_NOT_ALLOWED_TO_RECEIVE', 'NOT_ENOUGH_FUNDS'] as const

export function createMtnAccountSection(
  mtn: Pick<MtnEmulator, 'balance' | 'addBalance' | 'transfers' | 'decide'>,
) {
  const app = new Hono()
  app.post('/mtn/balance', async (c) => {
    const { amount } = await c.req.parseBody()
    const added = Number(amount)
    if (!Number.isFinite(added)) return c.json({ problem: 'amount must be a number' }, 400)
    mtn.addBalance(added)
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
      <p>The account that payouts come from has <strong>${mtn.balance()} GNF</strong>.</p>
      <form method="post" action="/sandbox/mtn/balance">
        <p>
          <label>Deposit <input name="amount" type="number" value="10000000" required /> GNF (negative: withdraw)</label>
          <button>Change the balance</button>
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
                      <button name="as" value="arrived">It succeeded</button>
                      ${REASONS.map((one) => html`<button name="as" value="${one}">${one}</button> `)}
                    </form>`
                  : ''
              }
            </li>`,
        )}
      </ul>
      <p>Transfers arrive at once, except those to these test numbers:</p>
      <ul>
        ${MTN_TEST_NUMBERS.map((number) => html`<li><code>${formatTestNumber(number)}</code> — ${number.about}</li>`)}
      </ul>`
  }

  return { app, section }
}
