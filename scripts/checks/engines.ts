// Checks the built files against MDN's compatibility data: no built-in, syntax or style that a supported
// engine lacks.
import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { ensureBuilt, getAppFolder } from '../../build/build.ts'
import {
  findMissingPageFeatures,
  findMissingScriptFeatures,
  findMissingStyleFeatures,
} from '../../build/engineFeatures.ts'

/** Names by the reason why the app may use them. */
const TOLERATED: Readonly<Record<string, string>> = {
  "A library's method of the same name":
    '.defer() .dispose() .error() .resize() .toArray() .toBase64() .toHex() .use()',
  'The code checks for it before using it':
    '.intersection() BarcodeDetector CloseWatcher Document.adoptedStyleSheets Error.captureStackTrace ' +
    'IDBFactory.databases Navigator.canShare Navigator.connection Navigator.setAppBadge Navigator.share ' +
    'Navigator.userActivation Navigator.userAgentData Navigator.vibrate Notification Notification.permission ' +
    'Notification.requestPermission Temporal Temporal.Instant TouchEvent Uint8Array.fromBase64 ' +
    'Window.navigation scheduler',
  'Chrome before 124 aborts with another error, which the app does not read': 'AbortSignal.timeout',
  'A component of React': 'Profiler ViewTransition',
  'A variable of jsPDF': 'Rect',
  'A chosen tile has its mark without it, and the page behind a sheet may move': ':has',
  'A phone has no cursor': 'cursor:default cursor:not-allowed cursor:pointer',
  'Its corners are square without it': 'outline',
  'On a page too short to scroll, the browser’s own pull may reload the app too': 'overscroll-behavior-y',
  'The screen can be read and used without it':
    'break-after:avoid overflow-anchor overflow-anchor:none resize resize:none text-box-edge ' +
    'text-box-edge:alphabetic text-box-edge:cap text-box-trim text-box-trim:trim-both text-wrap text-wrap:balance',
}
const TOLERATED_NAMES = Object.values(TOLERATED).flatMap((names) => names.split(' '))

const READERS: Readonly<Record<string, (text: string) => string[]>> = {
  '.js': findMissingScriptFeatures,
  '.css': findMissingStyleFeatures,
  '.html': findMissingPageFeatures,
}

ensureBuilt('sandbox')
const folder = getAppFolder('sandbox')
const uses = globSync('**/*.{js,css,html}', { cwd: folder }).flatMap((file) =>
  (READERS[extname(file)]?.(readFileSync(join(folder, file), 'utf8')) ?? []).map((feature) => ({
    file,
    feature,
  })),
)
const refused = uses.filter(({ feature }) => !TOLERATED_NAMES.includes(feature))
for (const { file, feature } of refused)
  console.error(`${file} uses ${feature}, which a supported engine lacks`)
const idle = TOLERATED_NAMES.filter((name) => !uses.some(({ feature }) => feature === name))
for (const name of idle) console.error(`No built file uses ${name}: remove it from scripts/checks/engines.ts`)
process.exit(refused.length + idle.length > 0 ? 1 : 0)
