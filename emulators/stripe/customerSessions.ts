import * as p from './form.ts'
import {
  buildCustomerSession,
  buildToken,
  type CustomerSession,
  createId,
  type PaymentMethod,
} from './objects.ts'
import { retrievePaymentIntent } from './paymentIntents.ts'
import { listPaymentMethods } from './paymentMethods.ts'
import { failInvalidParameter, failMissingReference } from './refusals.ts'
import { type Call, getUnixSeconds } from './state.ts'

/** Stripe's default, like showing only cards of which `allow_redisplay` is 'always'. */
const MAX_SHOWN_CARDS = 3

const feature = p.enumValue('enabled', 'disabled')

/** For the Payment Element only. */
export function createCustomerSession(call: Call, form: p.Form): CustomerSession {
  const params = p.parseParameters(form, {
    customer: p.required(p.text()),
    components: p.required(
      p.group({
        payment_element: p.required(
          p.group({
            enabled: p.required(p.boolean),
            features: p.required(
              p.group({
                payment_method_redisplay: p.required(feature),
                payment_method_remove: p.required(feature),
                payment_method_save: p.required(feature),
                payment_method_save_usage: p.enumValue('on_session', 'off_session'),
              }),
            ),
          }),
        ),
      }),
    ),
  })
  const { customer, components } = params
  const { enabled, features } = components.payment_element
  if (!call.state.customers.has(customer)) return failMissingReference('customer', customer, 'customer')
  if (!enabled) return failInvalidParameter('At least one component must be enabled.', 'components')
  if (features.payment_method_save === 'enabled' && features.payment_method_save_usage === undefined)
    return failInvalidParameter(
      '`payment_method_save_usage` is required if `payment_method_save` is enabled.',
      'components[payment_element][features][payment_method_save_usage]',
    )
  const session = buildCustomerSession(getUnixSeconds(call.clock), customer, features)
  call.state.customerSessions.set(session.client_secret, session)
  return session
}

/** Stripe documents only that a secret can be used once and expires. */
export function openElementsSession(call: Call, form: p.Form): object {
  const params = p.parseParameters(form, {
    client_secret: p.required(p.text()),
    customer_session_client_secret: p.required(p.text()),
  })
  const { client_secret: secret, customer_session_client_secret: sessionSecret } = params
  const id = secret.split('_secret_')[0] ?? ''
  const intent = retrievePaymentIntent(call, { client_secret: secret }, id)
  const session = call.state.customerSessions.get(sessionSecret)
  const isUsed = [...call.state.ephemeralKeys.values()].includes(sessionSecret)
  if (!session || isUsed || session.expires_at <= getUnixSeconds(call.clock))
    return failInvalidParameter(
      'The customer session client secret is invalid, has expired or was used before.',
      'customer_session_client_secret',
    )
  if (intent.customer !== session.customer)
    return failInvalidParameter(
      'The customer of the customer session and that of the intent are not the same.',
      'customer_session_client_secret',
    )
  const key = createId('ek_test')
  call.state.ephemeralKeys.set(key, sessionSecret)
  return {
    object: 'elements_session',
    session_id: createId('elements_session'),
    customer: {
      default_payment_method: null,
      payment_methods: listShownMethods(call, session),
      customer_session: {
        api_key: key,
        api_key_expiry: session.expires_at,
        components: session.components,
        customer: session.customer,
      },
    },
  }
}

/** Newest first. */
function listShownMethods(call: Call, { customer, components }: CustomerSession): readonly PaymentMethod[] {
  if (components.payment_element.features.payment_method_redisplay !== 'enabled') return []
  return listPaymentMethods(call, customer)
    .filter(({ allow_redisplay: shown }) => shown === 'always')
    .reverse()
    .slice(0, MAX_SHOWN_CARDS)
}

/** Null once the session has expired. */
export function findSessionByKey(
  { state, clock }: Pick<Call, 'state' | 'clock'>,
  key: string,
): CustomerSession | null {
  const session = state.customerSessions.get(state.ephemeralKeys.get(key) ?? '')
  return session && session.expires_at > getUnixSeconds(clock) ? session : null
}

/** For a security code entered again, which is not stored. */
export function createToken(call: Call, form: p.Form): object {
  const params = p.parseParameters(form, { cvc_update: p.required(p.group({ cvc: p.required(p.text(4)) })) })
  if (!/^\d{3,4}$/.test(params.cvc_update.cvc))
    return failInvalidParameter("Your card's security code is invalid.", 'cvc_update[cvc]', 'invalid_cvc')
  const token = buildToken(getUnixSeconds(call.clock))
  call.state.tokens.set(token.id, token)
  return token
}
