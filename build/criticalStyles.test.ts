import { expect, test } from 'vitest'
import { extractCriticalStyles } from './criticalStyles.ts'

const MARKUP = '<div class="card wide" data-size="lg" style="color:var(--ink)"><p class="text">…</p></div>'

test.each([
  ['keeps a rule for a class in the markup', '.card{margin:0}', '.card{margin:0}'],
  ['drops a rule for a class that the markup lacks', '.menu{margin:0}', ''],
  ['keeps only the matching selectors of a rule', '.card,.menu,p{margin:0}', '.card,p{margin:0}'],
  ['drops a selector if the markup lacks one of its classes', '.card .menu{margin:0}', ''],
  [
    'keeps a rule for an attribute in the markup',
    '.card[data-size=lg]{margin:0}',
    '.card[data-size=lg]{margin:0}',
  ],
  ['drops a rule for an attribute value that the markup lacks', '.card:where([data-size=xs]){margin:0}', ''],
  [
    'keeps a rule that excludes an attribute',
    '.card:not([data-busy]){margin:0}',
    '.card:not([data-busy]){margin:0}',
  ],
  [
    'does not split a selector at commas in brackets',
    '.card:where(:not([a],[b])){margin:0}',
    '.card:where(:not([a],[b])){margin:0}',
  ],
  ['drops a rule for the hover state', '.card:hover{margin:0}', ''],
  ['drops a rule for another element with the class', 'button.card,p.text{margin:0}', 'p.text{margin:0}'],
  ['drops a rule whose class and attribute are on different elements', '.text[data-size=lg]{margin:0}', ''],
  [
    'keeps a rule for what an element contains',
    '.card:has(.text) p{margin:0}',
    '.card:has(.text) p{margin:0}',
  ],
  ['drops a rule for what no element contains', '.card:has([data-busy]) p{margin:0}', ''],
  [
    'keeps a rule for an attribute of the page’s root',
    '[lang=en] .card{margin:0}',
    '[lang=en] .card{margin:0}',
  ],
  [
    'drops nested blocks that become empty',
    '@layer a{@media print{.menu{margin:0}}.card{top:0}}',
    '@layer a{.card{top:0}}',
  ],
  ['keeps statements', '@layer a,b;.card{top:0}', '@layer a,b;.card{top:0}'],
  [
    'drops motion',
    '@keyframes turn{to{rotate:1turn}}.card{animation:turn 1s;transition:top 1s;top:0}',
    '.card{top:0}',
  ],
  ['keeps only the variables that are used', ':root{--ink:#000;--gap:1px;top:0}', ':root{--ink:#000;top:0}'],
  [
    'drops a layer’s variable of the root that the page overrides',
    ':root{--ink:#111}@layer a{:root[lang]{--ink:#000;top:0}.card{--ink:#222}}',
    ':root{--ink:#111}@layer a{:root[lang]{top:0}.card{--ink:#222}}',
  ],
  [
    'keeps variables that other variables use',
    ':root{--ink:var(--dark);--dark:#000}',
    ':root{--ink:var(--dark);--dark:#000}',
  ],
  [
    'drops variables that only unused variables use',
    ':root{top:0;--a:var(--b);--b:var(--c);--c:0}',
    ':root{top:0;}',
  ],
])('extractCriticalStyles %s', (_, styles, kept) => expect(extractCriticalStyles(styles, MARKUP)).toBe(kept))
