import { createHash } from 'node:crypto'
import { getLocale, type Language } from '../../../../domain/common/language.ts'
import { formatMoney, type Money } from '../../../../domain/money/money.ts'
import type { CountryCode } from '../../../../domain/numbers/destinations.ts'
import { maskPhone } from '../../../../domain/numbers/phone.ts'
import { getWalletName } from '../../../../domain/numbers/wallets.ts'
import type { TrackingState } from '../../../../domain/payouts/trackingState.ts'
import type { ReceiptFacts } from '../../../../domain/transfers/receiptCode.ts'
import { STYLE_SHEET } from './style.ts'
import {
  type MessagePage,
  RECIPIENT_PAGE_TEXTS,
  type RecipientPageTexts,
  type StageWithText,
} from './texts.ts'

/** No last name, address, fee or card. The page masks the number and the reference. */
export interface TransferStatus {
  readonly id: string
  /** Null if it can't be shown to strangers. */
  readonly senderFirstName: string | null
  readonly recipientFirstName: string | null
  readonly arrives: Money
  readonly phone: string
  readonly country: CountryCode
  readonly wallet: string | null
  /** As shown in the recipient's wallet. */
  readonly reference: string | null
  readonly tracking: TrackingState
}

/** `facts`: as the link's code proves them. `endsAt`: UTC ms. */
export type RecipientPageContent =
  | {
      readonly kind: 'transfer'
      readonly status: TransferStatus
      readonly facts: ReceiptFacts
      readonly endsAt: number
    }
  | { readonly kind: 'ended'; readonly facts: ReceiptFacts }
  | { readonly kind: Exclude<MessagePage, 'tooMany' | 'ended'> }
  | { readonly kind: 'tooMany'; readonly waitMs: number }

class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | Markup | null | readonly Markup[]

