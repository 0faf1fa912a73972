import type { Plugin } from 'vite'

/** As the formatter writes it. */
const DESCRIPTION = /\bdescription:\s*'(?:[^'\\]|\\.)*',?/g

/** Descriptions are documentation that the app never shows. */
export const createStripDescriptionsPlugin = (): Plugin => ({
  name: 'passerelle:without-descriptions',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/machines\/\w+\.ts$/ },
    handler: (code) => ({ code: code.replaceAll(DESCRIPTION, ''), map: null }),
  },
})
