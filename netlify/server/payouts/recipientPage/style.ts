/** The tokens of `src/ui/theme.css` that this page has; a test compares them. Functions can't read a style sheet. */
export const TOKENS = {
  light: {
    page: '#f6f2ea',
    surface: '#fffdf8',
    line: '#dcd3c3',
    ink: '#17302b',
    'ink-soft': '#4b5d57',
    brand: '#0f4c43',
    'brand-ink': '#0f4c43',
    'on-brand': '#f8f5ee',
    'on-brand-soft': '#c6dcd3',
    sun: '#f2b84b',
    success: '#1b6b45',
    warning: '#7a5200',
    'warning-soft': '#fbeccb',
    danger: '#a3231b',
    focus: '#1d63c4',
  },
  dark: {
    page: '#0b1614',
    surface: '#13231f',
    line: '#2a3f39',
    ink: '#eef3ee',
    'ink-soft': '#adc0b8',
    brand: '#0d3c35',
    'brand-ink': '#a9d6c6',
    success: '#86d5a6',
    warning: '#f2c66d',
    'warning-soft': '#3a2c0c',
    danger: '#ff9d8f',
    focus: '#8fbcff',
  },
} as const

const declared = (tokens: Readonly<Record<string, string>>) =>
  Object.entries(tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

/** The whole sheet. Its hash stands in the page's policy, so it never differs from one page to the next. */
export const STYLE = `:root{${declared(TOKENS.light)};color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{${declared(TOKENS.dark)}}}
*{box-sizing:border-box;margin:0}
body{background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;overflow-wrap:break-word}
header,main{max-width:32rem;margin:0 auto;padding-inline:min(1rem,5vw)}
header{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:0 1rem;padding-block:.5rem}
.brand{display:inline-flex;align-items:center;gap:.5rem;color:var(--brand-ink);font-weight:700;font-size:1.25rem}
svg{width:2rem;height:2rem;fill:none;stroke:var(--brand-ink);stroke-width:5;stroke-linecap:round}
path+path{stroke-width:3}
circle{fill:var(--sun);stroke:none}
a{display:inline-flex;align-items:center;min-height:3rem;color:var(--brand-ink)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
main{display:grid;gap:1rem;padding-block:.5rem 2rem}
h1{font-size:min(1.75rem,10vw);line-height:1.15;letter-spacing:-.015em;color:var(--brand-ink);text-wrap:balance}
h1[data-stage=delivered]{color:var(--success)}
h1[data-stage=late]{color:var(--warning)}
h1[data-stage=goingBack],h1[data-stage=wentBack]{color:var(--danger)}
h2{font-size:1rem}
.arrives{display:grid;padding:1rem;border-radius:1.25rem;background:var(--brand);color:var(--on-brand-soft);border-bottom:3px solid var(--sun)}
.arrives strong{color:var(--on-brand);font-size:min(2rem,9vw);line-height:1.2;font-variant-numeric:tabular-nums}
ol{padding:0;list-style:none;display:grid;gap:.75rem}
li{position:relative;padding-inline-start:1.5rem;font-weight:600}
li::before{content:"";position:absolute;inset:.35em auto auto 0;width:.75em;height:.75em;border:3px solid var(--brand-ink);border-radius:99rem}
li.done::before{background:var(--brand-ink)}
li:not(:last-child)::after{content:"";position:absolute;inset-block:1.1em calc(-.75rem - .35em);inset-inline-start:calc(.375em - 1px);border-inline-start:3px solid var(--brand-ink)}
time{font-variant-numeric:tabular-nums}
li time{display:block;color:var(--ink-soft);font-weight:400}
dl{padding:.25rem 1rem;border-radius:.75rem;background:var(--surface)}
dl div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding-block:.5rem}
dl div+div{border-top:1px solid var(--line)}
dt{color:var(--ink-soft)}
dd{margin-inline-start:auto;font-weight:600;text-align:end;overflow-wrap:anywhere}
.proof{display:grid;gap:.5rem;padding:1rem;border-radius:.75rem;background:var(--warning-soft)}
.proof strong{overflow-wrap:anywhere}
@media (forced-colors:active){.arrives,dl,.proof{border:1px solid}}
`
