import { expect, test } from 'vitest'
import { criticalStyles } from './critical-styles.ts'

const MARKUP = '<div class="card wide" data-size="lg" style="color:var(--ink)"><p class="text">…</p></div>'

test.each([
  ['a class that is worn', '.card{margin:0}', '.card{margin:0}'],
  ['a class that is not', '.menu{margin:0}', ''],
  ['each selector for itself', '.card,.menu,p{margin:0}', '.card,p{margin:0}'],
  ['all classes of a selector', '.card .menu{margin:0}', ''],
  ['an attribute that is there', '.card[data-size=lg]{margin:0}', '.card[data-size=lg]{margin:0}'],
  ['an attribute that is not', '.card:where([data-size=xs]){margin:0}', ''],
  ['what must not be there', '.card:not([data-busy]){margin:0}', '.card:not([data-busy]){margin:0}'],
  ['commas in brackets', '.card:where(:not([a],[b])){margin:0}', '.card:where(:not([a],[b])){margin:0}'],
  ['what comes with a finger', '.card:hover{margin:0}', ''],
  ['what the page itself has', '[lang=en] .card{margin:0}', '[lang=en] .card{margin:0}'],
  ['blocks in blocks', '@layer a{@media print{.menu{margin:0}}.card{top:0}}', '@layer a{.card{top:0}}'],
  ['statements', '@layer a,b;.card{top:0}', '@layer a,b;.card{top:0}'],
  ['movements', '@keyframes turn{to{rotate:1turn}}', '@keyframes turn{to{rotate:1turn}}'],
  ['variables that are asked for', ':root{--ink:#000;--gap:1px;top:0}', ':root{--ink:#000;top:0}'],
  ['variables of variables', ':root{--ink:var(--dark);--dark:#000}', ':root{--ink:var(--dark);--dark:#000}'],
  ['variables of nobody', ':root{top:0;--a:var(--b);--b:var(--c);--c:0}', ':root{top:0;}'],
])('%s', (_, styles, kept) => expect(criticalStyles(styles, MARKUP)).toBe(kept))
