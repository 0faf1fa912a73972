// The card form inside the Payment Element's frame. Card details leave it only for the API.
const parentOrigin = new URLSearchParams(location.search).get('parent')
const form = document.getElementById('form')
const content = document.getElementById('content')
const expandButton = document.getElementById('expand')
const brandLabel = document.getElementById('brand')
const inputs = {
  number: document.getElementById('number'),
  expiry: document.getElementById('expiry'),
  cvc: document.getElementById('cvc'),
}

const TEXTS = {
  en: {
    title: 'Secure payment input frame',
    card: 'Card',
    labels: { number: 'Card number', expiry: 'Expiration date', cvc: 'Security code' },
    expiryHint: 'MM / YY',
    errors: {
      incomplete_number: 'Your card number is incomplete.',
      invalid_number: 'Your card number is invalid.',
      incomplete_expiry: "Your card's expiration date is incomplete.",
      invalid_expiry_month: "Your card's expiration month is invalid.",
      invalid_expiry_year_past: "Your card's expiration date is in the past.",
      invalid_expiry_year: "Your card's expiration year is invalid.",
      incomplete_cvc: "Your card's security code is incomplete.",
    },
  },
  fr: {
    title: 'Cadre sécurisé de saisie du paiement',
    card: 'Carte',
    labels: { number: 'Numéro de carte', expiry: 'Date d’expiration', cvc: 'Code de sécurité' },
    expiryHint: 'MM / AA',
    errors: {
      incomplete_number: 'Le numéro de votre carte est incomplet.',
      invalid_number: 'Le numéro de votre carte n’est pas valide.',
      incomplete_expiry: 'La date d’expiration de votre carte est incomplète.',
      invalid_expiry_month: 'Le mois d’expiration de votre carte n’est pas valide.',
      invalid_expiry_year_past: 'La date d’expiration de votre carte est dépassée.',
      invalid_expiry_year: 'L’année d’expiration de votre carte n’est pas valide.',
      incomplete_cvc: 'Le code de sécurité de votre carte est incomplet.',
    },
  },
}

const BRANDS = [
  { name: 'Visa', pattern: /^4/, groups: [4, 4, 4, 4], lengths: [16] },
  { name: 'Mastercard', pattern: /^(5[1-5]|2[2-7])/, groups: [4, 4, 4, 4], lengths: [16] },
  { name: 'Amex', pattern: /^3[47]/, groups: [4, 6, 5], lengths: [15], cvc: 4 },
  { name: 'Discover', pattern: /^6(011|4[4-9]|5)/, groups: [4, 4, 4, 4], lengths: [16] },
  { name: 'Diners', pattern: /^3(0|[689])/, groups: [4, 6, 4], lengths: [14] },
  { name: 'JCB', pattern: /^35/, groups: [4, 4, 4, 4], lengths: [16] },
  { name: 'UnionPay', pattern: /^62/, groups: [4, 4, 4, 4, 3], lengths: [16, 17, 18, 19] },
]
const UNKNOWN_BRAND = { name: '', groups: [4, 4, 4, 4], lengths: [16] }

let settings = { language: 'en' }
let isCollapsed = false
let isConfirming = false

const tell = (kind, data = {}) => parent.postMessage({ kind, ...data }, parentOrigin)

const FROM_PAGE = {
  init,
  update(changes) {
    settings = { ...settings, ...changes }
    applySettings()
    return {}
  },
  validate: () => ({ error: validateAll() }),
  confirm,
  fieldError: ({ field, message }) => showError(field, message),
  collapse() {
    isCollapsed = true
    showCollapsed()
  },
  focus: () => inputs.number.focus(),
  blur: () => document.activeElement?.blur(),
  clear() {
    for (const [field, input] of Object.entries(inputs)) {
      input.value = ''
      showError(field, '')
    }
    brandLabel.textContent = ''
    tellChange()
  },
}

addEventListener('message', async ({ origin, source, data }) => {
  if (origin !== parentOrigin || source !== parent || !Object.hasOwn(FROM_PAGE, data.kind)) return
  const { kind, call, ...rest } = data
  const result = await FROM_PAGE[kind](rest)
  if (call !== undefined) tell('answer', { call, result })
})

async function init(initial) {
  settings = initial
  isCollapsed = initial.collapsed
  applySettings()
  const error = settings.clientSecret ? await loadProblem() : null
  if (error) return tell('loaderror', { error })
  content.hidden = false
  tell('ready')
}

/** An intent that is done, or that this key may not see, has no form to show. */
async function loadProblem() {
  const { error, paymentIntent } = await api('GET', settings.clientSecret, {})
  if (error) return error
  if (paymentIntent.status !== 'succeeded' && paymentIntent.status !== 'canceled') return null
  return {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message: 'This PaymentIntent is in a terminal state and cannot be used to initialize Elements.',
    payment_intent: paymentIntent,
  }
}

