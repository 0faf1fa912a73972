import { existsSync, readFileSync } from 'node:fs'
import { STATES_WITHOUT_SCREEN } from '../../e2e/statesWithoutScreen.ts'
import type { CapturedMachine, Scene } from '../../scenes/scene.ts'
import { SCENES } from '../../scenes/scenes.ts'
import type { ReachedState, SceneStates, StoryboardData } from './data.ts'
import { TEXTS_FILE } from './files.ts'

export const collectStoryboardData = async (): Promise<StoryboardData> => ({
  scenes: await Promise.all(SCENES.map(collectStates)),
  unseen: STATES_WITHOUT_SCREEN,
  texts: existsSync(TEXTS_FILE) ? JSON.parse(readFileSync(TEXTS_FILE, 'utf8')) : {},
})

async function collectStates({ name, at, snapshots = {} }: Scene): Promise<SceneStates> {
  const reached: Record<string, ReachedState> = {}
  for (const [machine, capture] of Object.entries(snapshots)) {
    const { snapshot, transition } = await capture()
    if (transition !== null) reached[machine] = { transition, problem: findProblem(snapshot) }
  }
  return { name, at, reached }
}

/** All machines call it `problem`. */
function findProblem(snapshot: CapturedMachine['snapshot']): string | null {
  const { problem } = (snapshot as { context?: { problem?: unknown } }).context ?? {}
  if (typeof problem !== 'object' || problem === null) return problem ? String(problem) : null
  const { kind, reason, code } = problem as Readonly<Record<string, unknown>>
  return [kind, reason ?? code].filter(Boolean).join(' ')
}
