// Replaces https://www.google.com/recaptcha/api.js: defines window.grecaptcha with the invisible widget.
;(() => {
  const { origin } = new URL(document.currentScript.src)
  const VALID_MS = 120_000
  const widgets = []
  const used = new WeakSet()

  function render(container, parameters = {}) {
    const element = typeof container === 'string' ? document.getElementById(container) : container
    if (!element) throw new Error('reCAPTCHA placeholder element must be an element or id')
    if (!parameters.sitekey) throw new Error('Missing required parameters: sitekey')
    if (parameters.size !== 'invisible') throw new Error('The sandbox has only the invisible reCAPTCHA')
    if (used.has(element)) throw new Error('reCAPTCHA has already been rendered in this element')
    used.add(element)
    return widgets.push({ parameters, response: '', run: null, expiry: null }) - 1
  }

  function widget(id = 0) {
    if (!widgets[id]) throw new Error(`Invalid reCAPTCHA client id: ${id}`)
    return widgets[id]
  }

  function notify({ parameters }, name, ...values) {
    const callback = parameters[name]
    ;(typeof callback === 'string' ? window[callback] : callback)?.(...values)
  }

  async function requestToken() {
    const response = await fetch(`${origin}/sandbox/recaptcha/token`, { method: 'POST' })
    if (!response.ok) throw new Error(`The token was refused: ${response.status}`)
    return response.json()
  }

  async function execute(id) {
    const current = widget(id)
    // A reset discards the result of a run in progress.
    const run = {}
    current.run = run
    const answer = await requestToken().catch(() => null)
    if (current.run !== run) return
    if (!answer) notify(current, 'error-callback')
    else if (answer.expired) notify(current, 'expired-callback')
    else {
      current.response = answer.token
      clearTimeout(current.expiry)
      current.expiry = setTimeout(() => {
        current.response = ''
        notify(current, 'expired-callback')
      }, VALID_MS)
      notify(current, 'callback', answer.token)
    }
  }

  function reset(id) {
    const current = widget(id)
    clearTimeout(current.expiry)
    current.run = null
    current.response = ''
  }

  window.grecaptcha = {
    ready: (callback) => callback(),
    render,
    execute,
    reset,
    getResponse: (id) => widget(id).response,
  }
})()
