import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import type { Language } from '../../domain/language.ts'
import { ServiceError } from '../browser/failure.ts'
import { settings } from './settings.ts'

/** What the card form is painted with; plain colours, because the form lives in the provider's own page. */
export interface CardFormLook {
  readonly night: boolean
  readonly primary: string
  readonly background: string
  readonly text: string
  readonly danger: string
  readonly radius: string
  readonly font: string
}

export type CardFormState = 'loading' | 'ready' | 'failed'

/** The answer of the card payment, before anybody trusts it: the functions ask the provider again. */
export type CardAnswer =
  | { kind: 'answered'; status: string }
  | { kind: 'cardInvalid' }
  | { kind: 'declined'; reason: string; message: string }

// The provider's form is a live object that no snapshot can hold, so it stays here; one at a time.
let open: { stripe: Stripe; elements: StripeElements } | null = null

/**
 * Puts the provider's card form into the element; the card number never enters this page.
 * Returns how to take it away again.
 */
export function openCardForm(
  element: HTMLElement,
  {
    clientSecret,
    customerSession,
    language,
    look,
  }: {
    clientSecret: string
    /** Opens the person's saved cards; null where there are none to be had. */
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
  }, PATIENCE)
  const close = () => {
    isClosed = true
    clearTimeout(tooLong)
    open?.elements.getElement('payment')?.destroy()
    open = null
  }
  stripeFor(language)
    .then((stripe) => {
      if (isClosed) return
      const mount = (session: string | null) => {
        const elements = stripe.elements({
          clientSecret,
          ...(session && { customerSessionClientSecret: session }),
          locale: language,
          appearance: appearanceOf(look),
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
          // Its secret is good once, and for half an hour: who has none pays with a card that they type.
          payment.destroy()
          mount(null)
        })
        payment.mount(element)
      }
      try {
        mount(customerSession)
      } catch (error) {
        // Of what it takes for no secret the provider's script does not even begin to ask.
        if (customerSession === null) throw error
        mount(null)
      }
    })
    .catch(() => onState('failed'))
  return close
}

/** Gives the open form another language or colour scheme. What is typed stays. */
export async function updateCardForm({
  language,
  look,
}: {
  language: Language
  look: CardFormLook
}): Promise<void> {
  await open?.elements.update({ locale: language, appearance: appearanceOf(look) })
}

/**
 * Confirms the payment with the card in the open form, without leaving the page unless the bank requires it.
 * Specification, section 7. Fails with `network` when the outcome is unknown.
 */
export async function confirmCard(clientSecret: string): Promise<CardAnswer> {
  if (!open) throw new ServiceError({ kind: 'network' })
  const { error, paymentIntent } = await open.stripe.confirmPayment({
    elements: open.elements,
    clientSecret,
    confirmParams: { return_url: `${location.origin}/payment-complete` },
    redirect: 'if_required',
  })
  return error ? answerOf(error) : { kind: 'answered', status: paymentIntent.status }
}

function answerOf(error: StripeError): CardAnswer {
  const status = error.payment_intent?.status
  // The payment is made already, or under way from another tab. That is an answer, not a refusal.
  if (status === 'succeeded' || status === 'processing') return { kind: 'answered', status }
  if (error.type === 'validation_error') return { kind: 'cardInvalid' }
  if (error.type === 'card_error' || status === 'requires_payment_method')
    return { kind: 'declined', reason: error.decline_code ?? error.code ?? '', message: error.message ?? '' }
  throw new ServiceError({ kind: 'network' }, { cause: error })
}

/** How long the form may take to open, in milliseconds, before it is offered again. */
const PATIENCE = 20_000

let loading: Promise<Stripe> | null = null

async function stripeFor(language: Language): Promise<Stripe> {
  if (isScriptHung) fetchHungScript()
  loading ??= load(language).catch((error) => {
    loading = null
    throw error
  })
  return loading
}

async function load(language: Language): Promise<Stripe> {
  // A script that is there already is the one that `loadStripe` uses.
  if (import.meta.env.VITE_STRIPE_API_BASE && settings.stripeBase)
    await addScript(`${settings.stripeBase}/sandbox/stripe/stripe.js`)
  const stripe = await loadStripe(settings.stripePublishableKey, { locale: language })
  if (!stripe) throw new ServiceError({ kind: 'network' })
  return stripe
}

/**
 * A script that the network has lost neither loads nor fails. Each further try would wait for it too, in the library and in the
 * browser. So the script is fetched once more under another address, and whoever waits for the first one is told how that ended.
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

function addScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new ServiceError({ kind: 'network' }))
    }
    document.head.append(script)
  })
}

const appearanceOf = (look: CardFormLook) => ({
  theme: look.night ? ('night' as const) : ('stripe' as const),
  variables: {
    colorPrimary: look.primary,
    colorBackground: look.background,
    colorText: look.text,
    colorDanger: look.danger,
    borderRadius: look.radius,
    fontFamily: look.font,
    fontSizeBase: '16px',
  },
})
