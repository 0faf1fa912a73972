// `node_modules/.bin/node scripts/pictures/receipt-fonts.ts`: makes the fonts of the receipt PDF from Inter
// (SIL Open Font License 1.1). Needed only to change their glyphs.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const INTER = '@expo-google-fonts/inter'
const PACKAGES = [`${INTER}@0.4.2`, 'subset-font@2.9.0']
const TARGET = join(import.meta.dirname, '../../print')

const SIGNS = [
  [0x20, 0x7e],
  [0x2010, 0x2027],
  [0x2030, 0x203a],
  [0x20ac, 0x20ac],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
  [0x25a1, 0x25a1],
] as const

// Names need the letters of all languages in Latin script. Special spaces and U+02BC, whose glyph is that of
// U+2019, are left out; receiptPage.ts replaces them.
const NAMES = [
  ...SIGNS,
  [0xa1, 0xac],
  [0xae, 0x2af],
  [0x2b9, 0x2bb],
  [0x2bd, 0x2dd],
  [0x300, 0x331],
  [0x1e00, 0x1eff],
] as const

const FONTS = [
  { weight: '400Regular', file: 'inter-400.json', ranges: NAMES },
  { weight: '600SemiBold', file: 'inter-600.json', ranges: [...SIGNS, [0xa1, 0xac], [0xae, 0x17f]] },
] as const

const folder = mkdtempSync(join(tmpdir(), 'receipt-fonts-'))
try {
  const npm = spawnSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...PACKAGES], {
    stdio: 'inherit',
  })
  if (npm.status !== 0) throw new Error('The font and the subsetter could not be installed.')
  const subset = createRequire(join(folder, 'package.json'))('subset-font')
  const inter = join(folder, 'node_modules', INTER)
  for (const { weight, file, ranges } of FONTS) {
    const whole = readFileSync(join(inter, weight, `Inter_${weight}.ttf`))
    const characters = ranges.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
    )
    const font: Uint8Array = await subset(whole, characters.join(''), {
      targetFormat: 'sfnt',
      noHinting: true,
      noLayoutClosure: true,
      keepFeatures: [],
      dropTables: ['GDEF', 'GPOS', 'GSUB', 'STAT', 'gasp', 'prep'],
    })
    const base64 = Buffer.from(font).toString('base64')
    writeFileSync(join(TARGET, file), `${JSON.stringify({ base64 }, null, 2)}\n`)
    console.log(`${file}: ${font.length} bytes`)
  }
  copyFileSync(join(inter, 'LICENSE_FONT'), join(TARGET, 'inter-LICENSE.txt'))
} finally {
  rmSync(folder, { recursive: true })
}
