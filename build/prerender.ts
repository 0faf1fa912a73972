// A phone shows the prerendered screens before any script is loaded.
import { createHash } from 'node:crypto'
import { appendFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build as viteBuild } from 'vite'
import type { PrerenderedPage } from '../src/prerender/render.tsx'
import { extractCriticalStyles } from './criticalStyles.ts'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}
export type ViteManifest = Record<string, Chunk>

type Render = typeof import('../src/prerender/render.tsx')

const ROOT = join(import.meta.dirname, '..')
/** The home screen needs these before it responds to taps. */
const SIGNED_IN = [
  'src/shell/Home.tsx',
  'src/cache/database.ts',
  'src/cache/drafts.ts',
  'src/features/transfer/recipientParts.ts',
]
/** The other screens are in templates. */
const IN_PAGE = 'fr-signIn'

/** Adds the prerendered screens to a fresh build's page, and the hashes of inline code to its policy. */
export async function prerender(mode: string, folder: string) {
  const manifest: ViteManifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const { pages, titles, late } = await renderScreens(mode)
  const entry = collectChunks(manifest, 'index.html')
  const sheets = listSheets([...entry, ...collectChunks(manifest, 'src/features/auth/PriceCalculator.tsx')])
  const signedIn = SIGNED_IN.flatMap((name) => collectChunks(manifest, name))
  const { fonts, rest } = takeFonts(sheets.map((file) => join(folder, file)))
  const styles = extractCriticalStyles(rest, pages.map(({ html }) => html).join(''))
  // The entry file names the other files, so its hash changes with them, but not with each commit.
  const RELEASE = /-([\w-]{8})\.js$/.exec(entry[0]?.file ?? '')?.[1]
  const beacon = await compile(mode, 'src/services/errorBeacon.ts', 'es', { RELEASE })
  const beaconFile = `assets/beacon-${createHash('sha256').update(beacon).digest('hex').slice(0, 8)}.js`
  writeFileSync(join(folder, beaconFile), beacon)
  const script = await compile(mode, 'src/prerender/opening.ts', 'iife', {
    RELEASE,
    BEACON: url(beaconFile),
    BUILT: {
      app: entry.map(({ file }) => url(file)).reverse(),
      fr: listNewFiles(collectChunks(manifest, 'src/locales/fr.po'), entry),
      en: listNewFiles(collectChunks(manifest, 'src/locales/en.po'), entry),
      signedIn: listNewFiles(signedIn, entry),
      sheets: listSheets(signedIn)
        .filter((file) => !sheets.includes(file))
        .map(url),
    },
    TITLES: titles,
    ELEMENTS: Object.fromEntries(pages.map((page) => [getPageId(page), page.html.match(/<[a-z]/g)?.length])),
    FONTS: fonts,
  })

  const path = join(folder, 'index.html')
  const html = readFileSync(path, 'utf8')
    .replace(/\s*<script type="module"[^>]*><\/script>/g, '')
    .replace(/\s*<link rel="(modulepreload|stylesheet)"[^>]*>/g, '')
    .replace(/\s*<!--.*?-->/gs, '')
    .replace(
      '</head>',
      () => `<style>${styles}</style>${renderDisabledLinks(sheets)}<script>${script}</script></head>`,
    )
    .replace(
      '<div id="root"></div>',
      () =>
        `<div id="root">${pages.find((page) => getPageId(page) === IN_PAGE)?.html}</div>${renderTemplates(pages, late)}`,
    )
  writeFileSync(path, html)

  const inlineStyles = [...new Set([...html.matchAll(/ style="([^"]*)"/g)].map(([, style]) => decode(style)))]
  allowSources(folder, 'script-src', [hash(script)])
  // Mantine sets sizes in style attributes; those in the built page are allowed by hash.
  allowSources(folder, 'style-src', [hash(styles), "'unsafe-hashes'", ...inlineStyles.map(hash)])
  appendFileSync(join(folder, '_headers'), buildCacheRules(globSync('assets/*', { cwd: folder })))
}

/** A rule for the whole folder would also cache the 404 of a missing file. */
export const buildCacheRules = (files: readonly string[]): string =>
  files.map((file) => `${url(file)}\n  Cache-Control: public, max-age=31536000, immutable\n`).join('')

export function collectChunks(manifest: ViteManifest, name: string, seen = new Set<Chunk>()): Chunk[] {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`The build has no ${name}`)
  if (!seen.has(chunk)) {
    seen.add(chunk)
    for (const imported of chunk.imports ?? []) collectChunks(manifest, imported, seen)
  }
  return [...seen]
}

const listSheets = (chunks: Chunk[]) => [...new Set(chunks.flatMap(({ css }) => css ?? []))]

const url = (file = '') => `/${file}`
const getPageId = ({ language, painted }: PrerenderedPage) => `${language}-${painted}`

const listNewFiles = (chunks: Chunk[], known: Chunk[]) =>
  [...new Set(chunks)].filter((chunk) => !known.includes(chunk)).map(({ file }) => url(file))

const renderTemplates = (pages: PrerenderedPage[], late: Record<string, string>) =>
  [
    ...pages.filter((page) => getPageId(page) !== IN_PAGE).map((page) => [getPageId(page), page.html]),
    ...Object.entries(late).map(([language, html]) => [`${language}-late`, html]),
  ]
    .map(([id, html]) => `<template id="${id}">${html}</template>`)
    .join('')

/** A disabled link loads nothing, and the bundler's loader treats it as loaded. */
const renderDisabledLinks = (sheets: string[]) =>
  sheets.map((file) => `<link rel="stylesheet" href="${url(file)}" disabled>`).join('')

async function renderScreens(mode: string): Promise<Awaited<ReturnType<Render['renderFirstScreens']>>> {
  const outDir = join(ROOT, '.cache/prerender')
  rmSync(outDir, { recursive: true, force: true })
  await viteBuild({
    root: ROOT,
    mode,
    logLevel: 'warn',
    build: {
      ssr: 'src/prerender/render.tsx',
      outDir,
      manifest: false,
      copyPublicDir: false,
      // Without code splitting, the bundle would include the home screen, whose code never finishes in Node.
      rolldownOptions: { output: { codeSplitting: true } },
    },
  })
  const { renderFirstScreens }: Render = await import(pathToFileURL(join(outDir, 'render.js')).href)
  return renderFirstScreens()
}

async function compile(
  mode: string,
  script: string,
  format: 'iife' | 'es',
  values: Record<string, unknown>,
): Promise<string> {
  const built = await viteBuild({
    root: ROOT,
    mode,
    configFile: false,
    logLevel: 'warn',
    define: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)])),
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      modulePreload: false,
      lib: { entry: script, formats: [format], name: 'script' },
    },
  })
  const [result] = Array.isArray(built) ? built : [built]
  const chunk = result && 'output' in result ? result.output[0] : null
  if (!chunk) throw new Error(`${script} could not be compiled`)
  return chunk.code.trim().replaceAll('</', '<\\/')
}

/** Removes the fonts from the sheets, because each sheet that brings one lays out the whole page again. */
function takeFonts(sheets: string[]) {
  const fonts: { family: string; source: string; weight: string }[] = []
  const texts = sheets.map((sheet) => {
    const rest = readFileSync(sheet, 'utf8').replace(/@font-face\s*{([^}]*)}/g, (_, face: string) => {
      const declared = (name: string) => new RegExp(`${name}:\\s*([^;]+)`).exec(face)?.[1]?.trim() ?? ''
      const family = declared('font-family').replace(/^["']|["']$/g, '')
      fonts.push({ family, source: declared('src'), weight: declared('font-weight') || 'normal' })
      return ''
    })
    writeFileSync(sheet, rest)
    return rest
  })
  return { fonts, rest: texts.join('') }
}

function allowSources(folder: string, directive: string, sources: string[]) {
  const path = join(folder, '_headers')
  const headers = readFileSync(path, 'utf8')
  const start = `${directive} 'self'`
  if (!headers.includes(start)) throw new Error(`public/_headers has no "${start}"`)
  writeFileSync(path, headers.replace(start, `${start} ${sources.join(' ')}`))
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const decode = (attribute = '') =>
  attribute
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
