import { existsSync, readdirSync } from 'node:fs'
import { SCREENS } from '../../e2e/screens.ts'
import { UNSEEN } from '../../e2e/unseen.ts'
import { machines } from '../statecharts/machines.ts'
import { walksIn } from '../statecharts/walks.ts'
import { pictureName, type StoryboardData, VIEWS } from './data.ts'
import { PICTURES, WALKS } from './kept.ts'

/** What the page shows besides the machines: the screens of the checks, and what the tests walked last, and which pictures there are. */
export const storyboardData = (): Omit<StoryboardData, 'folder'> => ({
  screens: SCREENS.map(({ name, at }) => ({ name, at })),
  unseen: UNSEEN,
  // One of the tests walks a machine that is no part of the product.
  walks: (existsSync(WALKS) ? walksIn(WALKS) : [])
    .filter(({ machine }) => machines.some(({ id }) => id === machine))
    .map(({ machine, test, ways }) => ({ machine, test, ways })),
  pictures: picturesIn(existsSync(PICTURES) ? readdirSync(PICTURES) : []),
})

/** Of screens that are gone nobody wants to see a picture. */
function picturesIn(files: readonly string[]): string[] {
  const wanted = new Set(SCREENS.flatMap(({ name }) => VIEWS.map((view) => pictureName(name, view))))
  return files.filter((file) => wanted.has(file))
}
