// The bank's page of a 3-D Secure challenge, in a frame over the app or after a redirect.
const query = new URLSearchParams(location.search)
const source = query.get('source')
const parentOrigin = query.get('parent')
const language = /^fr\b/i.test(query.get('locale') ?? navigator.language) ? 'fr' : 'en'
const address = `/sandbox/stripe/3ds/${encodeURIComponent(source)}`

const TEXTS = {
  en: {
    bank: 'Test bank',
    title: 'Authenticate your payment',
    about: 'Your bank would ask you here to confirm that it is you. In this sandbox, you choose the answer.',
    amount: 'Amount',
    card: 'Card',
    complete: 'Complete authentication',
    fail: 'Fail authentication',
    gone: 'This payment no longer waits for an authentication.',
    connection: 'The bank could not be reached. Try again.',
    done: 'You can close this page.',
  },
  fr: {
    bank: 'Banque de test',
    title: 'Authentifiez votre paiement',
    about:
      'Votre banque vous demanderait ici de confirmer que c’est bien vous. Dans ce bac à sable, vous choisissez la réponse.',
    amount: 'Montant',
    card: 'Carte',
    complete: 'Terminer l’authentification',
    fail: 'Refuser',
    gone: 'Ce paiement n’attend plus d’authentification.',
    connection: 'La banque est injoignable. Réessayez.',
    done: 'Vous pouvez fermer cette page.',
  },
}

const texts = TEXTS[language]
const part = (id) => document.getElementById(id)
const isFramed = parentOrigin !== null && parent !== window
const tell = (kind, data = {}) => {
  if (isFramed) parent.postMessage({ kind, ...data }, parentOrigin)
}

document.documentElement.lang = language
for (const id of ['bank', 'title', 'about', 'complete', 'fail']) part(id).textContent = texts[id]
part('amount-label').textContent = texts.amount
part('card-label').textContent = texts.card
part('complete').addEventListener('click', () => answer('complete'))
part('fail').addEventListener('click', () => answer('fail'))
show()

async function show() {
  const challenge = await call('GET')
  if (!challenge) return
  if (!challenge.pending) {
    part('about').textContent = texts.gone
    tell('answered')
    return
  }
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: challenge.currency })
  const { maximumFractionDigits } = format.resolvedOptions()
  part('amount').textContent = format.format(challenge.amount / 10 ** maximumFractionDigits)
  part('card').textContent = `•••• ${challenge.last4}`
  part('details').hidden = false
  part('actions').hidden = false
  tell('loaded')
  part('title').focus()
}

async function answer(choice) {
  setBusy(true)
  const result = await call('POST', choice)
  setBusy(false)
  if (!result) return
  if (isFramed) tell('answered')
  else if (result.returnUrl) location.replace(result.returnUrl)
  else {
    part('actions').hidden = true
    part('about').textContent = texts.done
  }
}

function setBusy(isBusy) {
  for (const id of ['complete', 'fail']) part(id).disabled = isBusy
}

/** Null after showing an error. */
async function call(method, body) {
  part('problem').textContent = ''
  try {
    const response = await fetch(address, { method, ...(body && { body }) })
    if (response.ok) return await response.json()
    part('problem').textContent = texts.gone
    tell('answered')
  } catch {
    part('problem').textContent = texts.connection
  }
  return null
}

const main = document.querySelector('.page')
new ResizeObserver(() => tell('height', { height: main.offsetHeight })).observe(main)
