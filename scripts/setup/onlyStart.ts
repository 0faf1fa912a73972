// With `--import` of this file a program has no other packages than those that `npm start` installs, whatever is there.
import { registerHooks } from 'node:module'
import { checkInstalledAtStart } from './startPackages.ts'

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    checkInstalledAtStart(resolved.url, context.parentURL)
    return resolved
  },
})
