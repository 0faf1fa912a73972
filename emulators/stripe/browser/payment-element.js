// The card form inside the Payment Element's frame. Card details leave it only for the API.
const parentOrigin = new URLSearchParams(location.search).get('parent')
const form = document.getElementById('form')
const content = document.getElementById('content')
const expandButton = document.getElementById('expand')
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
    card: 'Card',
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
    card: 'Carte',
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
/** Whose cards are shown, what may be done with them, and by which key; null without a customer session. */
let customer = null
/** Whether a saved card's security code is asked for again. */
let needsCode = false
/** The id of the saved card that is chosen; empty for a new one. */
let chosen = ''
/** The field for the code of the chosen card, while there is one. */
let codeInput = null
/** The card that is asked about before it goes. */
let asked = ''

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
  focus: () => (codeInput ?? inputs.number).focus(),
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
  chosen = customer?.payment_methods[0]?.id ?? ''
  showMethods()
  content.hidden = false
  tell('ready')
}

/** An intent that is done, or that this key may not see, has no form to show. */
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
  document.getElementById('save-label').textContent = texts.save
  document.getElementById('methods-title').textContent = texts.saved
  document.getElementById('new-label').textContent = texts.newCard
  if (!content.hidden) showMethods()
  showCollapsed()
}

function showCollapsed() {
  form.hidden = isCollapsed || chosen !== ''
  expandButton.hidden = !isCollapsed
}

expandButton.addEventListener('click', () => {
  isCollapsed = false
  showCollapsed()
  inputs.number.focus()
  tellChange()
})

// Saved cards

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
  showCollapsed()
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
    codeInput.value = digitsOf(codeInput.value)
    showCodeError('')
    tellChange()
  })
  codeInput.addEventListener('keydown', onKey)
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
  tellChange()
}
newChoice.addEventListener('change', () => choose(''))

function ask(id) {
  asked = id
  showMethods()
  cardList.querySelector(id ? 'button' : 'input[type=radio]')?.focus()
}

/** Takes a saved card away for good. */
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

/** Whose cards may be shown here; Stripe tells it once. */
function openSession() {
  return request('GET', 'elements/sessions', {
    client_secret: settings.clientSecret,
    customer_session_client_secret: settings.customerSessionClientSecret,
  })
}

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
  input.addEventListener('keydown', onKey)
}

function onKey(event) {
  if (event.key === 'Escape') tell('escape')
  if (event.key === 'Enter') {
    event.preventDefault()
    tell('enter')
  }
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
    complete: chosen ? isCodeComplete() : Object.keys(inputs).every((field) => codeOf(field) === null),
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
  if (chosen) return validateCode()
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

function validateCode() {
  if (isCodeComplete()) return null
  const code = 'incomplete_cvc'
  const message = TEXTS[settings.language].errors[code]
  showCodeError(message)
  codeInput.focus()
  return { type: 'validation_error', code, message }
}

/** Errors that are known by a code follow a change of language. */
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

// Paying

async function confirm({ clientSecret, confirmParams, useStripeSdk }) {
  const error = validateAll()
  if (error) return { error }
  setConfirming(true)
  const { error: problem, ...method } = chosen ? await savedMethod() : newMethod(confirmParams)
  const result = problem
    ? { error: problem }
    : await api('POST', clientSecret, {
        ...confirmParams,
        use_stripe_sdk: useStripeSdk,
        expected_payment_method_type: 'card',
        ...method,
      })
  setConfirming(false)
  return result
}

/** The card that is typed, to be kept if its holder has ticked that. */
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
        number: digitsOf(inputs.number.value),
        exp_month: Number(month),
        exp_year: Number(year),
        cvc: inputs.cvc.value,
      },
    },
  }
}

/** The saved card that is chosen, with a token of its code where that is asked for. */
async function savedMethod() {
  if (!codeInput) return { payment_method: chosen }
  const { error, id } = await request('POST', 'tokens', { cvc_update: { cvc: codeInput.value } })
  return { error, payment_method: chosen, payment_method_options: { card: { cvc_token: id } } }
}

function setConfirming(value) {
  isConfirming = value
  for (const input of Object.values(inputs)) input.readOnly = isConfirming || settings.readOnly
  saveBox.disabled = isConfirming
  showMethods()
}

/** Reads (GET) or confirms (POST) the intent. `keepalive`: a payment is finished even if the page goes away. */
async function api(method, clientSecret, params) {
  const path = `payment_intents/${clientSecret.split('_secret_')[0]}${method === 'POST' ? '/confirm' : ''}`
  const body = await request(method, path, { client_secret: clientSecret, ...params })
  return body.error ? { error: body.error } : { paymentIntent: body }
}

/** What the API answers, or an `error` of its own kind when it can't be reached. */
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
