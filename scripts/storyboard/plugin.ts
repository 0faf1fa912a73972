import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import type { StoryboardData } from './data.ts'
import { PICTURES } from './kept.ts'

const ID = 'virtual:storyboard'
const PAGE = '/storyboard'
const ADDRESS = `${PAGE}/pictures/`

/** Gives the page its data, and in development the pictures that were taken last. `folder`: where the page finds them. */
export const storyboard = (folder = ADDRESS): Plugin => ({
  name: 'passerelle:storyboard',
  resolveId: (id) => (id === ID ? `\0${ID}` : null),
  // Only then: the list of the screens brings the tests' packages along.
  async load(id) {
    if (id !== `\0${ID}`) return null
    const { storyboardData } = await import('./collect.ts')
    return `export default ${JSON.stringify({ ...storyboardData(), folder } satisfies StoryboardData)}`
  },
  configureServer({ middlewares, environments }) {
    middlewares.use(ADDRESS, (request, response, next) => {
      const [, name] = /^\/([\w-]+\.jpg)$/.exec(request.url ?? '') ?? []
      if (!name || !existsSync(join(PICTURES, name))) return next()
      response.setHeader('content-type', 'image/jpeg')
      createReadStream(join(PICTURES, name)).on('error', next).pipe(response)
    })
    // Vite loads a module once, and the command may have been run since then.
    middlewares.use(PAGE, (_request, _response, next) => {
      const { moduleGraph } = environments.client
      const data = moduleGraph.getModuleById(`\0${ID}`)
      if (data) moduleGraph.invalidateModule(data)
      next()
    })
  },
})
