import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Language } from '../../domain/common/language.ts'
import { getSplashPath, SPLASH_SCREENS } from './splash.ts'

interface Picture {
  src: string
  sizes: string
  type: string
  purpose?: string
}

const read = (path: string) => readFileSync(`public${path}`)
const readManifest = (language: Language) => JSON.parse(read(`/manifest.${language}.webmanifest`).toString())
const manifest = readManifest('fr')
const theme = readFileSync('src/ui/theme.css', 'utf8')
const page = readFileSync('index.html', 'utf8')

function readImageSize(path: string): string {
  const bytes = read(path)
  if (bytes.subarray(1, 4).toString() === 'PNG') return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`
  if (bytes.subarray(8, 16).toString() === 'WEBPVP8X')
    return `${bytes.readUIntLE(24, 3) + 1}x${bytes.readUIntLE(27, 3) + 1}`
  throw new Error(`${path} is of a kind whose size this test can't tell`)
}

const pictures: Picture[] = [
  ...manifest.icons,
  ...manifest.screenshots,
  ...manifest.shortcuts.flatMap(({ icons }: { icons: Picture[] }) => icons),
]

test.each(pictures)('the manifest states the size and type of $src', ({ src, sizes, type }) => {
  expect(readImageSize(src)).toBe(sizes)
  expect(src.endsWith(type.replace('image/', '.'))).toBe(true)
})

test('the app has every icon, screenshot and start image that it needs', () => {
  expect(manifest.icons.map(({ purpose, sizes }: Picture) => `${purpose} ${sizes}`)).toEqual([
    'any 192x192',
    'any 512x512',
    'maskable 192x192',
    'maskable 512x512',
    'monochrome 512x512',
  ])
  const factors = manifest.screenshots.map(({ form_factor }: { form_factor: string }) => form_factor)
  expect(new Set(factors)).toEqual(new Set(['narrow', 'wide']))
  expect(readImageSize('/apple-touch-icon.png')).toBe('180x180')
  for (const [width, height, density] of SPLASH_SCREENS)
    expect(readImageSize(getSplashPath(width, height, density))).toBe(
      `${width * density}x${height * density}`,
    )
})

test('the manifest has the same members and files in both languages', () => {
  const TEXTS = ['lang', 'name', 'description', 'short_name', 'label']
  const withoutTexts = (text: string, value: unknown) => (TEXTS.includes(text) ? typeof value : value)
  const english = readManifest('en')
  expect(JSON.stringify(english, withoutTexts)).toBe(JSON.stringify(manifest, withoutTexts))
  expect([manifest.lang, english.lang, english.id]).toEqual(['fr', 'en', manifest.id])
})

test('iOS makes no links of the page’s numbers, dates and addresses', () => {
  expect(page).toContain(
    '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />',
  )
})

test('manifest and page have the colors of the theme', () => {
  expect(theme).toContain(`--page: ${manifest.background_color};`)
  expect(theme).toContain(`--top: ${manifest.theme_color};`)
  expect(page).toContain(`<meta name="theme-color" content="${manifest.theme_color}"`)
})
