import { describe, expect, test } from 'vitest'
import { DESTINATIONS } from '../../domain/destinations.ts'
import { walletsOf } from '../../domain/wallets.ts'
import { SCREENS } from '../../e2e/screens.ts'
import { FUNCTIONS } from '../../netlify/server/platform/registry.ts'
import { PAGES } from '../../src/shell/pageNames.ts'
import {
  collections,
  missingOfCatalogs,
  missingOfCollection,
  missingOfFunction,
  missingOfPage,
  missingOfParts,
  missingOfWallet,
} from './missing.ts'

const screens = SCREENS.map(({ name }) => name)

describe('nothing is missing', () => {
  test('of a wallet', () => {
    const wallets = DESTINATIONS.flatMap(({ code }) => walletsOf(code))
    expect(wallets.flatMap(missingOfWallet)).toEqual([])
  })

  test('of a screen', () => {
    expect(PAGES.flatMap((name) => missingOfPage(name, screens))).toEqual([])
    expect(missingOfCatalogs()).toEqual([])
    expect(missingOfParts()).toEqual([])
  })

  test('of a function', () => {
    const missing = Object.entries(FUNCTIONS).flatMap(([name, entry]) =>
      missingOfFunction(name, 'guardedBy' in entry),
    )
    expect(missing).toEqual([])
  })

  test('of a collection', () => {
    expect(collections().flatMap((name) => missingOfCollection(name))).toEqual([])
  })
})

describe('of a new one that has only its name, each file is named that lacks something:', () => {
  const filesIn = (sentences: string[]) => sentences.map((sentence) => sentence.split(': ')[0])

  test('a wallet', () => {
    expect(missingOfWallet({ id: 'imagined_money', name: 'Imagined Money' })).toEqual([
      'domain/wallets.test.ts: no row says in which country imagined_money is offered, and after which other.',
      'docs/specification.md: no line names Imagined Money.',
    ])
  })

  test('a screen', () => {
    expect(filesIn(missingOfPage('imagined', screens))).toEqual(['src/shell/', 'e2e/screens/'])
    expect(missingOfCatalogs(['src/features/imagined/ImaginedPage.tsx'])).toEqual([
      'lingui.config.ts: `pages` does not have src/features/imagined/ImaginedPage.tsx, so everybody would load its words with the home screen.',
    ])
    expect(missingOfParts(['e2e/screens/plans.ts'], '')).toEqual([
      'e2e/screens.ts: `PARTS` lacks PLANS_SCREENS of e2e/screens/plans.ts.',
    ])
  })

  test('a function', () => {
    const ofAll = ['netlify/functions/imagined-function.ts', 'docs/architecture.md', 'netlify/']
    expect(filesIn(missingOfFunction('imagined-function', true))).toEqual(ofAll)
    expect(filesIn(missingOfFunction('imagined-function', false))).toEqual([
      'domain/api.ts',
      ...ofAll,
      'src/services/',
      'netlify/access.test.ts',
    ])
  })

  test('a collection', () => {
    expect(filesIn(missingOfCollection('imagined'))).toEqual([
      'firebase/testing/firestore.ts',
      'docs/architecture.md',
    ])
    const going = '| `imagined` | Something | Its owner | Goes |'
    expect(filesIn(missingOfCollection('imagined', going))).toEqual([
      'firebase/testing/firestore.ts',
      'netlify/accountEnd.test.ts',
    ])
  })
})
