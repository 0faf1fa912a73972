import * as p from './form.ts'
import { buildCustomer, buildTestClock, type Customer, type TestClock } from './objects.ts'
import { failInvalidParameter, findObject } from './refusals.ts'
import { type Call, getUnixSeconds } from './state.ts'

export function createCustomer(call: Call, form: p.Form): Customer {
  const params = p.parseParameters(form, { metadata: p.metadata })
  const created = getUnixSeconds(call.clock)
  const clock = buildTestClock(created)
  const customer = buildCustomer(created, clock.id)
  customer.metadata = p.mergeMetadata({}, params.metadata)
  call.state.testClocks.set(clock.id, clock)
  call.state.customers.set(customer.id, customer)
  call.emit('customer.created', customer)
  return customer
}

/** An empty string removes a field. */
export function updateCustomer(call: Call, form: p.Form, id: string): Customer {
  const params = p.parseParameters(form, {
    email: p.text(512),
    name: p.text(256),
    phone: p.ignored,
    address: p.ignored,
  })
  const customer = findObject(call.state.customers, 'customer', id)
  const { email = customer.email, name = customer.name } = params
  Object.assign(customer, { email: email || null, name: name || null })
  call.emit('customer.updated', customer)
  return customer
}

/** In seconds. Later than the emulator's time if a test has advanced the customer's test clock. */
export function getBillingTime({ state, clock }: Call, customerId: string): number {
  const testClock = state.customers.get(customerId)?.test_clock ?? ''
  return getUnixSeconds(clock) + (state.aheadBy.get(testClock) ?? 0)
}

export function retrieveTestClock({ state, clock }: Call, id: string): TestClock {
  const testClock = findObject(state.testClocks, 'test_clock', id)
  return { ...testClock, frozen_time: getUnixSeconds(clock) + (state.aheadBy.get(id) ?? 0) }
}

/** Unlike Stripe's, the test clock is not frozen: it continues with the emulator's clock. */
export function advanceTestClock(call: Call, form: p.Form, id: string): TestClock {
  const params = p.parseParameters(form, { frozen_time: p.required(p.integer(1)) })
  const current = retrieveTestClock(call, id)
  const { frozen_time: time } = params
  if (time <= current.frozen_time)
    return failInvalidParameter('You cannot advance a test clock to a time in the past.', 'frozen_time')
  call.state.aheadBy.set(id, time - getUnixSeconds(call.clock))
  return retrieveTestClock(call, id)
}

/** A deleted customer is returned with `deleted: true`. */
export const retrieveCustomer = ({ state }: Call, id: string): object =>
  state.deletedCustomers.get(id) ?? findObject(state.customers, 'customer', id)

/** Also detaches the cards. The customer's subscriptions must have ended. */
export function deleteCustomer({ state }: Call, id: string): object {
  findObject(state.customers, 'customer', id)
  state.customers.delete(id)
  for (const method of state.paymentMethods.values()) if (method.customer === id) method.customer = null
  const deleted = { id, object: 'customer', deleted: true }
  state.deletedCustomers.set(id, deleted)
  return deleted
}
