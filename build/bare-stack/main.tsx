// The stack as its guides set it up, with one card and no product code: the baseline of the benchmark.
import '@mantine/core/styles.css'
import { Button, Card, MantineProvider, Text, Title } from '@mantine/core'
import { useMachine } from '@xstate/react'
import { createRoot } from 'react-dom/client'
import { assign, setup } from 'xstate'

const machine = setup({
  types: {
    context: {} as { amount: string },
    events: {} as { type: 'turn' } | { type: 'type'; amount: string },
  },
}).createMachine({
  context: { amount: '' },
  initial: 'closed',
  on: { type: { actions: assign({ amount: ({ event }) => event.amount }) } },
  states: { closed: { on: { turn: 'open' } }, open: { on: { turn: 'closed' } } },
})

function Bare() {
  const [state, send] = useMachine(machine)
  const { amount } = state.context
  return (
    <main>
      <Card withBorder>
        <Title order={1}>One card</Title>
        <Text>It is {String(state.value)}, rendered by React and Mantine, and led by XState.</Text>
        <Button onClick={() => send({ type: 'turn' })}>Turn</Button>
        <label>
          Amount
          <input
            name="amount"
            value={amount}
            onChange={({ currentTarget }) => send({ type: 'type', amount: currentTarget.value })}
          />
        </label>
        <Text data-testid="quote">{amount}</Text>
      </Card>
    </main>
  )
}

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <MantineProvider>
      <Bare />
    </MantineProvider>,
  )
