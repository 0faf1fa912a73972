import { expect, type Page } from '@playwright/test'
import type { ExpectedStates } from '../../scenes/scene.ts'
import type { RunningMachine } from '../../src/inspection/machineList.ts'
import { nameStates } from '../../statecharts/chart.ts'

declare global {
  interface Window {
    /** Only in the build `inspected`. */
    listRunningMachines?: () => readonly RunningMachine[]
  }
}

/** Automatic transitions may come first. */
export async function expectMachineStates(
  page: Page,
  { name, at }: { readonly name: string; readonly at: ExpectedStates },
) {
  const expected = Object.entries(at).filter(([, state]) => state !== null)
  const readStates = async () => nameStates(await page.evaluate(() => window.listRunningMachines?.() ?? []))
  await expect.poll(readStates, name).toEqual(Object.fromEntries(expected))
}
