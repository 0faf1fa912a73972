import { expect, test } from 'vitest'
import { findOddWording } from './oddWording.ts'

test.each([
  '/** Who signs in again keeps the form. */',
  '  // What was typed stays\n  // until the next start.',
  '// The price stays. Of two plans the last one wins.',
  '/* Nothing that somebody is about to touch moves. */',
  "test('of two calls the last one wins', () => {})",
  "])('whose %s is missing', () => {})",
  "test.each(['one'])('of %s', () => {})",
  'const priceOf = (plan: Plan) => plan.price',
  'function attemptIn(found: Found) {}',
  "import { type Chart as ChartOf } from './chart.ts'",
  'const MOST_CONTACTS = 500',
  'const MOST = 20',
])('reports odd wording in %s', (source) => {
  expect(findOddWording('a.ts', source)).toEqual([expect.stringMatching(/^a\.ts:1 ".+": write .+\.$/)])
})

test.each([
  'A user who signs in\nand of course pays keeps the form.',
  'What is a slot?\n\n## What may be stored in a form\n\n| What a form may hold |',
  'The caller `nobody` and "somebody"\n\n```\nWho am I\n```',
  '**What goes wrong**',
])('accepts the Markdown %j', (text) => {
  expect(findOddWording('a.md', text)).toEqual([])
})

test('an odd wording’s report names the line where its paragraph starts', () => {
  const text = 'A title\n\n- One item\n- What the second\n  item contains'
  expect(findOddWording('a.md', text)).toEqual([
    'a.md:4 "What the second item contains": write a noun first, such as "The value that …".',
  ])
})

test.each([
  "const nobody = 'Who pays the bill'",
  'export const completeGoogleSignIn = (asOf: number) => signIn(asOf)',
  'const asOf = serverNow()',
  'const isBuiltIn = false',
])('finds no odd wording in the code %s', (code) => {
  expect(findOddWording('a.ts', code)).toEqual([])
})
