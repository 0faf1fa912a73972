/** Names and marks by which the browsers inside of other apps identify themselves. */
const MARKS =
  /\b(FBAN|FBAV|FB_IAB|Instagram|Snapchat|TikTok|musical_ly|BytedanceWebview|LinkedInApp|Pinterest|MicroMessenger)\b|\bLine\/|; wv\)/

/** Whether this is a browser inside of another app. Google refuses to sign in there. */
export const isInAppBrowser = (): boolean => MARKS.test(navigator.userAgent)

/** Whether the system opens a link that names a browser. Only Android does. */
export const canOpenInBrowser = (): boolean => /Android/.test(navigator.userAgent)

/** Builds Android's link that opens this page in the user's browser. */
export const buildBrowserLink = ({ host, pathname, search, protocol }: Location): string =>
  `intent://${host}${pathname}${search}#Intent;scheme=${protocol.replace(':', '')};action=android.intent.action.VIEW;end`
