export const CATALOGS = ['fr', 'en', 'pages/fr', 'pages/en']

/** Long texts span several quoted lines. */
export function parseTranslations(po: string): Map<string, string> {
  const unfolded = po.replace(/"\n"/g, '')
  const found = unfolded.matchAll(/^msgid "(.+)"\nmsgstr "(.*)"$/gm)
  return new Map([...found].map(([, id = '', text = '']) => [id, text]))
}
