/** The popup's messages to the app. Pages of other origins can neither read nor send them. */
export type PopupMessage =
  | { readonly kind: 'loaded'; readonly requestId: string }
  /** `at`: when Google returned to the popup, in UTC ms by the clock of this device. */
  | ({ readonly kind: 'redirect'; readonly requestId: string; readonly at: number } & (
      | { readonly idToken: string }
      /** An error code of OAuth 2.0. */
      | { readonly error: string }
    ))

export const GOOGLE_POPUP_CHANNEL = 'passerelle.google'

/**
 * The prefix of the IDs of requests that use the app's own window instead of a popup. The returning page
 * recognizes such a request by the prefix, even if the request is no longer stored.
 */
export const OWN_WINDOW_PREFIX = 'own.'

/** Builds the URL of the popup's page. The nonce is in the fragment, which is sent to no server. */
export const buildPopupAddress = (request: { requestId: string; rawNonce: string }) =>
  `/google-sign-in.html#${new URLSearchParams(request)}`
