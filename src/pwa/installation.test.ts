import { expect, test } from 'vitest'
import { chooseInstallInvitation, type InstallInvitation } from './installation.ts'

const ready = { stored: 'earned' as const, isInstalled: false, canPrompt: true, isSafariOnIos: false }
const onIos = { ...ready, canPrompt: false, isSafariOnIos: true }

test.each<[string, Parameters<typeof chooseInstallInvitation>[0], InstallInvitation | null]>([
  ['offers the browser’s prompt after the first success', ready, 'prompt'],
  ['offers nothing before any success', { ...ready, stored: null }, null],
  ['offers nothing after an answer', { ...ready, stored: 'answered' }, null],
  ['offers nothing in the installed app', { ...ready, isInstalled: true }, null],
  ['offers nothing in a browser that can’t install the app', { ...ready, canPrompt: false }, null],
  ['explains Safari’s share menu on iOS', onIos, 'share'],
  ['offers nothing in Safari on iOS before any success', { ...onIos, stored: null }, null],
  ['offers nothing in Safari on iOS after an answer', { ...onIos, stored: 'answered' }, null],
  ['offers nothing in the installed app on iOS', { ...onIos, isInstalled: true }, null],
])('chooseInstallInvitation %s', (_, facts, invitation) => {
  expect(chooseInstallInvitation(facts)).toBe(invitation)
})
