/** What the page in the popup tells the app; no page of another origin hears or says it. */
export type PopupMessage =
  | { readonly kind: 'loaded'; readonly requestId: string }
  /** `at`: when it came back, in UTC ms by the clock of this device. */
  | ({ readonly kind: 'redirect'; readonly requestId: string; readonly at: number } & (
      | { readonly idToken: string }
      /** An error code of OAuth 2.0. */
      | { readonly error: string }
    ))

export const CHANNEL = 'passerelle.google'

/**
 * How the id of a request begins that uses the app's own window in the place of a popup. The page that comes back knows it by that, even
 * when nothing of the request is stored any more.
 */
export const OWN_WINDOW = 'own.'

/** The address of the popup's page. The nonce stays in the fragment: no server and no log sees it. */
export const popupAddress = (request: { requestId: string; rawNonce: string }) =>
  `/google-sign-in.html#${new URLSearchParams(request)}`
