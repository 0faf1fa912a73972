import { boolean, type Form, group, ignored, integer, oneOf, readForm, required, text } from './form.ts'
import {
  type AllowRedisplay,
  type CustomerSession,
  newCustomerSession,
  newId,
  newToken,
  type PaymentElementFeatures,
  type PaymentMethod,
} from './objects.ts'
import { retrievePaymentIntent } from './paymentIntents.ts'
import { allowRedisplay, methodsOf } from './paymentMethods.ts'
import { invalid, missingReference, ok, type Result } from './result.ts'
import { type Call, seconds } from './state.ts'

const MOST_SHOWN = 3

const feature = oneOf('enabled', 'disabled')

const filters = (value: Form[string] | undefined, name: string): Result<AllowRedisplay[] | undefined> => {
  if (!Array.isArray(value))
    return value === undefined ? ok(undefined) : invalid('Invalid array', { param: name })
  const read = value.map((one) => allowRedisplay(one, name))
  const problem = read.find((one) => !one.ok)
  if (problem && !problem.ok) return problem
  return ok(read.flatMap((one) => (one.ok && one.value ? one.value : [])))
}

/** `POST /v1/customer_sessions`, for the Payment Element alone. */
export function createCustomerSession(call: Call, form: Form): Result<CustomerSession> {
  const read = readForm(form, {
    customer: required(text()),
    components: required(
      group({
        payment_element: required(
          group({
            enabled: required(boolean),
            features: group({
              payment_method_allow_redisplay_filters: filters,
              payment_method_redisplay: feature,
              payment_method_redisplay_limit: integer(1, 10),
              payment_method_remove: feature,
              payment_method_save: feature,
              payment_method_save_usage: oneOf('on_session', 'off_session'),
            }),
          }),
        ),
      }),
    ),
    expand: ignored,
  })
  if (!read.ok) return read
  const { customer, components } = read.value
  const { enabled, features } = components.payment_element
  if (!call.state.customers.has(customer)) return missingReference('customer', customer, 'customer')
  if (!enabled) return invalid('At least one component must be enabled.', { param: 'components' })
  if (features?.payment_method_save === 'enabled' && features.payment_method_save_usage === undefined)
    return invalid('`payment_method_save_usage` is required if `payment_method_save` is enabled.', {
      param: 'components[payment_element][features][payment_method_save_usage]',
    })
  const session = newCustomerSession(seconds(call.clock), customer, features ? withDefaults(features) : null)
  call.state.customerSessions.set(session.client_secret, session)
  return ok(session)
}

const withDefaults = (
  features: { [K in keyof PaymentElementFeatures]: PaymentElementFeatures[K] | undefined },
): PaymentElementFeatures => ({
  payment_method_allow_redisplay_filters: features.payment_method_allow_redisplay_filters ?? ['always'],
  payment_method_redisplay: features.payment_method_redisplay ?? 'disabled',
  payment_method_redisplay_limit: features.payment_method_redisplay_limit ?? MOST_SHOWN,
  payment_method_remove: features.payment_method_remove ?? 'disabled',
  payment_method_save: features.payment_method_save ?? 'disabled',
  payment_method_save_usage: features.payment_method_save_usage ?? null,
})

/**
 * `GET /v1/elements/sessions`: what the frame of a page asks first, by the secrets that the page has. Stripe documents only
 * that the secret of a customer session is good once and until it expires; of the answer there is here what its own SDKs read.
 */
export function openElementsSession(call: Call, form: Form): Result<object> {
  const read = readForm(form, {
    key: ignored,
    type: oneOf('payment_intent'),
    client_secret: required(text()),
    customer_session_client_secret: required(text()),
  })
  if (!read.ok) return read
  const { client_secret: secret, customer_session_client_secret: sessionSecret } = read.value
  const id = secret.split('_secret_')[0] ?? ''
  const intent = retrievePaymentIntent(call, { client_secret: secret }, id)
  if (!intent.ok) return intent
  const session = call.state.customerSessions.get(sessionSecret)
  const isUsed = [...call.state.ephemeralKeys.values()].includes(sessionSecret)
  if (!session || isUsed || session.expires_at <= seconds(call.clock))
    return invalid('The customer session client secret is invalid, has expired or was used before.', {
      param: 'customer_session_client_secret',
    })
  if (intent.value.customer !== session.customer)
    return invalid('The customer of the customer session and that of the intent are not the same.', {
      param: 'customer_session_client_secret',
    })
  const key = newId('ek_test')
  call.state.ephemeralKeys.set(key, sessionSecret)
  return ok({
    object: 'elements_session',
    session_id: newId('elements_session'),
    customer: {
      default_payment_method: null,
      payment_methods: shownMethods(call, session),
      customer_session: {
        api_key: key,
        api_key_expiry: session.expires_at,
        components: session.components,
        customer: session.customer,
      },
    },
  })
}

/** The newest first. */
function shownMethods(call: Call, { customer, components }: CustomerSession): readonly PaymentMethod[] {
  const { features } = components.payment_element
  if (features?.payment_method_redisplay !== 'enabled') return []
  return methodsOf(call, customer)
    .filter(({ allow_redisplay: shown }) => features.payment_method_allow_redisplay_filters.includes(shown))
    .reverse()
    .slice(0, features.payment_method_redisplay_limit)
}

/** Whom the key of a page's frame speaks for, as long as its customer session lasts. */
export function sessionOfKey(
  { state, clock }: Pick<Call, 'state' | 'clock'>,
  key: string,
): CustomerSession | null {
  const session = state.customerSessions.get(state.ephemeralKeys.get(key) ?? '')
  return session && session.expires_at > seconds(clock) ? session : null
}

/** `POST /v1/tokens`, for a security code that is typed again. Nobody keeps the code. */
export function createToken(call: Call, form: Form): Result<object> {
  const read = readForm(form, { key: ignored, cvc_update: required(group({ cvc: required(text(4)) })) })
  if (!read.ok) return read
  if (!/^\d{3,4}$/.test(read.value.cvc_update.cvc))
    return invalid("Your card's security code is invalid.", { code: 'invalid_cvc', param: 'cvc_update[cvc]' })
  const token = newToken(seconds(call.clock))
  call.state.tokens.set(token.id, token)
  return ok(token)
}
