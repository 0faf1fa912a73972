import * as p from './form.ts'
import { buildCustomer, buildTestClock, type Customer, type TestClock } from './objects.ts'
import { failInvalidParameter, findObject, ok, type Result } from './result.ts'
import { type Call, getUnixSeconds } from './state.ts'

export function createCustomer(call: Call, form: p.Form): Result<Customer> {
  const read = p.parseParameters(form, { metadata: p.metadata })
  if (!read.ok) return read
  const created = getUnixSeconds(call.clock)
  const clock = buildTestClock(created)
  const customer = buildCustomer(created, clock.id)
  customer.metadata = p.mergeMetadata({}, read.value.metadata)
  call.state.testClocks.set(clock.id, clock)
  call.state.customers.set(customer.id, customer)
  call.emit('customer.created', customer)
  return ok(customer)
}

/** An empty string removes a field. */
export function updateCustomer(call: Call, form: p.Form, id: string): Result<Customer> {
  const read = p.parseParameters(form, {
    email: p.text(512),
    name: p.text(256),
    phone: p.ignored,
    address: p.ignored,
  })
  if (!read.ok) return read
  const found = findObject(call.state.customers, 'customer', id)
  if (!found.ok) return found
  const { email = found.value.email, name = found.value.name } = read.value
  Object.assign(found.value, { email: email || null, name: name || null })
  call.emit('customer.updated', found.value)
  return found
}

/** In seconds. Later than the emulator's time if a test has advanced the customer's test clock. */
export function getBillingTime({ state, clock }: Call, customerId: string): number {
  const testClock = state.customers.get(customerId)?.test_clock ?? ''
  return getUnixSeconds(clock) + (state.aheadBy.get(testClock) ?? 0)
}

export function retrieveTestClock({ state, clock }: Call, _: p.Form, id: string): Result<TestClock> {
  const found = findObject(state.testClocks, 'test_clock', id)
  return found.ok
    ? ok({ ...found.value, frozen_time: getUnixSeconds(clock) + (state.aheadBy.get(id) ?? 0) })
    : found
}

/** Unlike Stripe's, the test clock is not frozen: it continues with the emulator's clock. */
export function advanceTestClock(call: Call, form: p.Form, id: string): Result<TestClock> {
  const read = p.parseParameters(form, { frozen_time: p.required(p.integer(1)) })
  if (!read.ok) return read
  const current = retrieveTestClock(call, form, id)
  if (!current.ok) return current
  const { frozen_time: time } = read.value
  if (time <= current.value.frozen_time)
    return failInvalidParameter('You cannot advance a test clock to a time in the past.', 'frozen_time')
  call.state.aheadBy.set(id, time - getUnixSeconds(call.clock))
  return retrieveTestClock(call, form, id)
}

/** A deleted customer is returned with `deleted: true`. */
export function retrieveCustomer({ state }: Call, _: p.Form, id: string): Result<object> {
  const deleted = state.deletedCustomers.get(id)
  return deleted ? ok(deleted) : findObject(state.customers, 'customer', id)
}

/** Also detaches the cards. The customer's subscriptions must have ended. */
export function deleteCustomer({ state }: Call, id: string): Result<object> {
  const found = findObject(state.customers, 'customer', id)
  if (!found.ok) return found
  state.customers.delete(id)
  for (const method of state.paymentMethods.values()) if (method.customer === id) method.customer = null
  const deleted = { id, object: 'customer', deleted: true }
  state.deletedCustomers.set(id, deleted)
  return ok(deleted)
}
