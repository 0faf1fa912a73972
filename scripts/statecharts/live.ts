// The page `/statecharts` of the development server: every machine, with the states lit up that the machines of the other
// tabs are in. It needs no network, and is in no build.
import mermaid from 'mermaid'
import { CHANNEL, type Message, type Running } from '../../src/inspection/tell.ts'
import { activeStates, chartOf } from './chart.ts'
import { machines } from './machines.ts'
import { drawnState, mermaidId, mermaidOf } from './mermaid.ts'

const running = new Map<string, Running>()
const channel = new BroadcastChannel(CHANNEL)
const say = (message: Message) => channel.postMessage(message)

mermaid.initialize({ startOnLoad: false, theme: 'neutral' })
for (const machine of machines) await draw(machine.id, mermaidOf(chartOf(machine)))

channel.addEventListener('message', ({ data }: { data: Message }) => {
  if (data.kind === 'running') running.set(keyOf(data.tab, data.actor), data)
  if (data.kind === 'ended')
    for (const [key, { tab, actor }] of running)
      if (tab === data.tab && (data.actor === null || data.actor === actor)) running.delete(key)
  for (const { id } of machines) light(id)
})
ask()
// A tab that crashed has not said so.
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && ask())

function ask() {
  running.clear()
  for (const { id } of machines) light(id)
  say({ kind: 'ask' })
}

async function draw(id: string, diagram: string) {
  const section = document.createElement('section')
  section.id = id
  section.innerHTML = `<h2>${id}</h2><p class="where"></p><div class="chart"></div>`
  document.getElementById('charts')?.append(section)
  const link = document.createElement('a')
  link.href = `#${id}`
  link.textContent = id
  document.getElementById('machines')?.append(link)
  const { svg } = await mermaid.render(`chart-${id}`, diagram)
  const chart = section.querySelector('.chart')
  if (chart) chart.innerHTML = svg
}

function light(id: string) {
  const here = [...running.values()].filter(({ machine }) => machine === id)
  const on = new Set(here.flatMap(({ value }) => activeStates(value)).map(mermaidId))
  for (const node of document.querySelectorAll(`#${id} svg g[id*="-state-"]`)) {
    node.classList.toggle('lit', on.has(drawnState(node.id) ?? ''))
  }
  document.querySelector(`nav a[href="#${id}"]`)?.classList.toggle('lit', here.length > 0)
  const where = document.querySelector(`#${id} .where`)
  if (where) where.textContent = here.map(whereText).join(' · ') || 'Not running.'
}

function whereText({ value, event }: Running): string {
  const states = activeStates(value)
  const innermost = states.filter((one) => !states.some((other) => other.startsWith(`${one}.`)))
  return `In ${innermost.join(' and ')}; the last event was ${event}`
}

function keyOf(tab: string, actor: number): string {
  return `${tab} ${actor}`
}
