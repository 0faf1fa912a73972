// The stack as its guides set it up, with one field whose text a machine keeps: what a keystroke costs before any of this product.
import '@mantine/core/styles.css'
import { MantineProvider, Text, TextInput } from '@mantine/core'
import { useMachine } from '@xstate/react'
import { createRoot } from 'react-dom/client'
import { assign, setup } from 'xstate'

const machine = setup({
  types: { context: {} as { amount: string }, events: {} as { type: 'typed'; amount: string } },
}).createMachine({
  context: { amount: '' },
  on: { typed: { actions: assign({ amount: ({ event }) => event.amount }) } },
})

function Field() {
  const [{ context }, send] = useMachine(machine)
  return (
    <main>
      <TextInput
        name="amount"
        label="Amount"
        value={context.amount}
        onChange={(event) => send({ type: 'typed', amount: event.currentTarget.value })}
      />
      <Text data-testid="quote">{context.amount}</Text>
    </main>
  )
}

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <MantineProvider>
      <Field />
    </MantineProvider>,
  )
