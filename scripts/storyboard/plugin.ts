import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { FRAME_FOLDER } from '../../scenes/build/folder.ts'

const ID = 'virtual:storyboard'
const PAGE = '/storyboard'
const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css' } as const

export const createStoryboardPlugin = (): Plugin => ({
  name: 'passerelle:storyboard',
  resolveId: (id) => (id === ID ? `\0${ID}` : null),
  // Imported here because the scenes import the whole app.
  async load(id) {
    if (id !== `\0${ID}`) return null
    const { collectStoryboardData } = await import('./collect.ts')
    return `export default ${JSON.stringify(await collectStoryboardData())}`
  },
  configureServer({ middlewares, environments }) {
    middlewares.use(async (request, response, next) => {
      const [, file, type] = /^\/((?:frame|scene)\.(html|js|css))(?:\?|$)/.exec(request.url ?? '') ?? []
      if (!file || !type) return next()
      // Imported here because it imports the app's build.
      if (type === 'html') (await import('../../scenes/build/frame.ts')).ensureFrameBuilt()
      response.setHeader('content-type', TYPES[type as keyof typeof TYPES])
      createReadStream(join(FRAME_FOLDER, file)).on('error', next).pipe(response)
    })
    // Vite caches the data, but `npm run storyboard` may have collected new texts since.
    middlewares.use(PAGE, (_request, _response, next) => {
      const { moduleGraph } = environments.client
      const data = moduleGraph.getModuleById(`\0${ID}`)
      if (data) moduleGraph.invalidateModule(data)
      next()
    })
  },
})
