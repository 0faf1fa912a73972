import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { reportFilledField } from './filledFields.ts'

const library = dirname(createRequire(import.meta.url).resolve('react-dom/package.json'))
const client = readFileSync(join(library, 'cjs/react-dom-client.production.js'), 'utf8')

function createReactTracker(): { track(node: object): void; updateValueIfChanged(node: object): boolean } {
  const parts = ['isCheckable', 'trackValueOnNode', 'track', 'updateValueIfChanged'].map((name) => {
    const [source] = new RegExp(`^function ${name}\\([\\s\\S]*?^}`, 'm').exec(client) ?? []
    expect(source, `React has no '${name}' any more: see in its source how it follows a field`).toBeDefined()
    return source
  })
  return new Function(`${parts.join('\n')}\nreturn { track, updateValueIfChanged }`)()
}

class Field extends EventTarget {
  readonly nodeName = 'INPUT'
  readonly defaultValue = ''
  #value = 'awa@example.com'
  get value() {
    return this.#value
  }
  set value(value) {
    this.#value = value
  }
}

test('reportFilledField makes React notice a value that was typed before hydration', () => {
  vi.stubGlobal('InputEvent', Event)
  const { track, updateValueIfChanged: hasChanged } = createReactTracker()
  const field = new Field()
  track(field)
  expect(hasChanged(field), 'React hears of it by itself now: src/browser/filledFields.ts can go').toBe(false)
  const heard: unknown[] = []
  field.addEventListener('input', () => heard.push(hasChanged(field)))
  reportFilledField(field as unknown as HTMLInputElement)
  expect(
    heard,
    'React does not look at `_valueTracker` any more: see in its source where it keeps what it knows of a field, for src/browser/filledFields.ts',
  ).toEqual([true])
  expect(field.value).toBe('awa@example.com')
})