function applySettings() {
  const { language, appearance = {}, readOnly } = settings
  const texts = TEXTS[language]
  document.documentElement.lang = language
  document.title = texts.title
  document.documentElement.dataset.theme = appearance.theme === 'night' ? 'night' : 'stripe'
  const { style } = document.documentElement
  for (const name of [
    'colorPrimary',
    'colorBackground',
    'colorText',
    'colorDanger',
    'borderRadius',
    'fontFamily',
    'fontSizeBase',
  ]) {
    const value = appearance.variables?.[name]
    if (value === undefined) style.removeProperty(`--${name}`)
    else style.setProperty(`--${name}`, value)
  }
  for (const [field, input] of Object.entries(inputs)) {
    document.querySelector(`label[for=${field}]`).textContent = texts.labels[field]
    input.readOnly = readOnly || isConfirming
    if (errorCodes.has(field)) showError(field, texts.errors[errorCodes.get(field)], errorCodes.get(field))
  }
  inputs.expiry.placeholder = texts.expiryHint
  expandButton.textContent = texts.card
  showCollapsed()
}

function showCollapsed() {
  form.hidden = isCollapsed
  expandButton.hidden = !isCollapsed
}

expandButton.addEventListener('click', () => {
  isCollapsed = false
  showCollapsed()
  inputs.number.focus()
  tellChange()
})

// Typing

inputs.number.addEventListener('input', () => {
  const { value, selectionStart } = inputs.number
  const digits = digitsOf(value)
  const brand = brandOf(digits)
  const kept = digits.slice(0, Math.max(...brand.lengths))
  const grouped = inGroups(kept, brand.groups)
  const digitsBefore = digitsOf(value.slice(0, selectionStart)).length
  inputs.number.value = grouped
  const caret = selectionStart === value.length ? grouped.length : positionAfter(grouped, digitsBefore)
  inputs.number.setSelectionRange(caret, caret)
  brandLabel.textContent = brand.name
  const cvc = inputs.cvc.value.slice(0, brand.cvc ?? 3)
  if (cvc !== inputs.cvc.value) inputs.cvc.value = cvc
  typed('number', brand.lengths.includes(kept.length))
})

inputs.expiry.addEventListener('input', ({ inputType = '' }) => {
  const isDeleting = inputType.startsWith('delete')
  const [month, year] = expiryParts(inputs.expiry.value)
  inputs.expiry.value = year || (month.length === 2 && !isDeleting) ? `${month} / ${year}` : month
  typed('expiry', month.length === 2 && year.length === 2)
})

inputs.cvc.addEventListener('input', () => {
  inputs.cvc.value = digitsOf(inputs.cvc.value).slice(0, cvcLength())
  typed('cvc', inputs.cvc.value.length === cvcLength())
})

/** Month and year digits of what was typed, pasted or filled in: '430', '04/30', '4/2030', '1230'. */
function expiryParts(text) {
  const [before, after] = text.split('/')
  if (after !== undefined && digitsOf(before).length === 1 && digitsOf(after))
    return [digitsOf(before).padStart(2, '0'), shortYear(digitsOf(after))]
  const digits = digitsOf(text)
  const isOneDigitMonth = /^[2-9]/.test(digits) || Number(digits.slice(0, 2)) > 12
  const padded = isOneDigitMonth ? `0${digits}` : digits
  return [padded.slice(0, 2), shortYear(padded.slice(2))]
}

/** The year's last two digits; '20' before a third digit is the beginning of a year in full. */
const shortYear = (digits) => (/^20\d/.test(digits) ? digits.slice(2, 4) : digits.slice(0, 2))

for (const [field, input] of Object.entries(inputs)) {
  input.addEventListener('blur', () => {
    if (input.value) showCode(field, codeOf(field))
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') tell('escape')
    if (event.key === 'Enter') {
      event.preventDefault()
      tell('enter')
    }
  })
}

let hasFocus = false
document.addEventListener('focusin', () => {
  if (!hasFocus) tell('focus')
  hasFocus = true
})
document.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget) return
  hasFocus = false
  tell('blur')
})

/** An error appears at once in a full field, and goes as soon as it no longer holds. */
function typed(field, isFull) {
  const code = codeOf(field)
  if (isFull || code === null) showCode(field, code)
  else showError(field, '')
  tellChange()
}

function tellChange() {
  tell('change', {
    empty: Object.values(inputs).every(({ value }) => value === ''),
    complete: Object.keys(inputs).every((field) => codeOf(field) === null),
    collapsed: isCollapsed,
  })
}

// Checking

