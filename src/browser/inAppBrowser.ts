const MARKS =
  /\b(FBAN|FBAV|FB_IAB|Instagram|Snapchat|TikTok|musical_ly|BytedanceWebview|LinkedInApp|Pinterest|MicroMessenger)\b|\bLine\/|; wv\)/

/** Google refuses to sign in inside of another app. */
export const isInAppBrowser = (): boolean => MARKS.test(navigator.userAgent)

/** Only Android opens a link that names a browser. */
export const canOpenInBrowser = (): boolean => /Android/.test(navigator.userAgent)

export const buildBrowserLink = ({ host, pathname, search, protocol }: Location): string =>
  `intent://${host}${pathname}${search}#Intent;scheme=${protocol.replace(':', '')};action=android.intent.action.VIEW;end`
