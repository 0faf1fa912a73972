/** Copies of design tokens in `src/ui/theme.css`; a test compares them. */
export const COLOR_TOKENS = {
  light: {
    page: '#f4eee2',
    surface: '#fffdf8',
    line: '#e4dac8',
    ink: '#17302b',
    'ink-soft': '#50605a',
    top: '#0f4c43',
    river: '#0f4c43',
    'river-ink': '#0f4c43',
    'on-river': '#faf6ec',
    'on-river-soft': '#bdd8cd',
    sun: '#f4b942',
    success: '#1b6b45',
    warning: '#7a5200',
    'warning-tint': '#fbeabf',
    danger: '#a3231b',
    focus: '#1d5fd0',
  },
  dark: {
    page: '#0a1513',
    surface: '#13221e',
    line: '#24372f',
    ink: '#f0f3ec',
    'ink-soft': '#a8bbb2',
    top: '#0c332c',
    river: '#12564b',
    'river-ink': '#9fd9c6',
    'on-river': '#f6f3e8',
    'on-river-soft': '#b5d9cc',
    success: '#85d8a8',
    warning: '#f4c768',
    'warning-tint': '#36290b',
    danger: '#ff9d8f',
    focus: '#8fbcff',
  },
} as const

const declared = (tokens: Readonly<Record<string, string>>) =>
  Object.entries(tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

/** The same on every page, because the content security policy contains its hash. */
export const STYLE_SHEET = `:root{${declared(COLOR_TOKENS.light)};color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{${declared(COLOR_TOKENS.dark)}}}
*{box-sizing:border-box;margin:0}
body{background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;overflow-wrap:break-word}
header,main{padding-inline:max(min(1rem,5vw),50% - 15rem)}
header{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:0 1rem;padding-block:.375rem;background:var(--top)}
header,header a{color:var(--on-river)}
.brand{display:inline-flex;align-items:center;gap:.5rem;font-weight:500;font-size:1.125rem}
svg{width:2.25rem;height:2.25rem;fill:none;stroke:currentColor;stroke-width:5;stroke-linecap:round}
path+path{stroke-width:3}
circle{fill:var(--sun);stroke:none}
a{display:inline-flex;align-items:center;min-height:3rem;color:var(--river-ink)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
header :focus-visible{outline-color:var(--sun)}
main{display:grid;gap:1rem;padding-block:1rem 2rem}
h1{font-size:min(1.75rem,10vw);line-height:1.15;letter-spacing:-.015em;color:var(--river-ink);text-wrap:balance}
h1[data-stage=delivered]{color:var(--success)}
h1[data-stage=late]{color:var(--warning)}
h1[data-stage=goingBack],h1[data-stage=wentBack]{color:var(--danger)}
h2{font-size:1rem}
.arrives{display:grid;padding:1rem;border-radius:1.25rem;background:var(--river);color:var(--on-river-soft);border-bottom:3px solid var(--sun)}
.arrives strong{color:var(--sun);font-size:min(2rem,9vw);line-height:1.2;font-variant-numeric:tabular-nums}
ol{padding:0;list-style:none;display:grid;gap:.75rem}
li{position:relative;padding-inline-start:1.5rem;font-weight:500}
li::before{content:"";position:absolute;inset:.35em auto auto 0;width:.75em;height:.75em;border:3px solid var(--river-ink);border-radius:99rem}
li.done::before{background:var(--river-ink)}
li:not(:last-child)::after{content:"";position:absolute;inset-block:1.1em calc(-.75rem - .35em);inset-inline-start:calc(.375em - 1px);border-inline-start:3px solid var(--river-ink)}
time{font-variant-numeric:tabular-nums}
li time{display:block;color:var(--ink-soft);font-weight:400}
dl{padding:.25rem 1rem;border-radius:1.25rem;background:var(--surface)}
dl div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding-block:.5rem}
dl div+div{border-top:1px solid var(--line)}
dt{color:var(--ink-soft)}
dd{margin-inline-start:auto;font-weight:500;text-align:end;overflow-wrap:anywhere}
.proof{padding:1rem;border-radius:1rem;background:var(--warning-tint)}
section{display:grid;gap:.5rem}
.proof strong{overflow-wrap:anywhere}
@media (forced-colors:active){.arrives,dl,.proof{border:1px solid}}
@media print{:root{color-scheme:light}body,body *{background:none!important;color:#000!important}.arrives,dl,.proof{border:1px solid #000;break-inside:avoid}a{display:none}dl div,li{break-inside:avoid}li::before,li::after{border-color:#000!important;print-color-adjust:exact}li.done::before{background:#000!important}}
`