const html = (fixed: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(fixed.map((text, i) => text + toMarkup(parts[i] ?? null)).join(''))

function toMarkup(part: Part): string {
  if (part === null) return ''
  if (part instanceof Markup) return part.text
  if (typeof part !== 'string') return part.map(({ text }) => text).join('')
  return part.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Canada has six zones; this is the most populous, and each shown time names its zone. */
const TIME_ZONES: Readonly<Record<CountryCode, string>> = {
  GN: 'UTC',
  FR: 'Europe/Paris',
  CA: 'America/Toronto',
}

const STYLE_HASH = createHash('sha256').update(STYLE_SHEET).digest('base64')

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

const STATUS: Readonly<Record<RecipientPageContent['kind'], number>> = {
  transfer: 200,
  nothing: 404,
  ended: 410,
  tooMany: 429,
  silent: 503,
}

/** Sets all headers, because the host adds its own only to files. */
export function renderRecipientPage(
  shown: RecipientPageContent,
  { language, address }: { readonly language: Language; readonly address: URL },
): Response {
  return new Response(renderPageMarkup(shown, language, address).text, {
    status: STATUS[shown.kind],
    headers: {
      ...HEADERS,
      'content-language': language,
      // The header has no effect over plain HTTP, as on a developer's machine.
      ...(address.protocol === 'https:' && {
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
      }),
      ...(shown.kind === 'tooMany' && { 'retry-after': String(Math.ceil(shown.waitMs / 1000)) }),
    },
  })
}

function renderPageMarkup(shown: RecipientPageContent, language: Language, { host, pathname }: URL): Markup {
  const words = RECIPIENT_PAGE_TEXTS[language]
  const other = language === 'fr' ? 'en' : 'fr'
  const content =
    shown.kind === 'transfer'
      ? renderTransfer(shown, { language, words, host, pathname })
      : html`<h1>${words.said[shown.kind].title}</h1>
<p>${words.said[shown.kind].text}</p>
${shown.kind === 'ended' ? renderFacts(shown.facts, language, words) : html`<p class="proof">${words.provesNothing}</p>`}`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<meta name="color-scheme" content="light dark">
<title>${words.title} · Passerelle</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${new Markup(STYLE_SHEET)}</style>
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
  readonly words: RecipientPageTexts
  readonly host: string
  readonly pathname: string
}

/** The link has ended, but the signature still proves these. */
function renderFacts(facts: ReceiptFacts, language: Language, words: RecipientPageTexts): Markup {
  return html`<dl>
${renderLines([
  [words.amounts.whole, formatMoney(facts.amount, language)],
  [words.phone, facts.maskedPhone],
  [words.number, facts.id],
])}</dl>
<p class="proof">${renderProvenState(facts, words, createInstantFormatter(language, 'UTC'))} ${words.proof.later}</p>
<p class="proof">${words.proof.copies}</p>`
}

const renderProvenState = (
  { state, at }: ReceiptFacts,
  words: RecipientPageTexts,
  instant: (ms: number) => Markup,
) =>
  html`${words.proof.code} ${state === 'handedOver' ? words.steps.handedOver(null) : words.steps[state]}, ${instant(at)}.`

function renderTransfer(
  { status, facts, endsAt }: Extract<RecipientPageContent, { readonly kind: 'transfer' }>,
  { language, words, host, pathname }: Place,
): Markup {
  const { arrives, phone, country, reference, tracking } = status
  const wallet = getWalletName(status.wallet)
  const instant = createInstantFormatter(language, TIME_ZONES[country])
  const lines: readonly (readonly [label: string, value: string | null])[] = [
    [words.sentBy, status.senderFirstName],
    [words.sentTo, status.recipientFirstName],
    [words.phone, maskPhone(phone)],
    [words.wallet, wallet],
    [words.number, status.id],
    [words.reference, reference === null ? null : words.referenceEnd(getReferenceEnd(reference))],
  ]
  const { title, text } = words.stages[chooseStageText(tracking)]
  return html`<h1 data-stage="${chooseStageText(tracking)}">${title}</h1>
<p>${text}</p>
<p class="arrives"><span>${words.amounts[chooseAmountLabel(tracking)]}</span> <strong>${formatMoney(arrives, language)}</strong></p>
<ol>
${listTrackingSteps(tracking, wallet, words).map(
  ({ said, at, isDone }) =>
    html`<li${isDone ? html` class="done"` : null}>${said}${at === null ? null : html` ${instant(at)}`}</li>
`,
)}</ol>
<dl>
${renderLines(lines)}</dl>
<p><a href="${pathname}?lang=${language}">${words.again}</a></p>
<section class="proof">
<h2>${words.proof.title}</h2>
<p>${words.proof.address} <strong>${host}</strong></p>
<p>${renderProvenState(facts, words, instant)}</p>
<p>${words.proof.copies}</p>
<p>${words.proof.until} ${instant(endsAt)}.</p>
</section>`
}

const renderLines = (lines: readonly (readonly [label: string, value: string | null])[]) =>
  lines.map(([label, value]) =>
    value === null
      ? html``
      : html`<div><dt>${label}</dt><dd>${value}</dd></div>
`,
  )

interface Step {
  readonly said: string
  /** UTC ms; null if unknown. */
  readonly at: number | null
  readonly isDone: boolean
}

function listTrackingSteps(
  tracking: TrackingState,
  wallet: string | null,
  words: RecipientPageTexts,
): readonly Step[] {
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

function chooseStageText(tracking: TrackingState): StageWithText {
  if (tracking.stage !== 'onItsWay') return tracking.stage
  if (tracking.isLate) return 'late'
  return tracking.handedOverAt === null ? 'onItsWay' : 'handedOver'
}

function chooseAmountLabel({ stage }: TrackingState): keyof RecipientPageTexts['amounts'] {
  if (stage === 'delivered') return 'arrived'
  return stage === 'onItsWay' ? 'toArrive' : 'whole'
}

/** Enough to compare with the wallet, too little to pretend to have seen it. */
const getReferenceEnd = (reference: string) => reference.slice(-Math.min(4, Math.floor(reference.length / 2)))

function createInstantFormatter(language: Language, timeZone: string): (ms: number) => Markup {
  const format = new Intl.DateTimeFormat(getLocale(language), {
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

/** The emblem of `src/ui/Logo.tsx`. */
const EMBLEM = html`<svg viewBox="0 0 64 64" aria-hidden="true"><path d="M5 47h54M9 46c6-15 13-20 23-20s17 5 23 20"/><path d="M32 27v19M21 30v16M43 30v16"/><circle cx="49" cy="16" r="7"/></svg>`
