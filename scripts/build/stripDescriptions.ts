import type { Plugin } from 'vite'

/** Matches the description of a machine's state, as the formatter writes it. */
const DESCRIPTION = /\bdescription:\s*'(?:[^'\\]|\\.)*',?/g

/**
 * Creates a plugin that removes the state descriptions of machines from a build: they are documentation that
 * the app never shows.
 */
export const createStripDescriptionsPlugin = (): Plugin => ({
  name: 'passerelle:without-descriptions',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/machines\/\w+\.ts$/ },
    handler: (code) => ({ code: code.replaceAll(DESCRIPTION, ''), map: null }),
  },
})
