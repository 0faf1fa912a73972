import { createHash } from 'node:crypto'
import type { CountryCode } from '../../../../domain/destinations.ts'
import { type Language, localeOf } from '../../../../domain/language.ts'
import { formatMoney, type Money } from '../../../../domain/money.ts'
import { maskPhone } from '../../../../domain/phone.ts'
import type { Tracking } from '../../../../domain/tracking.ts'
import { walletName } from '../../../../domain/wallets.ts'
import { STYLE } from './style.ts'
import { type SaidAlone, type SaidStage, WORDS, type Words } from './words.ts'

/** What the page tells of a transfer, and nothing else: no last name, address, fee, card or whole number. */
export interface Told {
  readonly firstName: string | null
  readonly arrives: Money
  readonly phone: string
  readonly country: CountryCode
  readonly wallet: string | null
  /** What the recipient's wallet shows. */
  readonly reference: string | null
  readonly tracking: Tracking
  /** When the link ends, in UTC ms. */
  readonly endsAt: number
}

/** What somebody who opens a link is shown. `nothing`: it leads nowhere, for whatever reason. */
export type Shown =
  | { readonly kind: 'transfer'; readonly told: Told }
  | { readonly kind: Exclude<SaidAlone, 'tooMany'> }
  | { readonly kind: 'tooMany'; readonly waitMs: number }

/** Text that is markup already. */
class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | Markup | null | readonly Markup[]

