// Paints the first screens into index.html, so that a phone shows them before it has fetched any script.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build as viteBuild } from 'vite'
import type { PaintedPage } from '../../src/prerender/render.tsx'
import { criticalStyles } from './critical-styles.ts'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}
export type Manifest = Record<string, Chunk>

type Render = typeof import('../../src/prerender/render.tsx')

const ROOT = join(import.meta.dirname, '../..')
/** What stands in the page itself; the other screens wait in templates. */
const IN_PAGE = 'fr-signIn'

/**
 * Takes a fresh build and writes the painted screens, the styles of those screens and the opening script into its page,
 * and the hashes of what is inline into its security policy.
 */
export async function prerender(mode: string, folder: string) {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const { pages, titles, late } = await paint(mode)
  const entry = chunksOf(manifest, 'index.html')
  const painted = [...entry, ...chunksOf(manifest, 'src/features/auth/Calculator.tsx')]
  const sheets = [...new Set(painted.flatMap(({ css }) => css ?? []))]
  const { fonts, rest } = takeFonts(sheets.map((file) => readFileSync(join(folder, file), 'utf8')).join(''))
  const styles = criticalStyles(rest, pages.map(({ html }) => html).join(''))
  const script = await compileOpening(mode, {
    FILES: {
      app: entry.map(({ file }) => url(file)).reverse(),
      fr: newFiles(manifest, 'src/locales/fr.po', entry),
      en: newFiles(manifest, 'src/locales/en.po', entry),
      signedIn: ['src/shell/Home.tsx', 'src/cache/database.ts'].flatMap((name) =>
        newFiles(manifest, name, entry),
      ),
      signedInWords: {
        fr: newFiles(manifest, 'src/locales/signedIn/fr.po', entry),
        en: newFiles(manifest, 'src/locales/signedIn/en.po', entry),
      },
    },
    TITLES: titles,
    FONTS: fonts,
  })

  const path = join(folder, 'index.html')
  const html = readFileSync(path, 'utf8')
    .replace(/\s*<script type="module"[^>]*><\/script>/g, '')
    .replace(/\s*<link rel="(modulepreload|stylesheet)"[^>]*>/g, '')
    .replace('/icon.svg', () => inlined(join(folder, 'icon.svg')))
    .replace('</head>', () => `<style>${styles}</style>${marks(sheets)}<script>${script}</script></head>`)
    .replace(
      '<div id="root"></div>',
      () =>
        `<div id="root">${pages.find((page) => idOf(page) === IN_PAGE)?.html}</div>${templates(pages, late)}`,
    )
  writeFileSync(path, html)

  const inlineStyles = [...new Set([...html.matchAll(/ style="([^"]*)"/g)].map(([, style]) => decode(style)))]
  allow(folder, 'script-src', [hash(script)])
  // The library gives its controls their measures in style attributes; those that the build wrote are allowed.
  allow(folder, 'style-src', [hash(styles), "'unsafe-hashes'", ...inlineStyles.map(hash)])
}

/** The chunk of that name and all that it imports at once, each once. */
export function chunksOf(manifest: Manifest, name: string, seen = new Set<Chunk>()): Chunk[] {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`The build has no ${name}`)
  if (!seen.has(chunk)) {
    seen.add(chunk)
    for (const imported of chunk.imports ?? []) chunksOf(manifest, imported, seen)
  }
  return [...seen]
}

const url = (file = '') => `/${file}`
/** In the page itself it costs 0.4 kB, and no request that competes with the first paint. */
const inlined = (svg: string) => `data:image/svg+xml,${encodeURIComponent(readFileSync(svg, 'utf8').trim())}`
const idOf = ({ language, painted }: PaintedPage) => `${language}-${painted}`

const newFiles = (manifest: Manifest, name: string, known: Chunk[]) =>
  chunksOf(manifest, name)
    .filter((chunk) => !known.includes(chunk))
    .map(({ file }) => url(file))

const templates = (pages: PaintedPage[], late: Record<string, string>) =>
  [
    ...pages.filter((page) => idOf(page) !== IN_PAGE).map((page) => [idOf(page), page.html]),
    ...Object.entries(late).map(([language, html]) => [`${language}-late`, html]),
  ]
    .map(([id, html]) => `<template id="${id}">${html}</template>`)
    .join('')

/** Where the sheets come to; a disabled link fetches nothing, and the bundler's loader takes it for one that is there. */
const marks = (sheets: string[]) =>
  sheets.map((file) => `<link rel="stylesheet" href="${url(file)}" disabled>`).join('')

async function paint(mode: string): Promise<Awaited<ReturnType<Render['paintedPages']>>> {
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
      // The browser's larger files would bring the home screen's code, which does not end in Node.
      rolldownOptions: { output: { codeSplitting: true } },
    },
  })
  const { paintedPages }: Render = await import(pathToFileURL(join(outDir, 'render.js')).href)
  return paintedPages()
}

async function compileOpening(mode: string, values: Record<string, unknown>): Promise<string> {
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
      lib: { entry: 'src/prerender/opening.ts', formats: ['iife'], name: 'opening' },
    },
  })
  const [result] = Array.isArray(built) ? built : [built]
  const chunk = result && 'output' in result ? result.output[0] : null
  if (!chunk) throw new Error('The opening script could not be compiled')
  return chunk.code.trim().replaceAll('</', '<\\/')
}

/** Takes the fonts out of the styles: declared there they are fetched before the first paint. */
function takeFonts(styles: string) {
  const fonts: { family: string; source: string; weight: string }[] = []
  const rest = styles.replace(/@font-face\s*{([^}]*)}/g, (_, face: string) => {
    const declared = (name: string) => new RegExp(`${name}:\\s*([^;]+)`).exec(face)?.[1]?.trim() ?? ''
    const family = declared('font-family').replace(/^["']|["']$/g, '')
    fonts.push({ family, source: declared('src'), weight: declared('font-weight') || 'normal' })
    return ''
  })
  return { fonts, rest }
}

function allow(folder: string, directive: string, sources: string[]) {
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
