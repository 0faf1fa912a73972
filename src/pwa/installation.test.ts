import { expect, test } from 'vitest'
import { type Invitation, invitationFor } from './installation.ts'

const ready = { stored: 'earned' as const, isInstalled: false, canPrompt: true, isSafariOnIos: false }
const onIos = { ...ready, canPrompt: false, isSafariOnIos: true }

test.each<[string, Parameters<typeof invitationFor>[0], Invitation | null]>([
  ['after the first success', ready, 'prompt'],
  ['before any success', { ...ready, stored: null }, null],
  ['after an answer', { ...ready, stored: 'answered' }, null],
  ['in the installed app', { ...ready, isInstalled: true }, null],
  ['in a browser that can not install it', { ...ready, canPrompt: false }, null],
  ['in Safari on iOS', onIos, 'share'],
  ['in Safari on iOS, before any success', { ...onIos, stored: null }, null],
  ['in Safari on iOS, after an answer', { ...onIos, stored: 'answered' }, null],
  ['in the installed app on iOS', { ...onIos, isInstalled: true }, null],
])('the invitation to install %s', (_, facts, invitation) => {
  expect(invitationFor(facts)).toBe(invitation)
})
