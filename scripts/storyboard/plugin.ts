import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import type { StoryboardData } from './data.ts'
import { PICTURES } from './kept.ts'

const ID = 'virtual:storyboard'
const ADDRESS = '/storyboard/pictures/'

/** Gives the page its data, and in development the pictures that were taken last. `pictures`: where the page finds them. */
export const storyboard = (pictures: string | null = existsSync(PICTURES) ? ADDRESS : null): Plugin => ({
  name: 'passerelle:storyboard',
  resolveId: (id) => (id === ID ? `\0${ID}` : null),
  // Only then: the list of the screens brings the tests' packages along.
  async load(id) {
    if (id !== `\0${ID}`) return null
    const { storyboardData } = await import('./collect.ts')
    return `export default ${JSON.stringify({ ...storyboardData(), pictures } satisfies StoryboardData)}`
  },
  configureServer({ middlewares }) {
    middlewares.use(ADDRESS, (request, response, next) => {
      const file = join(PICTURES, /^\/([\w-]+\.jpg)$/.exec(request.url ?? '')?.[1] ?? '')
      if (!existsSync(file)) return next()
      response.setHeader('content-type', 'image/jpeg')
      createReadStream(file).pipe(response)
    })
  },
})