/** What stands in between is text, and never becomes markup by itself. */
const html = (fixed: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(fixed.map((text, i) => text + markupOf(parts[i] ?? null)).join(''))

function markupOf(part: Part): string {
  if (part === null) return ''
  if (part instanceof Markup) return part.text
  if (typeof part !== 'string') return part.map(({ text }) => text).join('')
  return part.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Whose clocks the recipient goes by. Guinea's are those of UTC. Canada has six zones, and most of its people this one; each time names its zone. */
const TIME_ZONES: Readonly<Record<CountryCode, string>> = {
  GN: 'UTC',
  FR: 'Europe/Paris',
  CA: 'America/Toronto',
}

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The page loads nothing but its icon, runs nothing, is never kept, found, framed or told of to the next page. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const STATUS: Readonly<Record<Shown['kind'], number>> = {
  transfer: 200,
  nothing: 404,
  ended: 410,
  tooMany: 429,
  silent: 503,
}

/** The page as an answer. The host's headers are for files: those of a function are its own. */
export function paint(
  shown: Shown,
  { language, address }: { readonly language: Language; readonly address: URL },
): Response {
  return new Response(pageOf(shown, language, address).text, {
    status: STATUS[shown.kind],
    headers: {
      ...HEADERS,
      'content-language': language,
      // Over plain http, on a machine of one's own, it would mean nothing.
      ...(address.protocol === 'https:' && {
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
      }),
      ...(shown.kind === 'tooMany' && { 'retry-after': String(Math.ceil(shown.waitMs / 1000)) }),
    },
  })
}

function pageOf(shown: Shown, language: Language, { host, pathname }: URL): Markup {
  const words = WORDS[language]
  const other = language === 'fr' ? 'en' : 'fr'
  const content =
    shown.kind === 'transfer'
      ? transferOf(shown.told, { language, words, host, pathname })
      : html`<h1>${words.said[shown.kind].title}</h1>
<p>${words.said[shown.kind].text}</p>
<p class="proof">${words.provesNothing}</p>`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${words.title} · Passerelle</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${new Markup(STYLE)}</style>
</head>
<body>
<header><span class="brand">${EMBLEM}Passerelle</span> <a href="?lang=${other}" lang="${other}" hreflang="${other}">${words.other}</a></header>
<main>
${content}
</main>
</body>
</html>
`
}

interface Place {
  readonly language: Language
  readonly words: Words
  readonly host: string
  readonly pathname: string
}

function transferOf(told: Told, { language, words, host, pathname }: Place): Markup {
  const { firstName, arrives, phone, country, reference, tracking, endsAt } = told
  const wallet = walletName(told.wallet)
  const instant = momentsOf(language, TIME_ZONES[country])
  const lines: readonly (readonly [label: string, value: string | null])[] = [
    [words.sentBy, firstName],
    [words.phone, maskPhone(phone)],
    [words.wallet, wallet],
    [words.reference, reference === null ? null : words.endsIn(lastOf(reference))],
  ]
  const { title, text } = words.stages[stageOf(tracking)]
  return html`<h1 data-stage="${stageOf(tracking)}">${title}</h1>
<p>${text}</p>
<p class="arrives"><span>${words.amounts[amountOf(tracking)]}</span> <strong>${formatMoney(arrives, language)}</strong></p>
<ol>
${stepsOf(tracking, wallet, words).map(
  ({ said, at, isDone }) =>
    html`<li${isDone ? html` class="done"` : null}>${said}${at === null ? null : html` ${instant(at)}`}</li>
`,
)}</ol>
<dl>
${lines.map(([label, value]) =>
  value === null
    ? html``
    : html`<div><dt>${label}</dt><dd>${value}</dd></div>
`,
)}</dl>
<p><a href="${pathname}?lang=${language}">${words.again}</a></p>
<section class="proof">
<h2>${words.proof.title}</h2>
<p>${words.proof.address} <strong>${host}</strong></p>
<p>${words.proof.copies}</p>
<p>${words.proof.until} ${instant(endsAt)}.</p>
</section>`
}

interface Step {
  readonly said: string
  /** UTC ms; null when nobody knows. */
  readonly at: number | null
  readonly isDone: boolean
}

function stepsOf(tracking: Tracking, wallet: string | null, words: Words): readonly Step[] {
  if (tracking.stage === 'unclear') return []
  const paid = { said: words.steps.paid, at: tracking.paidAt, isDone: true }
  if (tracking.stage === 'goingBack' || tracking.stage === 'wentBack')
    return [paid, { said: words.steps[tracking.stage], at: null, isDone: tracking.stage === 'wentBack' }]
  const { handedOverAt } = tracking
  const handed =
    handedOverAt === null ? [] : [{ said: words.steps.handedOver(wallet), at: handedOverAt, isDone: true }]
  return tracking.stage === 'delivered'
    ? [paid, ...handed, { said: words.steps.delivered, at: tracking.deliveredAt, isDone: true }]
    : [
        paid,
        ...handed,
        tracking.isLate
          ? { said: words.steps.later, at: null, isDone: false }
          : { said: words.steps.expected, at: tracking.expectedBy, isDone: false },
      ]
}

function stageOf(tracking: Tracking): SaidStage {
  if (tracking.stage !== 'onItsWay') return tracking.stage
  if (tracking.isLate) return 'late'
  return tracking.handedOverAt === null ? 'onItsWay' : 'handedOver'
}

function amountOf({ stage }: Tracking): keyof Words['amounts'] {
  if (stage === 'delivered') return 'arrived'
  return stage === 'onItsWay' ? 'toArrive' : 'whole'
}

/** Enough to compare it with what the wallet shows, and too little to pretend that one has seen that. */
const lastOf = (reference: string) => reference.slice(-Math.min(4, Math.floor(reference.length / 2)))

function momentsOf(language: Language, timeZone: string): (ms: number) => Markup {
  const format = new Intl.DateTimeFormat(localeOf(language), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  })
  return (ms) => html`<time datetime="${new Date(ms).toISOString()}">${format.format(ms)}</time>`
}

/** The footbridge of `src/ui/Logo.tsx`. */
const EMBLEM = html`<svg viewBox="0 0 64 64" aria-hidden="true"><path d="M5 47h54M9 46c6-15 13-20 23-20s17 5 23 20"/><path d="M32 27v19M21 30v16M43 30v16"/><circle cx="49" cy="16" r="7"/></svg>`
