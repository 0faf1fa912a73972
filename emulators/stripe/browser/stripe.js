// Replaces https://js.stripe.com/…/stripe.js: defines window.Stripe, as `loadStripe` expects.
;(() => {
  const script = new URL(document.currentScript.src)

  // Under the other loopback name, no script of the page can read the card number.
  const otherName = { localhost: '127.0.0.1', '127.0.0.1': 'localhost' }
  const frameOrigin =
    otherName[script.hostname] && otherName[location.hostname]
      ? `${script.protocol}//${otherName[location.hostname]}${script.port && `:${script.port}`}`
      : script.origin

  const ANSWER_WITHIN = 15_000

  const TEXTS = {
    en: {
      frame: 'Secure payment input frame',
      challenge: '3D Secure authentication',
      connection: 'We could not reach the payment service. Check your connection and try again.',
      errors: {
        payment_intent_authentication_failure:
          'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      },
    },
    fr: {
      frame: 'Cadre sécurisé de saisie du paiement',
      challenge: 'Authentification 3D Secure',
      connection: 'Le service de paiement est injoignable. Vérifiez votre connexion et réessayez.',
      errors: {
        payment_intent_authentication_failure:
          'Nous ne parvenons pas à authentifier votre moyen de paiement. Choisissez-en un autre et réessayez.',
        test_mode_live_card:
          'Votre carte a été refusée : c’est une vraie carte, et ce service n’accepte que des cartes de test.',
        insufficient_funds: 'Votre carte ne dispose pas de fonds suffisants.',
        card_declined: 'Votre carte a été refusée.',
        expired_card: 'Votre carte a expiré.',
        incorrect_cvc: 'Le code de sécurité de votre carte est incorrect.',
        invalid_cvc: 'Le code de sécurité de votre carte n’est pas valide.',
        incorrect_number: 'Le numéro de votre carte est incorrect.',
        invalid_expiry_month: 'Le mois d’expiration de votre carte n’est pas valide.',
        invalid_expiry_year: 'L’année d’expiration de votre carte n’est pas valide.',
        processing_error:
          'Une erreur s’est produite pendant le traitement de votre carte. Réessayez dans quelques instants.',
      },
    },
  }

  const FIELD_OF_ERROR = {
    incorrect_number: 'number',
    invalid_expiry_month: 'expiry',
    invalid_expiry_year: 'expiry',
    expired_card: 'expiry',
    invalid_cvc: 'cvc',
    incorrect_cvc: 'cvc',
  }

  const groups = new WeakMap()

  function Stripe(publishableKey, { locale: stripeLocale = 'auto' } = {}) {
    if (typeof publishableKey !== 'string' || !publishableKey.startsWith('pk_'))
      throw integrationError('Please call Stripe() with your publishable key. It begins with pk_.')

    async function retrieve(clientSecret) {
      const [id] = secretParts(clientSecret)
      const query = new URLSearchParams({ client_secret: clientSecret })
      try {
        const response = await fetch(`${script.origin}/v1/payment_intents/${id}?${query}`, {
          headers: { authorization: `Bearer ${publishableKey}` },
        })
        const body = await response.json()
        return body.error ? { error: body.error } : { paymentIntent: body }
      } catch {
        return { error: { type: 'api_connection_error' } }
      }
    }

    async function authenticate(paymentIntent, language) {
      const answered = await showChallenge(paymentIntent.next_action.use_stripe_sdk.source, language)
      if (!answered)
        return {
          error: localised({ type: 'api_connection_error', payment_intent: paymentIntent }, language),
        }
      const result = await retrieve(paymentIntent.client_secret)
      if (result.error) return { error: localised(result.error, language) }
      const { paymentIntent: intent } = result
      if (intent.status !== 'requires_payment_method') return { paymentIntent: intent }
      return { error: localised({ ...intent.last_payment_error, payment_intent: intent }, language) }
    }

    return {
      elements(options = {}) {
        const { clientSecret, customerSessionClientSecret: session } = options
        secretParts(clientSecret)
        if (options.appearance?.labels !== 'floating' || !options.appearance.rules?.['.Input']?.border)
          throw integrationError('The sandbox draws floating labels and a named border of inputs only.')
        if (session !== undefined && !/^cuss_/.test(session))
          throw integrationError('Invalid value for elements(): customerSessionClientSecret.')
        return createElements(publishableKey, { locale: stripeLocale, ...options })
      },

      async confirmPayment({ elements, clientSecret, confirmParams = {}, redirect } = {}) {
        const group = groups.get(elements)
        if (!group?.payment?.isMounted())
          throw integrationError(
            'Invalid value for stripe.confirmPayment(): elements should have a mounted Payment Element.',
          )
        secretParts(clientSecret)
        if (redirect !== 'if_required')
          throw integrationError("The sandbox confirms payments with redirect: 'if_required' only.")

        const language = getLanguage(group.options.locale)
        const { error, paymentIntent } = await group.payment.ask('confirm', {
          clientSecret,
          confirmParams: JSON.parse(JSON.stringify(confirmParams)),
        })
        if (error) {
          const shown = localised(error, language)
          const field = error.type === 'card_error' && FIELD_OF_ERROR[error.code]
          if (field) group.payment.tell('fieldError', { field, message: shown.message })
          return { error: shown }
        }
        return paymentIntent.status === 'requires_action'
          ? authenticate(paymentIntent, language)
          : { paymentIntent }
      },
    }
  }

  function createElements(publishableKey, options) {
    const group = { options, payment: null }
    const elements = {
      create(type) {
        if (type !== 'payment')
          throw integrationError(`The sandbox does not implement the Element '${type}'.`)
        if (group.payment) throw integrationError("Can't create two Elements of type payment.")
        group.payment = createPaymentElement(publishableKey, group)
        return group.payment.element
      },
      getElement(type) {
        return (type === 'payment' && group.payment?.element) || null
      },
      async update(changes) {
        Object.assign(group.options, changes)
        if (group.payment?.isMounted()) await group.payment.refresh()
      },
    }
    groups.set(elements, group)
    return elements
  }

  function createPaymentElement(publishableKey, group) {
    const handlers = new Map()
    const calls = new Map()
    let lastCall = 0
    let frame = null
    let loadTimer = 0

    const settings = () => ({
      publishableKey,
      clientSecret: group.options.clientSecret,
      customerSessionClientSecret: group.options.customerSessionClientSecret,
      language: getLanguage(group.options.locale),
      appearance: JSON.parse(JSON.stringify(group.options.appearance)),
    })

    const tell = (kind, data = {}) => frame?.contentWindow?.postMessage({ kind, ...data }, frameOrigin)

    const ask = (kind, data = {}) =>
      new Promise((resolve) => {
        lastCall += 1
        calls.set(lastCall, resolve)
        tell(kind, { call: lastCall, ...data })
      })

    /** The frame may still do its work. */
    const abandonCalls = () => {
      for (const resolve of calls.values()) resolve({ error: { type: 'api_connection_error' } })
      calls.clear()
    }

    const emit = (type, event = {}) => handlers.get(type)?.({ elementType: 'payment', ...event })

    /** A frame is transparent only while both documents have the same color scheme. */
    const matchColorScheme = () => {
      frame.style.colorScheme = group.options.appearance.theme === 'night' ? 'dark' : 'light'
    }

    const refresh = () => {
      matchColorScheme()
      return ask('update', settings())
    }

    const fail = (error) => {
      clearTimeout(loadTimer)
      abandonCalls()
      emit('loaderror', { error: localised(error, getLanguage(group.options.locale)) })
    }

    const FROM_FRAME = {
      loaded: () => tell('init', settings()),
      ready() {
        clearTimeout(loadTimer)
        emit('ready')
      },
      loaderror: ({ error }) => fail(error),
      height({ height }) {
        frame.style.height = `${height}px`
      },
      answer({ call, result }) {
        calls.get(call)?.(result)
        calls.delete(call)
      },
    }
    const receive = ({ origin, source, data }) => {
      if (origin === frameOrigin && source === frame?.contentWindow) FROM_FRAME[data.kind]?.(data)
    }

    const element = {
      mount(target) {
        const language = getLanguage(group.options.locale)
        frame = document.createElement('iframe')
        frame.title = TEXTS[language].frame
        frame.src = `${frameOrigin}/sandbox/stripe/payment-element?parent=${encodeURIComponent(location.origin)}`
        // The frame is larger than its content by 4 pixels on each side, so that it does not cut off focus
        // rings.
        frame.style =
          'display: block; border: 0; margin: -4px; width: calc(100% + 8px); max-width: none; height: 0; overflow: hidden'
        matchColorScheme()
        addEventListener('message', receive)
        loadTimer = setTimeout(() => fail({ type: 'api_connection_error' }), ANSWER_WITHIN)
        target.replaceChildren(frame)
      },
      destroy() {
        group.payment = null
        if (!frame) return
        clearTimeout(loadTimer)
        removeEventListener('message', receive)
        frame.remove()
        frame = null
        abandonCalls()
      },
      on(type, handler) {
        if (type !== 'ready' && type !== 'loaderror')
          throw integrationError(`The sandbox does not emit the event '${type}'.`)
        handlers.set(type, handler)
        return element
      },
    }
    return { element, tell, ask, refresh, isMounted: () => frame !== null }
  }

  /** Resolves to whether the cardholder has responded. */
  function showChallenge(source, language) {
    return new Promise((resolve) => {
      const dialog = document.createElement('dialog')
      dialog.setAttribute('aria-label', TEXTS[language].challenge)
      dialog.style =
        'position: fixed; inset: 0; box-sizing: border-box; width: 100vw; height: 100dvh; max-width: none; ' +
        'max-height: none; margin: 0; padding: 16px; border: 0; display: grid; place-items: center; ' +
        'background: rgba(12, 20, 28, 0.6)'
      const frame = document.createElement('iframe')
      frame.title = TEXTS[language].challenge
      frame.src = `${frameOrigin}/sandbox/stripe/3ds?${new URLSearchParams({ source, locale: language, parent: location.origin })}`
      frame.style =
        'border: 0; border-radius: 12px; width: 100%; max-width: 440px; height: 440px; max-height: 100%; ' +
        'background: #fff; color-scheme: light'

      const close = (answered) => {
        clearTimeout(loadTimer)
        removeEventListener('message', receive)
        dialog.close()
        dialog.remove()
        resolve(answered)
      }
      const receive = ({ origin, source: sender, data }) => {
        if (origin !== frameOrigin || sender !== frame.contentWindow) return
        if (data.kind === 'loaded') {
          clearTimeout(loadTimer)
          frame.focus()
        }
        if (data.kind === 'height') frame.style.height = `${data.height}px`
        if (data.kind === 'answered') close(true)
      }
      const loadTimer = setTimeout(() => close(false), ANSWER_WITHIN)
      addEventListener('message', receive)
      // The bank's page has its own cancel button. Chrome closes a dialog whose 'cancel' was prevented
      // before.
      dialog.setAttribute('closedby', 'none')
      dialog.addEventListener('cancel', (event) => event.preventDefault())
      dialog.append(frame)
      document.body.append(dialog)
      dialog.showModal()
    })
  }

  function secretParts(clientSecret) {
    const parts = /^(pi_\w+?)_secret_\w+$/.exec(clientSecret)
    if (!parts)
      throw integrationError(
        'Invalid value: clientSecret should be a client secret of the form {id}_secret_{secret}.',
      )
    return parts.slice(1)
  }

  function getLanguage(locale = 'auto') {
    return /^fr\b/i.test(locale === 'auto' ? navigator.language : locale) ? 'fr' : 'en'
  }

  function localised(error, language) {
    const { connection, errors } = TEXTS[language]
    const message =
      error.type === 'api_connection_error'
        ? connection
        : (errors[error.decline_code] ?? errors[error.code] ?? error.message)
    return { ...error, message }
  }

  function integrationError(message) {
    const error = new Error(message)
    error.name = 'IntegrationError'
    return error
  }

  Stripe.version = 'endive'
  window.Stripe = Stripe
})()
