// Builds the legally required pages, which need no script and no account.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadEnv, type Plugin } from 'vite'
import { getLegalPagePath, LEGAL_PAGES, type LegalPage, TEMPLATE_MARKS } from '../domain/account/legal.ts'
import type { Language } from '../domain/common/language.ts'
import { formatMoneyShort, money } from '../domain/money/money.ts'
import { groupPhone } from '../domain/numbers/phone.ts'
import { DEFAULT_FEE_PERCENT } from '../domain/prices/fees.ts'
import { getTransferLimits, MONTHLY_CAP_EUR_CENTS } from '../domain/prices/limits.ts'
import { PLANS } from '../domain/prices/plans.ts'
import { LANGUAGES } from '../src/browser/storedLanguage.ts'
import { insertFrenchSpaces } from './typography.ts'

const ROOT = join(import.meta.dirname, '..')
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
    template: 'This text is an unreviewed template. It is not legally binding.',
  },
} as const satisfies Record<Language, { names: Record<LegalPage, string> } & Record<string, unknown>>

export function createLegalPagesPlugin(): Plugin {
  let settings: Settings = {}
  // The prerendering bundle uses the same plugins, for Node.
  let isForNode = false
  return {
    name: 'passerelle:legal',
    configResolved({ mode, build }) {
      settings = loadEnv(mode, ROOT, 'VITE_')
      isForNode = Boolean(build.ssr)
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const source = renderFiles(settings).get(request.url ?? '')
        if (source === undefined) return next()
        response.setHeader('content-type', request.url === SHEET ? 'text/css' : 'text/html; charset=utf-8')
        response.end(source)
      })
    },
    generateBundle(_, bundle) {
      if (isForNode) return
      const font = Object.keys(bundle).find((file) => file.endsWith('.woff2'))
      for (const [address, source] of renderFiles(settings, font))
        this.emitFile({ type: 'asset', fileName: address.slice(1), source })
    },
  }
}

/** By URL path. `font`: the app's font for headings, once it is built. */
function renderFiles(settings: Settings, font?: string): ReadonlyMap<string, string> {
  const pages = LANGUAGES.flatMap((language) =>
    LEGAL_PAGES.map((page): [string, string] => {
      const text = readFileSync(join(ROOT, 'legal', language, `${page}.txt`), 'utf8')
      return [getLegalPagePath(page, language), renderLegalPage(text, { page, language, settings })]
    }),
  )
  return new Map([...pages, [SHEET, buildStyleSheet(font)]])
}

/**
 * Converts a text to a page. A line starting with '# ' is the title, with '## ' a heading, with '- ' a list
 * item. Placeholders such as `{operator}` are filled; the mark of a template becomes a notice.
 * @throws if a placeholder has no value, so that no page is served with gaps
 */
export function renderLegalPage(
  text: string,
  { page, language, settings }: { page: LegalPage; language: Language; settings: Settings },
): string {
  const words = WORDS[language]
  const other = language === 'fr' ? 'en' : 'fr'
  const filled = fillPlaceholders(text.trim(), getPlaceholderValues(settings, language))
  const [first = '', ...rest] = filled.split(/\n{2,}/)
  const isTemplate = first === TEMPLATE_MARKS[language]
  const body = (isTemplate ? rest : [first, ...rest])
    .map((block) => renderBlock(language === 'fr' ? insertFrenchSpaces(block) : block))
    .join('\n')
  const links = LEGAL_PAGES.map((one) => {
    const current = one === page ? ' aria-current="page"' : ''
    return `<li><a href="${getLegalPagePath(one, language)}"${current}>${words.names[one]}</a></li>`
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
<header><a href="/">${words.back}</a> <a href="${getLegalPagePath(page, other)}" lang="${other}" hreflang="${other}">${words.other}</a></header>
<main>
${isTemplate ? `<p class="template" data-template>${words.template}</p>\n` : ''}${body}
</main>
<nav aria-label="${words.pages}"><ul>${links.join('')}</ul></nav>
</body>
</html>
`
}

function renderBlock(block: string): string {
  const lines = block.split('\n').map(escapeHtml).map(linkEmailAddresses)
  const [first = ''] = lines
  if (first.startsWith('# ')) return `<h1>${first.slice(2)}</h1>`
  if (first.startsWith('## ')) return `<h2>${first.slice(3)}</h2>`
  if (lines.every((line) => line.startsWith('- ')))
    return `<ul>${lines.map((line) => `<li>${line.slice(2)}</li>`).join('')}</ul>`
  return `<p>${lines.join(' ')}</p>`
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const linkEmailAddresses = (text: string) =>
  text.replace(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, (address) => `<a href="mailto:${address}">${address}</a>`)

function fillPlaceholders(text: string, values: Settings): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (!value) throw new Error(`A text in legal/ names {${name}}, which has no value`)
    return value
  })
}

/** Amounts come from the rules, so that texts can't contradict them. */
function getPlaceholderValues(settings: Settings, language: Language): Settings {
  const { min, max } = getTransferLimits('EUR')
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

/** Without a script, the color scheme is the device's. */
function buildStyleSheet(font: string | undefined): string {
  const theme = readFileSync(join(ROOT, 'src/ui/theme.css'), 'utf8')
  const tokens = (selector: string) => theme.split(`${selector} {`)[1]?.split('}')[0] ?? ''
  const face = font
    ? `@font-face { font-family: "Bricolage Grotesque"; src: url("/${font}"); font-weight: 600; font-display: optional; }\n`
    : ''
  return `${face}:root {${tokens('\n:root')}}
@media (prefers-color-scheme: dark) {
:root {${tokens('\n  :root[data-mantine-color-scheme="dark"]')}}
}
${readFileSync(join(ROOT, 'legal/page.css'), 'utf8')}`
}
