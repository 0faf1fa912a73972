import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import type { Language } from '../../domain/common/language.ts'
import { ServiceError } from '../browser/failure.ts'
import { loadScript } from '../browser/loadScript.ts'
import { settings } from './settings.ts'

/** Plain colors, because the provider's page can't read our CSS variables. */
export interface CardFormLook {
  readonly night: boolean
  readonly primary: string
  readonly background: string
  readonly text: string
  readonly line: string
  readonly danger: string
  readonly radius: string
  readonly font: string
}

export type CardFormState = 'loading' | 'ready' | 'failed'

/** This response proves nothing: the functions ask the provider again. */
export type CardConfirmation =
  | { kind: 'answered'; status: string }
  | { kind: 'cardInvalid' }
  | { kind: 'declined'; reason: string; message: string }

// The provider's form is a live object, which a snapshot can't hold.
let open: { stripe: Stripe; elements: StripeElements } | null = null

/** The card number never enters this page. */
export function openCardForm(
  element: HTMLElement,
  {
    clientSecret,
    customerSession,
    language,
    look,
  }: {
    clientSecret: string
    /** Null without saved cards. */
    customerSession: string | null
    language: Language
    look: CardFormLook
  },
  onState: (state: CardFormState) => void,
): () => void {
  let isClosed = false
  onState('loading')
  const tooLong = setTimeout(() => {
    isScriptHung = !open
    onState('failed')
  }, OPEN_TIMEOUT)
  const close = () => {
    isClosed = true
    clearTimeout(tooLong)
    open?.elements.getElement('payment')?.destroy()
    open = null
  }
  getStripe(language)
    .then((stripe) => {
      if (isClosed) return
      const mount = (session: string | null) => {
        const elements = stripe.elements({
          clientSecret,
          ...(session && { customerSessionClientSecret: session }),
          locale: language,
          appearance: buildAppearance(look),
        })
        open = { stripe, elements }
        const payment = elements.create('payment')
        payment.on('ready', () => {
          clearTimeout(tooLong)
          onState('ready')
        })
        payment.on('loaderror', () => {
          if (isClosed) return
          if (session === null) return onState('failed')
          // The secret works once and for half an hour.
          payment.destroy()
          mount(null)
        })
        payment.mount(element)
      }
      try {
        mount(customerSession)
      } catch (error) {
        // Stripe.js throws synchronously for a malformed customer session secret; retry without it.
        if (customerSession === null) throw error
        mount(null)
      }
    })
    .catch(() => onState('failed'))
  return close
}

export async function updateCardForm({
  language,
  look,
}: {
  language: Language
  look: CardFormLook
}): Promise<void> {
  await open?.elements.update({ locale: language, appearance: buildAppearance(look) })
}

/**
 * The page is only left if the bank requires it. Specification, section 7. @throws `network` when the outcome
 * is unknown.
 */
export async function confirmCard(clientSecret: string): Promise<CardConfirmation> {
  if (!open) throw new ServiceError({ kind: 'network' })
  const { error, paymentIntent } = await open.stripe.confirmPayment({
    elements: open.elements,
    clientSecret,
    confirmParams: { return_url: `${location.origin}/payment-complete` },
    redirect: 'if_required',
  })
  return error ? toCardConfirmation(error) : { kind: 'answered', status: paymentIntent.status }
}

function toCardConfirmation(error: StripeError): CardConfirmation {
  const status = error.payment_intent?.status
  // The payment has already succeeded, or another tab is making it, so the card was not refused.
  if (status === 'succeeded' || status === 'processing') return { kind: 'answered', status }
  if (error.type === 'validation_error') return { kind: 'cardInvalid' }
  if (error.type === 'card_error' || status === 'requires_payment_method')
    return { kind: 'declined', reason: error.decline_code ?? error.code ?? '', message: error.message ?? '' }
  throw new ServiceError({ kind: 'network' }, { cause: error })
}

/** In milliseconds. */
const OPEN_TIMEOUT = 20_000

let loading: Promise<Stripe> | null = null

async function getStripe(language: Language): Promise<Stripe> {
  if (isScriptHung) fetchHungScript()
  loading ??= loadStripeClient(language).catch((error) => {
    loading = null
    throw error
  })
  return loading
}

async function loadStripeClient(language: Language): Promise<Stripe> {
  // `loadStripe` uses a script that is already in the page.
  if (import.meta.env.VITE_STRIPE_API_BASE && settings.stripeBase)
    await loadScript(`${settings.stripeBase}/sandbox/stripe/stripe.js`)
  const stripe = await loadStripe(settings.stripePublishableKey, { locale: language })
  if (!stripe) throw new ServiceError({ kind: 'network' })
  return stripe
}

/**
 * A script that the network lost neither loads nor fails, and each retry would wait for it. So the script is
 * fetched under another URL, and the first element gets its `load` or `error` event.
 */
function fetchHungScript() {
  isScriptHung = false
  const hung = document.querySelector<HTMLScriptElement>(PROVIDERS_SCRIPT)
  if (!hung) return
  const script = document.createElement('script')
  scriptTries += 1
  script.src = `${hung.src}?try=${scriptTries}`
  script.dataset.anew = ''
  for (const type of ['load', 'error'])
    script.addEventListener(type, () => hung.dispatchEvent(new Event(type)))
  document.head.append(script)
}

const PROVIDERS_SCRIPT = 'script[src*="/stripe.js"]:not([data-anew])'
let isScriptHung = false
let scriptTries = 0

const buildAppearance = (look: CardFormLook) => ({
  theme: look.night ? ('night' as const) : ('stripe' as const),
  variables: {
    colorPrimary: look.primary,
    colorBackground: look.background,
    colorText: look.text,
    colorDanger: look.danger,
    borderRadius: look.radius,
    fontFamily: look.font,
    fontSizeBase: '16px',
    spacingUnit: '4px',
  },
  labels: 'floating' as const,
  rules: { '.Input': { border: `1.5px solid ${look.line}`, boxShadow: 'none' } },
})
