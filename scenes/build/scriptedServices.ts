import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const ROOT = join(import.meta.dirname, '../..')
const SCENES = join(ROOT, 'scenes/frame')

/** Matches the services that call nothing outside of the browser, and are not replaced. */
const REAL =
  /(?:authFailure|errorBeacon|googleReturn|operator|promisedMinutes|receiptKeys|settings|smsFailure|storedAccount|support)$/

const LATER_IMPORT = /\bimport\((['"])(\S+?\/(\w+)\.tsx?)\1\)/g

/** Scripts the services' answers, restores snapshots, and can simulate a chunk that has not loaded. */
export const createScriptedServicesPlugin = (): Plugin => ({
  name: 'passerelle:scripted-services',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!/\/(?:services\/\w+|inspection\/useActorRef)\.ts$|^\.\/\w+\.ts$/.test(source)) return null
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
    if (resolved?.id.endsWith('/src/inspection/useActorRef.ts')) return join(SCENES, 'useActorRef.ts')
    const [, name = ''] = /\/src\/services\/(\w+)\.ts$/.exec(resolved?.id ?? '') ?? []
    return name && !REAL.test(name) ? `\0service:${name}.ts` : null
  },
  transform(code, id) {
    if (!id.startsWith(join(ROOT, 'src/'))) return null
    return code.replaceAll(LATER_IMPORT, "sceneImport('$3', () => import('$2'))")
  },
  load(id) {
    const [, name] = /^\0service:(\w+)\.ts$/.exec(id) ?? []
    if (!name) return null
    const source = readFileSync(join(ROOT, `src/services/${name}.ts`), 'utf8')
    const exported = [...source.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(
      ([, one]) => one,
    )
    return [
      `import { answerCall } from ${JSON.stringify(join(SCENES, 'answerCall.ts'))}`,
      ...exported.map((one) => `export const ${one} = (...given) => answerCall('${name}', '${one}', given)`),
    ].join('\n')
  },
})
