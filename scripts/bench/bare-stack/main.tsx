// The stack as its guides set it up, with one card and no product code: the baseline of the benchmark.
import '@mantine/core/styles.css'
import { Button, Card, MantineProvider, Text, Title } from '@mantine/core'
import { useMachine } from '@xstate/react'
import { createRoot } from 'react-dom/client'
import { setup } from 'xstate'

const machine = setup({ types: { events: {} as { type: 'turn' } } }).createMachine({
  initial: 'closed',
  states: { closed: { on: { turn: 'open' } }, open: { on: { turn: 'closed' } } },
})

function Bare() {
  const [state, send] = useMachine(machine)
  return (
    <main>
      <Card withBorder>
        <Title order={1}>One card</Title>
        <Text>It is {String(state.value)}, rendered by React and Mantine, and led by XState.</Text>
        <Button onClick={() => send({ type: 'turn' })}>Turn</Button>
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
