import { existsSync } from 'node:fs'
import { SCREENS } from '../../e2e/screens.ts'
import { UNSEEN } from '../../e2e/unseen.ts'
import { machines } from '../statecharts/machines.ts'
import { walksIn } from '../statecharts/walks.ts'
import type { StoryboardData } from './data.ts'
import { WALKS } from './kept.ts'

/** What the page shows besides the machines: the screens of the checks, and what the tests walked last. */
export const storyboardData = (): Omit<StoryboardData, 'pictures'> => ({
  screens: SCREENS.map(({ name, at }) => ({ name, at })),
  unseen: UNSEEN,
  // One of the tests walks a machine that is no part of the product.
  walks: (existsSync(WALKS) ? walksIn(WALKS) : [])
    .filter(({ machine }) => machines.some(({ id }) => id === machine))
    .map(({ machine, test, ways }) => ({ machine, test, ways })),
})
