import { expect, test } from '@playwright/test'
import type { Mermaid } from 'mermaid'
import { chartOf, withInner } from '../scripts/statecharts/chart.ts'
import { machines } from '../scripts/statecharts/machines.ts'
import { drawnState, mermaidId, mermaidOf } from '../scripts/statecharts/mermaid.ts'

// Mermaid itself says whether it can read a diagram, and takes a browser for it.
test('every state of every machine is drawn, under the name by which it lights up', async ({ page }) => {
  await page.addScriptTag({ path: 'node_modules/mermaid/dist/mermaid.min.js' })
  for (const machine of machines) {
    const chart = chartOf(machine)
    const drawn = await page.evaluate(
      async ([id, diagram]) => {
        const { mermaid } = window as unknown as { mermaid: Mermaid }
        document.body.innerHTML = (await mermaid.render(id, diagram)).svg
        return [...document.querySelectorAll('svg g')].map((element) => element.id)
      },
      [`chart-${chart.name}`, mermaidOf(chart)] as const,
    )
    const [, ...states] = withInner(chart.root).map(({ id }) => mermaidId(id))
    expect(drawn.map(drawnState), chart.name).toEqual(expect.arrayContaining(states))
  }
})
