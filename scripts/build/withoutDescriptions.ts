import type { Plugin } from 'vite'

/** As the formatter writes them in a state of a machine. */
const DESCRIPTION = /\bdescription:\s*'(?:[^'\\]|\\.)*',?/g

/** Leaves out of a build what the machines say about their states: it is for who reads or draws them, and the app shows none of it. */
export const withoutDescriptions = (): Plugin => ({
  name: 'passerelle:without-descriptions',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/machines\/\w+\.ts$/ },
    handler: (code) => ({ code: code.replaceAll(DESCRIPTION, ''), map: null }),
  },
})
