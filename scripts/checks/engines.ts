// Checks the built files against MDN's compatibility data: no built-in, syntax or style that a supported
// engine lacks.
import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { ensureBuilt, getAppFolder } from '../build/build.ts'
import {
  findMissingPageFeatures,
  findMissingScriptFeatures,
  findMissingStyleFeatures,
} from '../build/engineFeatures.ts'

const OTHER_METHOD = "A library's method of the same name"
const LOOKED_FOR = 'The code checks for it before using it'
const BETTER_WITH = 'The screen can be read and used without it'

const TOLERATED: Readonly<Record<string, string>> = {
  '.defer()': OTHER_METHOD,
  '.dispose()': OTHER_METHOD,
  '.error()': OTHER_METHOD,
  '.resize()': OTHER_METHOD,
  '.toArray()': OTHER_METHOD,
  '.toBase64()': OTHER_METHOD,
  '.toHex()': OTHER_METHOD,
  '.use()': OTHER_METHOD,
  '.intersection()': LOOKED_FOR,
  'AbortSignal.timeout': 'Chrome before 124 aborts with another error, which the app does not read',
  BarcodeDetector: LOOKED_FOR,
  CloseWatcher: LOOKED_FOR,
  'Document.adoptedStyleSheets': LOOKED_FOR,
  'Error.captureStackTrace': LOOKED_FOR,
  'IDBFactory.databases': LOOKED_FOR,
  'Navigator.canShare': LOOKED_FOR,
  'Navigator.connection': LOOKED_FOR,
  'Navigator.setAppBadge': LOOKED_FOR,
  'Navigator.share': LOOKED_FOR,
  'Navigator.userActivation': LOOKED_FOR,
  'Navigator.userAgentData': LOOKED_FOR,
  'Navigator.vibrate': LOOKED_FOR,
  Notification: LOOKED_FOR,
  'Notification.permission': LOOKED_FOR,
  'Notification.requestPermission': LOOKED_FOR,
  Temporal: LOOKED_FOR,
  'Temporal.Instant': LOOKED_FOR,
  TouchEvent: LOOKED_FOR,
  'Uint8Array.fromBase64': LOOKED_FOR,
  'Window.navigation': LOOKED_FOR,
  scheduler: LOOKED_FOR,
  Profiler: 'A component of React',
  Rect: 'A variable of jsPDF',
  ViewTransition: 'A component of React',
  ':has': 'A chosen tile has its mark without it, and the page behind a sheet may move',
  'break-after: avoid': BETTER_WITH,
  'cursor: default': 'A phone has no cursor',
  'cursor: not-allowed': 'A phone has no cursor',
  'cursor: pointer': 'A phone has no cursor',
  outline: 'Its corners are square without it',
  'overflow-anchor': BETTER_WITH,
  'overflow-anchor: none': BETTER_WITH,
  'overscroll-behavior-y': 'On a page too short to scroll, the browser’s own pull may reload the app too',
  resize: BETTER_WITH,
  'resize: none': BETTER_WITH,
  'text-box-edge': BETTER_WITH,
  'text-box-edge: alphabetic': BETTER_WITH,
  'text-box-edge: cap': BETTER_WITH,
  'text-box-trim': BETTER_WITH,
  'text-box-trim: trim-both': BETTER_WITH,
  'text-wrap': BETTER_WITH,
  'text-wrap: balance': BETTER_WITH,
}

const READERS: Readonly<Record<string, (text: string) => string[]>> = {
  '.js': findMissingScriptFeatures,
  '.css': findMissingStyleFeatures,
  '.html': findMissingPageFeatures,
}

ensureBuilt('sandbox')
const folder = getAppFolder('sandbox')
const found = globSync('**/*.{js,css,html}', { cwd: folder }).flatMap((file) =>
  (READERS[extname(file)]?.(readFileSync(join(folder, file), 'utf8')) ?? []).map((feature) => ({
    file,
    feature,
  })),
)
const refused = found.filter(({ feature }) => !(feature in TOLERATED))
for (const { file, feature } of refused)
  console.error(`${file} uses ${feature}, which a supported engine lacks`)
const idle = Object.keys(TOLERATED).filter((name) => !found.some(({ feature }) => feature === name))
for (const name of idle) console.error(`No built file uses ${name}: remove it from scripts/checks/engines.ts`)
process.exit(refused.length + idle.length > 0 ? 1 : 0)
