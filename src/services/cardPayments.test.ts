import { loadStripe } from '@stripe/stripe-js/pure'
import { afterEach, expect, test, vi } from 'vitest'
import { type CardFormState, openCardForm } from './cardPayments.ts'

vi.mock('@stripe/stripe-js/pure', () => ({ loadStripe: vi.fn() }))

afterEach(() => vi.useRealTimers())

const look = {
  ...{ night: false, primary: '', background: '', text: '', line: '', danger: '', radius: '', font: '' },
}

function open() {
  const states: CardFormState[] = []
  const form = { clientSecret: 'secret', customerSession: null, language: 'fr' as const, look }
  const close = openCardForm({} as HTMLElement, form, (state) => states.push(state))
  return { states, close }
}

test('a card form whose script failed to load opens at the next try', async () => {
  vi.useFakeTimers()
  const payment = {
    on: (event: string, happen: () => void) => event === 'ready' && happen(),
    mount() {},
    destroy() {},
  }
  const elements = { create: () => payment, getElement: () => payment }
  vi.mocked(loadStripe)
    .mockRejectedValueOnce(new Error('Failed to load Stripe.js'))
    .mockResolvedValueOnce({ elements: () => elements } as never)
  const first = open()
  await vi.advanceTimersByTimeAsync(0)
  expect(first.states).toEqual(['loading', 'failed'])
  first.close()
  const second = open()
  await vi.advanceTimersByTimeAsync(0)
  expect(second.states).toEqual(['loading', 'ready'])
  second.close()
})
