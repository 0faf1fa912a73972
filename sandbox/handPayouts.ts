import { Hono } from 'hono'
import { html } from 'hono/html'
import type { FirestoreEmulator } from 'service-emulators/firestore'
import { listDocuments } from './documents.ts'

/** Returns the printed lines. */
export type RunDeliveriesCommand = (
  words: readonly string[],
  options: Readonly<Partial<Record<'by' | 'because' | 'reference' | 'reason', string>>>,
) => Promise<readonly string[]>

const REASONS = ['recipientUnknown', 'recipientNotAllowed', 'expired', 'canceled', 'rejected'] as const

const SIGNATURE = { by: 'sandbox', because: 'tested in the sandbox' }

function parseCommand(
  id: string,
  said: Readonly<Record<string, unknown>>,
): Parameters<RunDeliveriesCommand> | null {
  const { command, reference = '', reason = '' } = said
  switch (command) {
    case 'claim':
    case 'release':
    case 'hold':
      return [[command, id], SIGNATURE]
    case 'delivered':
      return [[command, id], { ...SIGNATURE, reference: String(reference) }]
    case 'failed':
      return [[command, id], { ...SIGNATURE, reason: String(reason) }]
    default:
      return null
  }
}

/** Each button is one of the commands for deliveries, which `operate` runs. */
export function createHandPayoutSection({
  firestore,
  operate,
}: {
  firestore: Pick<FirestoreEmulator, 'documents'>
  operate: RunDeliveriesCommand | undefined
}) {
  const orders = () =>
    listDocuments(firestore, 'deliveries')
      .filter(({ isByHand }) => isByHand === true)
      .sort((one, other) => Number(other.createdAt) - Number(one.createdAt))

  const app = new Hono()
  app.post('/deliveries/:id', async (c) => {
    const said = await c.req.parseBody()
    const command = parseCommand(c.req.param('id'), said)
    if (!operate || !command) return c.notFound()
    const lines = await operate(...command)
    return lines.some((line) => /^Nothing was |^pi_\w+ has no |is not due\.$/.test(line))
      ? c.json({ lines }, 409)
      : c.redirect('/sandbox#by-hand', 303)
  })

  const buttons = ({ id, state }: Record<string, unknown>) => {
    const action = `/sandbox/deliveries/${id}`
    if (state === 'due')
      return html`<form method="post" action="${action}">
        <button name="command" value="claim">Claim</button>
        <button name="command" value="hold">Hold</button>
      </form>`
    if (state === 'held')
      return html`<form method="post" action="${action}"><button name="command" value="release">Release</button></form>`
    if (state !== 'claimed') return ''
    return html`<form method="post" action="${action}">
        <label>Reference <input name="reference" value="${`W${String(id).slice(-8)}`}" required /></label>
        <button name="command" value="delivered">Record as delivered</button>
      </form>
      <form method="post" action="${action}">
        <label>Reason <select name="reason">${REASONS.map((one) => html`<option>${one}</option>`)}</select></label>
        <button name="command" value="failed">Record as failed</button>
        <button name="command" value="release">Release</button>
      </form>`
  }

  const section = () => html`<h2 id="by-hand">Transfers paid by hand</h2>
    ${
      orders().length === 0
        ? html`<p class="quiet">
            None. Transfers to other wallets than MTN Money appear here, unless the sandbox was started with
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
