/** The catalogs of the messages, in `src/locales`. */
export const CATALOGS = ['fr', 'en', 'signedIn/fr', 'signedIn/en', 'pages/fr', 'pages/en']

/** From message to translation. Long ones are folded over several quoted lines. */
export function entries(po: string): Map<string, string> {
  const unfolded = po.replace(/"\n"/g, '')
  const found = unfolded.matchAll(/^msgid "(.+)"\nmsgstr "(.*)"$/gm)
  return new Map([...found].map(([, id = '', text = '']) => [id, text]))
}
