import { type Form, ignored, integer, mergeMetadata, metadata, readForm, required } from './form.ts'
import { type Customer, newCustomer, newTestClock, type TestClock } from './objects.ts'
import { find, invalid, ok, type Result } from './result.ts'
import { type Call, seconds } from './state.ts'

/** `POST /v1/customers` */
export function createCustomer(call: Call, form: Form): Result<Customer> {
  const read = readForm(form, { metadata, expand: ignored })
  if (!read.ok) return read
  const created = seconds(call.clock)
  const clock = newTestClock(created)
  const customer = newCustomer(created, clock.id)
  customer.metadata = mergeMetadata({}, read.value.metadata)
  call.state.testClocks.set(clock.id, clock)
  call.state.customers.set(customer.id, customer)
  call.emit('customer.created', customer)
  return ok(customer)
}

/** The time by which a customer is billed, in seconds: the emulator's, or a later one that a test has set. */
export function billingTime({ state, clock }: Call, customerId: string): number {
  const testClock = state.customers.get(customerId)?.test_clock ?? ''
  return seconds(clock) + (state.aheadBy.get(testClock) ?? 0)
}

/** `GET /v1/test_helpers/test_clocks/:id` */
export function retrieveTestClock({ state, clock }: Call, _: Form, id: string): Result<TestClock> {
  const found = find(state.testClocks, 'test_clock', id)
  return found.ok ? ok({ ...found.value, frozen_time: seconds(clock) + (state.aheadBy.get(id) ?? 0) }) : found
}

/**
 * `POST /v1/test_helpers/test_clocks/:id/advance`. Unlike Stripe's, the emulator's test clock is not frozen: it runs on
 * from there together with the emulator's clock.
 */
export function advanceTestClock(call: Call, form: Form, id: string): Result<TestClock> {
  const read = readForm(form, { frozen_time: required(integer(1)), expand: ignored })
  if (!read.ok) return read
  const current = retrieveTestClock(call, form, id)
  if (!current.ok) return current
  const { frozen_time: time } = read.value
  if (time <= current.value.frozen_time)
    return invalid('You cannot advance a test clock to a time in the past.', { param: 'frozen_time' })
  call.state.aheadBy.set(id, time - seconds(call.clock))
  return retrieveTestClock(call, form, id)
}
