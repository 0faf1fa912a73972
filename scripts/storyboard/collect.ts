import { existsSync, readFileSync } from 'node:fs'
import { STATES_WITHOUT_SCREEN } from '../../e2e/statesWithoutScreen.ts'
import { SCENES } from '../../scenes/scenes.ts'
import { machines } from '../statecharts/machines.ts'
import { parseWalks } from '../statecharts/walks.ts'
import type { SceneRecord, StoryboardData } from './data.ts'
import { LOOKS_FILE, TEXTS_FILE, WALKS_FILE } from './files.ts'

export const collectStoryboardData = (): StoryboardData => ({
  scenes: SCENES.map(({ name, at }) => ({ name, at })),
  unseen: STATES_WITHOUT_SCREEN,
  // One test walks a machine that is not part of the product.
  walks: (existsSync(WALKS_FILE) ? parseWalks(WALKS_FILE) : [])
    .filter(({ machine }) => machines.some(({ id }) => id === machine))
    .map(({ machine, test, ways }) => ({ machine, test, ways })),
  texts: readStored(TEXTS_FILE),
  looks: readStored(LOOKS_FILE),
})

const readStored = (file: string): SceneRecord =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
