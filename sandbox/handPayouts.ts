import { Hono } from 'hono'
import { html } from 'hono/html'
import type { createFirestore } from 'service-emulators/firestore'

/** Runs `npm run ops -- deliveries` with these words and options, and returns the printed lines. */
export type Operate = (
  words: readonly string[],
  options: Readonly<Partial<Record<'by' | 'reference' | 'reason', string>>>,
) => Promise<readonly string[]>

const REASONS = ['recipientUnknown', 'recipientNotAllowed', 'expired', 'canceled', 'rejected'] as const

/** Who pays here, as the batch of a claim names them. */
const WHO = 'sandbox'

/** What a form may ask for, as the command that does it. */
function commandOf(id: string, said: Readonly<Record<string, unknown>>): Parameters<Operate> | null {
  const { command, reference = '', reason = '' } = said
  switch (command) {
    case 'claim':
      return [[command, id], { by: WHO }]
    case 'delivered':
      return [[command, id], { reference: String(reference) }]
    case 'failed':
      return [[command, id], { reason: String(reason) }]
    case 'release':
    case 'hold':
      return [[command, id], {}]
    default:
      return null
  }
}

/** Shows the transfers that staff pay out by hand. Each button is a command of `npm run ops -- deliveries`, which `operate` runs. */
export function createHandPayouts({
  firestore,
  operate,
}: {
  firestore: Pick<ReturnType<typeof createFirestore>, 'documents'>
  operate: Operate | undefined
}) {
  const orders = () =>
    Object.entries(firestore.documents())
      .filter(([path, { isByHand }]) => /^deliveries\/[^/]+$/.test(path) && isByHand === true)
      .map(([path, order]): Record<string, unknown> => ({ ...order, id: path.split('/').at(-1) }))
      .sort((one, other) => Number(other.createdAt) - Number(one.createdAt))

  const app = new Hono()
  app.post('/deliveries/:id', async (c) => {
    const said = await c.req.parseBody()
    const command = commandOf(c.req.param('id'), said)
    if (!operate || !command) return c.notFound()
    const lines = await operate(...command)
    return lines.some((line) => /^Nothing is |^pi_\w+ has no |is not due\.$/.test(line))
      ? c.json({ lines }, 409)
      : c.redirect('/sandbox#by-hand', 303)
  })

  const buttons = ({ id, state }: Record<string, unknown>) => {
    const action = `/sandbox/deliveries/${id}`
    if (state === 'due')
      return html`<form method="post" action="${action}">
        <button name="command" value="claim">Take it in hand</button>
        <button name="command" value="hold">Hold it</button>
      </form>`
    if (state === 'held')
      return html`<form method="post" action="${action}"><button name="command" value="release">Release it</button></form>`
    if (state !== 'claimed') return ''
    return html`<form method="post" action="${action}">
        <label>Reference <input name="reference" value="${`W${String(id).slice(-8)}`}" required /></label>
        <button name="command" value="delivered">It has arrived</button>
      </form>
      <form method="post" action="${action}">
        <label>Reason <select name="reason">${REASONS.map((one) => html`<option>${one}</option>`)}</select></label>
        <button name="command" value="failed">It can’t be paid</button>
        <button name="command" value="release">Release it</button>
      </form>`
  }

  const section = () => html`<h2 id="by-hand">Transfers paid by hand</h2>
    ${
      orders().length === 0
        ? html`<p class="quiet">
            None. There are some when somebody sends to another wallet than MTN Money, unless it was started with
            <code>DELIVERY_PROVIDERS=</code>.
          </p>`
        : ''
    }
    <ul>
      ${orders().map((order) => {
        const { id, amount, phone, wallet, state, failure, proof } = order
        const { minor, currency } = amount as { minor: number; currency: string }
        return html`<li>
          <code>${id}</code> ${currency === 'GNF' ? minor : minor / 100} ${currency} to ${phone} (${wallet}):
          <strong>${state}</strong> ${proof ?? failure ?? ''} ${operate ? buttons(order) : ''}
        </li>`
      })}
    </ul>`

  return { app, section }
}