/** The code of what is wrong with a field, or null. */
function codeOf(field) {
  if (field === 'number') {
    const digits = digitsOf(inputs.number.value)
    if (digits.length < Math.min(...brandOf(digits).lengths)) return 'incomplete_number'
    return passesLuhn(digits) ? null : 'invalid_number'
  }
  if (field === 'cvc') return inputs.cvc.value.length < cvcLength() ? 'incomplete_cvc' : null
  const [month, year] = expiryParts(inputs.expiry.value)
  if (month.length < 2 || year.length < 2) return 'incomplete_expiry'
  if (Number(month) < 1 || Number(month) > 12) return 'invalid_expiry_month'
  const now = new Date()
  const monthsLeft = (2000 + Number(year) - now.getFullYear()) * 12 + Number(month) - (now.getMonth() + 1)
  if (monthsLeft < 0) return 'invalid_expiry_year_past'
  return monthsLeft > 50 * 12 ? 'invalid_expiry_year' : null
}

/** Shows every error, moves to the first, and tells it as Stripe.js does; null when there is none. */
function validateAll() {
  if (isCollapsed) {
    isCollapsed = false
    showCollapsed()
  }
  const wrong = Object.keys(inputs).filter((field) => codeOf(field) !== null)
  for (const field of Object.keys(inputs)) showCode(field, codeOf(field))
  const [first] = wrong
  if (!first) return null
  inputs[first].focus()
  const code = codeOf(first)
  return { type: 'validation_error', code, message: TEXTS[settings.language].errors[code] }
}

/** Errors that are known by a code follow a change of language. */
const errorCodes = new Map()

function showCode(field, code) {
  showError(field, code ? TEXTS[settings.language].errors[code] : '', code)
}

function showError(field, message, code = null) {
  const holder = document.getElementById(`${field}-error`)
  if (holder.textContent !== message) holder.textContent = message
  inputs[field].setAttribute('aria-invalid', String(message !== ''))
  if (code) errorCodes.set(field, code)
  else errorCodes.delete(field)
}

// Paying

async function confirm({ clientSecret, confirmParams, useStripeSdk }) {
  const error = validateAll()
  if (error) return { error }
  setConfirming(true)
  const [month, year] = expiryParts(inputs.expiry.value)
  const result = await api('POST', clientSecret, {
    ...confirmParams,
    use_stripe_sdk: useStripeSdk,
    expected_payment_method_type: 'card',
    payment_method_data: {
      ...confirmParams.payment_method_data,
      type: 'card',
      card: {
        number: digitsOf(inputs.number.value),
        exp_month: Number(month),
        exp_year: Number(year),
        cvc: inputs.cvc.value,
      },
    },
  })
  setConfirming(false)
  return result
}

function setConfirming(value) {
  isConfirming = value
  for (const input of Object.values(inputs)) input.readOnly = isConfirming || settings.readOnly
}

/** Reads (GET) or confirms (POST) the intent. `keepalive`: a payment is finished even if the page goes away. */
async function api(method, clientSecret, params) {
  const id = clientSecret.split('_secret_')[0]
  const encoded = encodeForm({ client_secret: clientSecret, ...params })
  const path = `/v1/payment_intents/${id}`
  try {
    const response = await fetch(method === 'GET' ? `${path}?${encoded}` : `${path}/confirm`, {
      method,
      headers: { authorization: `Bearer ${settings.publishableKey}` },
      ...(method === 'POST' && { body: encoded, keepalive: true }),
    })
    const body = await response.json()
    return body.error ? { error: body.error } : { paymentIntent: body }
  } catch {
    return { error: { type: 'api_connection_error' } }
  }
}

function encodeForm(params) {
  const encoded = new URLSearchParams()
  const add = (name, value) => {
    if (value === null || value === undefined) return
    if (typeof value !== 'object') encoded.append(name, String(value))
    else for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner)
  }
  for (const [name, value] of Object.entries(params)) add(name, value)
  return encoded
}

// Numbers

function digitsOf(text) {
  return text.replace(/\D/g, '')
}

function brandOf(digits) {
  return BRANDS.find(({ pattern }) => pattern.test(digits)) ?? UNKNOWN_BRAND
}

function cvcLength() {
  return brandOf(digitsOf(inputs.number.value)).cvc ?? 3
}

function inGroups(digits, groups) {
  let rest = digits
  const parts = groups.map((length) => {
    const part = rest.slice(0, length)
    rest = rest.slice(length)
    return part
  })
  return parts.filter((part) => part !== '').join(' ')
}

function positionAfter(text, digits) {
  let seen = 0
  for (let index = 0; index < text.length; index += 1) {
    if (seen === digits) return index
    if (/\d/.test(text[index])) seen += 1
  }
  return text.length
}

function passesLuhn(digits) {
  const sum = [...digits]
    .reverse()
    .map((digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 2))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0)
  return sum % 10 === 0
}

new ResizeObserver(() =>
  tell('height', { height: Math.ceil(document.body.getBoundingClientRect().height) }),
).observe(document.body)
tell('loaded')
