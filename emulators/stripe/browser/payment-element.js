// The card form in the Payment Element's frame. Card details leave the frame only in calls of the API.
const parentOrigin = new URLSearchParams(location.search).get('parent')
const form = document.getElementById('form')
const content = document.getElementById('content')
const brandLabel = document.getElementById('brand')
const methods = document.getElementById('methods')
const cardList = document.getElementById('cards')
const newChoice = document.getElementById('new')
const saveChoice = document.getElementById('save-choice')
const saveBox = document.getElementById('save')
const inputs = {
  number: document.getElementById('number'),
  expiry: document.getElementById('expiry'),
  cvc: document.getElementById('cvc'),
}

const TEXTS = {
  en: {
    title: 'Secure payment input frame',
    labels: { number: 'Card number', expiry: 'Expiration date', cvc: 'Security code' },
    expiryHint: 'MM / YY',
    saved: 'Saved',
    newCard: 'New payment method',
    save: 'Save payment details for future purchases',
    expires: 'Expires',
    remove: 'Remove',
    removeCard: 'Remove card',
    removeQuestion: 'Remove this card?',
    keep: 'Keep',
    connection: 'We could not reach the payment service. Check your connection and try again.',
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
    labels: { number: 'Numéro de carte', expiry: 'Date d’expiration', cvc: 'Code de sécurité' },
    expiryHint: 'MM / AA',
    saved: 'Enregistrées',
    newCard: 'Nouveau moyen de paiement',
    save: 'Enregistrer les informations de paiement pour de futurs achats',
    expires: 'Expire',
    remove: 'Retirer',
    removeCard: 'Retirer la carte',
    removeQuestion: 'Retirer cette carte ?',
    keep: 'Garder',
    connection: 'Le service de paiement est injoignable. Vérifiez votre connexion et réessayez.',
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
  { name: 'Visa', pattern: /^4/ },
  { name: 'Mastercard', pattern: /^(5[1-5]|2[2-7])/ },
  { name: 'Amex', pattern: /^3[47]/, groups: [4, 6, 5], cvc: 4 },
]

let settings = { language: 'en' }
let isConfirming = false
/** Owner of the saved cards; null without a customer session. */
let customer = null
let needsCode = false
/** Empty for a new card. */
let chosen = ''
let codeInput = null
/** ID of the card whose removal awaits confirmation. */
let asked = ''

const tell = (kind, data = {}) => parent.postMessage({ kind, ...data }, parentOrigin)

const FROM_PAGE = {
  init,
  update(changes) {
    settings = { ...settings, ...changes }
    applySettings()
    return {}
  },
  confirm,
  fieldError: ({ field, message }) => showError(field, message),
}

addEventListener('message', async ({ origin, source, data }) => {
  if (origin !== parentOrigin || source !== parent || !Object.hasOwn(FROM_PAGE, data.kind)) return
  const { kind, call, ...rest } = data
  const result = await FROM_PAGE[kind](rest)
  if (call !== undefined) tell('answer', { call, result })
})

async function init(initial) {
  settings = initial
  applySettings()
  const error = await loadProblem()
  if (error) return tell('loaderror', { error })
  chosen = customer?.payment_methods[0]?.id ?? ''
  showMethods()
  content.hidden = false
  tell('ready')
}

/** Returns an error if the intent is not open or not visible to this key. */
async function loadProblem() {
  const [{ error, paymentIntent }, opened] = await Promise.all([
    api('GET', settings.clientSecret, {}),
    settings.customerSessionClientSecret ? openSession() : null,
  ])
  if (error ?? opened?.error) return error ?? opened.error
  customer = opened?.customer ?? null
  needsCode = paymentIntent.payment_method_options?.card.require_cvc_recollection === true
  if (paymentIntent.status !== 'succeeded' && paymentIntent.status !== 'canceled') return null
  return {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message: 'This PaymentIntent is in a terminal state and cannot be used to initialize Elements.',
    payment_intent: paymentIntent,
  }
}

function applySettings() {
  const { language, appearance } = settings
  const texts = TEXTS[language]
  document.documentElement.lang = language
  document.title = texts.title
  document.documentElement.dataset.theme = appearance.theme === 'night' ? 'night' : 'stripe'
  const { style } = document.documentElement
  style.setProperty('--inputBorder', appearance.rules['.Input'].border)
  for (const [name, value] of Object.entries(appearance.variables)) style.setProperty(`--${name}`, value)
  for (const [field, input] of Object.entries(inputs)) {
    document.querySelector(`label[for=${field}]`).textContent = texts.labels[field]
    input.readOnly = isConfirming
    if (errorCodes.has(field)) showError(field, texts.errors[errorCodes.get(field)], errorCodes.get(field))
  }
  inputs.expiry.placeholder = texts.expiryHint
  document.getElementById('save-label').textContent = texts.save
  document.getElementById('methods-title').textContent = texts.saved
  document.getElementById('new-label').textContent = texts.newCard
  if (!content.hidden) showMethods()
}

const BRAND_NAMES = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' }
const features = () => customer?.customer_session.components.payment_element.features

function showMethods() {
  const texts = TEXTS[settings.language]
  const cards = customer?.payment_methods ?? []
  const typedCode = codeInput?.value ?? ''
  codeInput = null
  saveChoice.hidden = features()?.payment_method_save !== 'enabled'
  methods.hidden = cards.length === 0
  cardList.replaceChildren(...cards.map((method) => cardRow(method, texts, typedCode)))
  newChoice.checked = chosen === ''
  for (const radio of methods.querySelectorAll('input[type=radio]')) radio.disabled = isConfirming
  form.hidden = chosen !== ''
}

function cardRow({ id, card }, texts, typedCode) {
  const row = part('div', 'card')
  const name = `${BRAND_NAMES[card.brand] ?? card.brand} •••• ${card.last4}`
  if (id === asked) {
    const remove = button(texts.remove, () => detach(id))
    row.append(
      part('p', '', `${texts.removeQuestion} ${name}`),
      remove,
      button(texts.keep, () => ask('')),
    )
    return row
  }
  const label = part('label', 'method')
  const radio = Object.assign(document.createElement('input'), {
    type: 'radio',
    name: 'method',
    value: id,
    checked: id === chosen,
  })
  radio.addEventListener('change', () => choose(id))
  const expires = `${texts.expires} ${String(card.exp_month).padStart(2, '0')} / ${String(card.exp_year % 100).padStart(2, '0')}`
  const about = part('span')
  about.append(part('span', '', name), ' ', part('span', 'expiry', expires))
  label.append(radio, about)
  row.append(label)
  if (features().payment_method_remove === 'enabled') {
    const remove = button(texts.remove, () => ask(id))
    remove.setAttribute('aria-label', `${texts.removeCard} ${name}`)
    row.append(remove)
  }
  if (id === chosen && needsCode) row.append(codeField(texts, card.brand, typedCode))
  return row
}

function codeField(texts, brand, typedCode) {
  const field = part('div', 'field code')
  const label = Object.assign(part('label', '', texts.labels.cvc), { htmlFor: 'code' })
  const holder = part('div', 'input')
  const error = Object.assign(part('p', 'error'), { id: 'code-error', ariaLive: 'polite' })
  codeInput = Object.assign(document.createElement('input'), {
    id: 'code',
    type: 'text',
    inputMode: 'numeric',
    autocomplete: 'cc-csc',
    placeholder: 'CVC',
    required: true,
    maxLength: brand === 'amex' ? 4 : 3,
    value: typedCode,
    readOnly: isConfirming,
  })
  codeInput.setAttribute('aria-describedby', error.id)
  codeInput.addEventListener('input', () => {
    codeInput.value = extractDigits(codeInput.value)
    showCodeError('')
  })
  holder.append(codeInput)
  field.append(label, holder, error)
  return field
}

function showCodeError(message) {
  document.getElementById('code-error').textContent = message
  codeInput.setAttribute('aria-invalid', String(message !== ''))
}

const isCodeComplete = () => codeInput === null || codeInput.value.length === codeInput.maxLength

function part(name, className = '', text = '') {
  return Object.assign(document.createElement(name), { className, textContent: text })
}

function button(text, press) {
  const made = Object.assign(part('button', 'quiet', text), { type: 'button', disabled: isConfirming })
  made.addEventListener('click', press)
  return made
}

function choose(id) {
  chosen = id
  if (codeInput) codeInput.value = ''
  showMethods()
  methods.querySelector('input[type=radio]:checked')?.focus()
}
newChoice.addEventListener('change', () => choose(''))

function ask(id) {
  asked = id
  showMethods()
  cardList.querySelector(id ? 'button' : 'input[type=radio]')?.focus()
}

async function detach(id) {
  const { error } = await request(
    'POST',
    `payment_methods/${id}/detach`,
    {},
    customer.customer_session.api_key,
  )
  asked = ''
  if (error) {
    showMethods()
    cardList.append(part('p', 'error', TEXTS[settings.language].connection))
    return
  }
  const left = customer.payment_methods.filter((method) => method.id !== id)
  customer = { ...customer, payment_methods: left }
  choose(chosen === id ? (left[0]?.id ?? '') : chosen)
}

/** Stripe accepts the secret only once. */
function openSession() {
  return request('GET', 'elements/sessions', {
    client_secret: settings.clientSecret,
    customer_session_client_secret: settings.customerSessionClientSecret,
  })
}

inputs.number.addEventListener('input', () => {
  const digits = extractDigits(inputs.number.value)
  const { name, groups, length, cvc } = findBrand(digits)
  const kept = digits.slice(0, length)
  inputs.number.value = inGroups(kept, groups)
  brandLabel.textContent = name
  if (inputs.cvc.value.length > cvc) inputs.cvc.value = inputs.cvc.value.slice(0, cvc)
  typed('number', kept.length === length)
})

inputs.expiry.addEventListener('input', ({ inputType = '' }) => {
  const isDeleting = inputType.startsWith('delete')
  const [month, year] = expiryParts(inputs.expiry.value)
  inputs.expiry.value = year || (month.length === 2 && !isDeleting) ? `${month} / ${year}` : month
  typed('expiry', month.length === 2 && year.length === 2)
})

inputs.cvc.addEventListener('input', () => {
  inputs.cvc.value = extractDigits(inputs.cvc.value).slice(0, cvcLength())
  typed('cvc', inputs.cvc.value.length === cvcLength())
})

function expiryParts(text) {
  const digits = extractDigits(text).replace(/^[2-9]/, '0$&')
  return [digits.slice(0, 2), digits.slice(2, 4)]
}

for (const [field, input] of Object.entries(inputs)) {
  input.addEventListener('blur', () => {
    if (input.value) showCode(field, findErrorCode(field))
  })
}

/** Shows an error only once the field is full. */
function typed(field, isFull) {
  const code = findErrorCode(field)
  if (isFull || code === null) showCode(field, code)
  else showError(field, '')
}

function findErrorCode(field) {
  if (field === 'number') {
    const digits = extractDigits(inputs.number.value)
    if (digits.length < findBrand(digits).length) return 'incomplete_number'
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

/** Focuses the first error, and returns it in Stripe.js's format. */
function validateAll() {
  if (chosen) return validateCode()
  const wrong = Object.keys(inputs).filter((field) => findErrorCode(field) !== null)
  for (const field of Object.keys(inputs)) showCode(field, findErrorCode(field))
  const [first] = wrong
  if (!first) return null
  inputs[first].focus()
  const code = findErrorCode(first)
  return { type: 'validation_error', code, message: TEXTS[settings.language].errors[code] }
}

function validateCode() {
  if (isCodeComplete()) return null
  const code = 'incomplete_cvc'
  const message = TEXTS[settings.language].errors[code]
  showCodeError(message)
  codeInput.focus()
  return { type: 'validation_error', code, message }
}

/** Codes follow a change of language. */
const errorCodes = new Map()

function showCode(field, code) {
  showError(field, code ? TEXTS[settings.language].errors[code] : '', code)
}

function showError(field, message, code = null) {
  if (chosen && field === 'cvc' && codeInput) return showCodeError(message)
  const holder = document.getElementById(`${field}-error`)
  if (holder.textContent !== message) holder.textContent = message
  inputs[field].setAttribute('aria-invalid', String(message !== ''))
  if (code) errorCodes.set(field, code)
  else errorCodes.delete(field)
}

async function confirm({ clientSecret, confirmParams }) {
  const error = validateAll()
  if (error) return { error }
  setConfirming(true)
  const { error: problem, ...method } = chosen ? await savedMethod() : newMethod(confirmParams)
  const result = problem
    ? { error: problem }
    : await api('POST', clientSecret, {
        ...confirmParams,
        use_stripe_sdk: true,
        expected_payment_method_type: 'card',
        ...method,
      })
  setConfirming(false)
  return result
}

/** The card is saved if the user ticked the box. */
function newMethod({ payment_method_data: data }) {
  const [month, year] = expiryParts(inputs.expiry.value)
  const isKept = !saveChoice.hidden && saveBox.checked
  return {
    ...(isKept && { setup_future_usage: features().payment_method_save_usage }),
    payment_method_data: {
      ...data,
      type: 'card',
      ...(isKept && { allow_redisplay: 'always' }),
      card: {
        number: extractDigits(inputs.number.value),
        exp_month: Number(month),
        exp_year: Number(year),
        cvc: inputs.cvc.value,
      },
    },
  }
}

async function savedMethod() {
  if (!codeInput) return { payment_method: chosen }
  const { error, id } = await request('POST', 'tokens', { cvc_update: { cvc: codeInput.value } })
  return { error, payment_method: chosen, payment_method_options: { card: { cvc_token: id } } }
}

function setConfirming(value) {
  isConfirming = value
  for (const input of Object.values(inputs)) input.readOnly = isConfirming
  saveBox.disabled = isConfirming
  showMethods()
}

/** `keepalive` finishes a payment even if the page is closed. */
async function api(method, clientSecret, params) {
  const path = `payment_intents/${clientSecret.split('_secret_')[0]}${method === 'POST' ? '/confirm' : ''}`
  const body = await request(method, path, { client_secret: clientSecret, ...params })
  return body.error ? { error: body.error } : { paymentIntent: body }
}

/** A network failure is an `error` of type `api_connection_error`. */
async function request(method, path, params, key = settings.publishableKey) {
  const encoded = encodeForm(params)
  try {
    const response = await fetch(method === 'GET' ? `/v1/${path}?${encoded}` : `/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(method === 'POST' && { body: encoded, keepalive: true }),
    })
    return await response.json()
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

function extractDigits(text) {
  return text.replace(/\D/g, '')
}

function findBrand(digits) {
  const brand = BRANDS.find(({ pattern }) => pattern.test(digits))
  const { name = '', groups = [4, 4, 4, 4], cvc = 3 } = brand ?? {}
  return { name, groups, cvc, length: groups.reduce((sum, length) => sum + length, 0) }
}

const cvcLength = () => findBrand(extractDigits(inputs.number.value)).cvc

function inGroups(digits, groups) {
  let rest = digits
  const parts = groups.map((length) => {
    const part = rest.slice(0, length)
    rest = rest.slice(length)
    return part
  })
  return parts.filter((part) => part !== '').join(' ')
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
