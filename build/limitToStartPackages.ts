// `--import` limits a program to the packages that `npm start` installs.
import { registerHooks } from 'node:module'
import { assertInstalledAtStart } from './startPackages.ts'

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    assertInstalledAtStart(resolved.url, context.parentURL)
    return resolved
  },
})
