import { type Form, ignored, integer, mergeMetadata, metadata, readForm, required, text } from './form.ts'
import { type List, listPage, listParameters } from './lists.ts'
import { invalid, missing, ok, type Result } from './result.ts'
import { type Call, type Customer, newId, seconds, type TestClock } from './state.ts'

const DAYS_30 = 30 * 86_400

/** `POST /v1/customers` */
export function createCustomer(call: Call, form: Form): Result<Customer> {
  const read = readForm(form, { email: text(512), name: text(256), metadata, expand: ignored })
  if (!read.ok) return read
  const created = seconds(call.clock)
  const clock: TestClock = {
    id: newId('clock'),
    object: 'test_helpers.test_clock',
    created,
    deletes_after: created + DAYS_30,
    frozen_time: created,
    livemode: false,
    name: null,
    status: 'ready',
  }
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    created,
    email: read.value.email || null,
    livemode: false,
    metadata: mergeMetadata({}, read.value.metadata),
    name: read.value.name || null,
    test_clock: clock.id,
  }
  call.state.testClocks.set(clock.id, clock)
  call.state.customers.set(customer.id, customer)
  call.emit('customer.created', customer)
  return ok(customer)
}

/** `GET /v1/customers/:id` */
export function retrieveCustomer({ state }: Call, id: string): Result<Customer> {
  const customer = state.customers.get(id)
  return customer ? ok(customer) : missing('customer', id, 'id')
}

/** `GET /v1/customers` */
export function listCustomers({ state }: Call, form: Form): Result<List<Customer>> {
  const read = readForm(form, { ...listParameters, email: text() })
  if (!read.ok) return read
  const { email } = read.value
  const matching = [...state.customers.values()].filter((one) => email === undefined || one.email === email)
  return listPage(matching, '/v1/customers', 'customer', read.value)
}

/** The time by which a customer is billed, in seconds: the sandbox's, or what a test has advanced it to. */
export function billingTime({ state, clock }: Call, customerId: string): number {
  const testClock = state.customers.get(customerId)?.test_clock ?? ''
  return seconds(clock) + (state.aheadBy.get(testClock) ?? 0)
}

/** `GET /v1/test_helpers/test_clocks/:id` */
export function retrieveTestClock(call: Call, id: string): Result<TestClock> {
  const testClock = call.state.testClocks.get(id)
  if (!testClock) return missing('test_clock', id, 'id')
  const time = seconds(call.clock) + (call.state.aheadBy.get(id) ?? 0)
  return ok({ ...testClock, frozen_time: time })
}

/**
 * `POST /v1/test_helpers/test_clocks/:id/advance`. Unlike Stripe's, a clock of the emulator is not frozen: it goes on
 * from there, together with the sandbox's.
 */
export function advanceTestClock(call: Call, id: string, form: Form): Result<TestClock> {
  const read = readForm(form, { frozen_time: required(integer(1)), expand: ignored })
  if (!read.ok) return read
  const current = retrieveTestClock(call, id)
  if (!current.ok) return current
  const { frozen_time: time } = read.value
  if (time <= current.value.frozen_time)
    return invalid('You cannot advance a test clock to a time in the past.', { param: 'frozen_time' })
  call.state.aheadBy.set(id, time - seconds(call.clock))
  return retrieveTestClock(call, id)
}
