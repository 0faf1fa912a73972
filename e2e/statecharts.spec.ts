import { expect, test } from '@playwright/test'
import type { Mermaid } from 'mermaid'
import { buildChart, flattenStates } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { parseMermaidId, renderMermaid, toMermaidId } from '../statecharts/mermaid.ts'

// Only Mermaid itself can tell whether a diagram is valid, and it needs a browser.
test('Mermaid draws every state as an element with its ID @desk @all', async ({ page }) => {
  await page.addScriptTag({ path: 'node_modules/mermaid/dist/mermaid.min.js' })
  for (const machine of machines) {
    const chart = buildChart(machine)
    const drawn = await page.evaluate(
      async ([id, diagram]) => {
        const { mermaid } = window as unknown as { mermaid: Mermaid }
        document.body.innerHTML = (await mermaid.render(id, diagram)).svg
        return [...document.querySelectorAll('svg g')].map((element) => element.id)
      },
      [`chart-${chart.name}`, renderMermaid(chart)] as const,
    )
    const [, ...states] = flattenStates(chart.root).map(({ id }) => toMermaidId(id))
    expect(drawn.map(parseMermaidId), chart.name).toEqual(expect.arrayContaining(states))
  }
})
