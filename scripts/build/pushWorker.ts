import { join } from 'node:path'
import { build, type Plugin } from 'vite'

const SOURCE = join(import.meta.dirname, '../../src/pwa/pushWorker.ts')

/** What the service worker imports: a worker takes no modules, so it is one script. */
export const PUSH_WORKER = 'push.js'

/** Lays the part of the service worker that shows messages beside the app. The app itself does not wait for it. */
export const pushWorker = (): Plugin => ({
  name: 'passerelle:push-worker',
  apply: 'build',
  async generateBundle() {
    const built = await build({
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        target: 'es2022',
        modulePreload: false,
        rolldownOptions: { input: SOURCE, output: { format: 'iife' } },
      },
    })
    const chunks = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
    const [chunk] = chunks
    if (chunks.length !== 1 || chunk?.type !== 'chunk') throw new Error('The worker is more than one file')
    this.emitFile({ type: 'asset', fileName: PUSH_WORKER, source: chunk.code })
  },
})
