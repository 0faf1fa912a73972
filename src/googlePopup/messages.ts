/** Pages of other origins can neither read nor send these messages. */
export type PopupMessage =
  | { readonly kind: 'loaded'; readonly requestId: string }
  /** `at`: UTC ms by this device's clock, when Google returned. */
  | ({ readonly kind: 'redirect'; readonly requestId: string; readonly at: number } & (
      | { readonly idToken: string }
      /** An error code of OAuth 2.0. */
      | { readonly error: string }
    ))

export const GOOGLE_POPUP_CHANNEL = 'passerelle.google'

/**
 * A returning page recognizes an own-window request by this prefix, even if the request is no longer stored.
 */
export const OWN_WINDOW_PREFIX = 'own.'

/** The fragment with the nonce is sent to no server. */
export const buildPopupAddress = (request: { requestId: string; rawNonce: string }) =>
  `/google-sign-in.html#${new URLSearchParams(request)}`
