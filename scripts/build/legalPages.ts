// Makes the pages that the law wants to be seen from the texts in `legal/`. They are pages of their own: whoever reads them needs no
// script, no account and, once the app is on the device, no network.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadEnv, type Plugin } from 'vite'
import { DEFAULT_FEE_PERCENT } from '../../domain/fees.ts'
import type { Language } from '../../domain/language.ts'
import { LEGAL_PAGES, type LegalPage, legalAddress, TEMPLATE_MARKS } from '../../domain/legal.ts'
import { limitsIn, MONTHLY_CAP_EUR_CENTS } from '../../domain/limits.ts'
import { formatMoneyShort, money } from '../../domain/money.ts'
import { groupPhone } from '../../domain/phone.ts'
import { PLANS } from '../../domain/plans.ts'
import { LANGUAGES } from '../../src/browser/storedLanguage.ts'
import { frenchSpaces } from '../../src/ui/typography.ts'

const ROOT = join(import.meta.dirname, '../..')
const SHEET = '/legal/page.css'

type Settings = Readonly<Record<string, string | undefined>>

const WORDS = {
  fr: {
    names: {
      operator: 'Mentions légales',
      terms: 'Conditions',
      privacy: 'Confidentialité',
      complaints: 'Réclamations',
      accessibility: 'Accessibilité',
    },
    back: 'Retour à Passerelle',
    other: 'English',
    pages: 'Pages légales',
    template: 'Ce texte est un modèle que personne n’a relu. Il n’engage personne.',
  },
  en: {
    names: {
      operator: 'Legal notice',
      terms: 'Terms of use',
      privacy: 'Privacy',
      complaints: 'Complaints',
      accessibility: 'Accessibility',
    },
    back: 'Back to Passerelle',
    other: 'Français',
    pages: 'Legal pages',
    template: 'This text is a template that nobody has reviewed. It binds nobody.',
  },
} as const satisfies Record<Language, { names: Record<LegalPage, string> } & Record<string, unknown>>

/** Serves the pages in development, and puts them into the build. */
export function legalPages(): Plugin {
  let settings: Settings = {}
  // What paints the first screens is bundled with the same plugins, for Node.
  let isForNode = false
  return {
    name: 'passerelle:legal',
    configResolved({ mode, build }) {
      settings = loadEnv(mode, ROOT, 'VITE_')
      isForNode = Boolean(build.ssr)
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const source = filesOf(settings).get(request.url ?? '')
        if (source === undefined) return next()
        response.setHeader('content-type', request.url === SHEET ? 'text/css' : 'text/html; charset=utf-8')
        response.end(source)
      })
    },
    generateBundle() {
      if (isForNode) return
      for (const [address, source] of filesOf(settings))
        this.emitFile({ type: 'asset', fileName: address.slice(1), source })
    },
  }
}

/** The pages and their style sheet, by their addresses. */
function filesOf(settings: Settings): ReadonlyMap<string, string> {
  const pages = LANGUAGES.flatMap((language) =>
    LEGAL_PAGES.map((page): [string, string] => {
      const text = readFileSync(join(ROOT, 'legal', language, `${page}.txt`), 'utf8')
      return [legalAddress(page, language), legalPage(text, { page, language, settings })]
    }),
  )
  return new Map([...pages, [SHEET, sheet()]])
}

/**
 * A text as a page. A line that begins with '# ' is the title, one with '## ' a heading, one with '- ' an item of a list; any other
 * block of lines is a paragraph, and an e-mail address a link. `{operator}` and the like stand for what the settings and the rules say. The mark of a template becomes
 * a notice.
 *
 * @throws when a gap has no value: nobody is shown a page with a hole.
 */
export function legalPage(
  text: string,
  { page, language, settings }: { page: LegalPage; language: Language; settings: Settings },
): string {
  const words = WORDS[language]
  const other = language === 'fr' ? 'en' : 'fr'
  const filled = filledIn(text.trim(), valuesOf(settings, language))
  const [first = '', ...rest] = filled.split(/\n{2,}/)
  const isTemplate = first === TEMPLATE_MARKS[language]
  const body = (isTemplate ? rest : [first, ...rest])
    .map((block) => htmlOf(language === 'fr' ? frenchSpaces(block) : block))
    .join('\n')
  const links = LEGAL_PAGES.map((one) => {
    const current = one === page ? ' aria-current="page"' : ''
    return `<li><a href="${legalAddress(one, language)}"${current}>${words.names[one]}</a></li>`
  })
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.names[page]} · Passerelle</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${SHEET}">
</head>
<body>
<header><a href="/">${words.back}</a> <a href="${legalAddress(page, other)}" lang="${other}" hreflang="${other}">${words.other}</a></header>
<main>
${isTemplate ? `<p class="template" data-template>${words.template}</p>\n` : ''}${body}
</main>
<nav aria-label="${words.pages}"><ul>${links.join('')}</ul></nav>
</body>
</html>
`
}

function htmlOf(block: string): string {
  const lines = block.split('\n').map(escaped).map(withMailLinks)
  const [first = ''] = lines
  if (first.startsWith('# ')) return `<h1>${first.slice(2)}</h1>`
  if (first.startsWith('## ')) return `<h2>${first.slice(3)}</h2>`
  if (lines.every((line) => line.startsWith('- ')))
    return `<ul>${lines.map((line) => `<li>${line.slice(2)}</li>`).join('')}</ul>`
  return `<p>${lines.join(' ')}</p>`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const withMailLinks = (text: string) =>
  text.replace(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, (address) => `<a href="mailto:${address}">${address}</a>`)

function filledIn(text: string, values: Settings): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (!value) throw new Error(`A text in legal/ names {${name}}, which has no value`)
    return value
  })
}

/** What the gaps of a text stand for. Amounts are those of the rules, so that no text can differ from them. */
function valuesOf(settings: Settings, language: Language): Settings {
  const { min, max } = limitsIn('EUR')
  return {
    operator: settings.VITE_OPERATOR_NAME,
    licence: settings.VITE_OPERATOR_LICENCE,
    supervisor: settings.VITE_OPERATOR_SUPERVISOR,
    address: settings.VITE_OPERATOR_ADDRESS,
    complaints: settings.VITE_COMPLAINTS_EMAIL,
    support: settings.VITE_SUPPORT_EMAIL,
    supportPhone: groupPhone(settings.VITE_SUPPORT_PHONE ?? ''),
    min: formatMoneyShort(min, language),
    max: formatMoneyShort(max, language),
    cap: formatMoneyShort(money(MONTHLY_CAP_EUR_CENTS, 'EUR'), language),
    feePercent: String(DEFAULT_FEE_PERCENT),
    basic: formatMoneyShort(PLANS.basic.price, language),
    premium: formatMoneyShort(PLANS.premium.price, language),
  }
}

/** The tokens of the app and the few rules of these pages. Without a script the scheme is the device's. */
function sheet(): string {
  const theme = readFileSync(join(ROOT, 'src/ui/theme.css'), 'utf8')
  const tokens = (selector: string) => theme.split(`${selector} {`)[1]?.split('}')[0] ?? ''
  return `:root {${tokens('\n:root')}}
@media (prefers-color-scheme: dark) {
:root {${tokens('\n:root[data-mantine-color-scheme="dark"]')}}
}
${readFileSync(join(ROOT, 'legal/page.css'), 'utf8')}`
}
