import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Server } from '../server.ts'
import { createPerson, type Person } from '../steps/person.ts'
import { CARD_NUMBERS } from '../steps/transfer.ts'
import { words } from '../words.ts'
import { expect } from './fixtures.ts'
import type { Visitor } from './visitor.ts'

/** A name whose letters are on every keyboard. */
export const VISITOR_NAME = 'Mariama Bah'

/** The name of the menu button, which ends with the user's initials. */
export const MENU_BUTTON_NAME = new RegExp(`^${words.menu}`)

/**
 * Opens the signed-out page, and waits for its chunk: a browser refuses to open a window too long after a
 * tap.
 */
export async function openSignedOutPage(visitor: Visitor) {
  await visitor.open('/')
  await expect.poll(() => visitor.evaluate(() => window.opening?.isTakenOver)).toBe(true)
}

/** Opens the home screen for a user who has signed in on this device before. */
export async function openSignedInHome(visitor: Visitor, server: Server): Promise<Person> {
  const person = { ...createPerson(), name: VISITOR_NAME }
  await server.register(person)
  await visitor.open('/robots.txt')
  await visitor.evaluate(
    (session) => localStorage.setItem(session.name, session.value),
    await server.buildSession(person),
  )
  await visitor.open('/')
  await visitor.see({ kind: 'heading', name: words.send })
  return person
}

/** Pays a transfer of 100 EUR from the home screen, up to the receipt. */
export async function payExampleTransfer(visitor: Visitor) {
  await visitor.fill(words.amount, '100')
  await visitor.fill(words.phone, '+224 620 00 00 00')
  await visitor.tick(words.confirmPhone)
  await visitor.press({ kind: 'button', name: words.pay })
  await fillCard(visitor)
  await visitor.press({ kind: 'button', name: words.pay })
  await visitor.see({ kind: 'text', name: words.paid })
}

export async function fillCard(visitor: Visitor) {
  await visitor.fill(words.cardNumber, CARD_NUMBERS.good)
  await visitor.fill(words.expiry, '12 / 34')
  await visitor.fill(words.cvc, '123')
}

export async function completeGoogleSignIn(visitor: Visitor, email: string) {
  await visitor.fill(words.googleName, VISITOR_NAME)
  await visitor.fill(words.googleEmail, email)
  await visitor.press({ kind: 'button', name: words.goOn })
}

export async function signOut(visitor: Visitor) {
  await visitor.press({ kind: 'button', name: MENU_BUTTON_NAME })
  await visitor.press({ kind: 'menuitem', name: words.signOut })
  await visitor.see({ kind: 'tab', name: words.emailTab })
}

/** Waits until the engine has saved a PDF, deletes it and returns its name. */
export async function waitForSavedPdf({ driver: { downloads } }: Visitor): Promise<string> {
  let name = ''
  await expect
    .poll(async () => {
      const files = await readdir(downloads).catch(() => [])
      name = files.find((file) => file.endsWith('.pdf')) ?? ''
      return name && (await readFile(join(downloads, name))).subarray(0, 5).toString()
    })
    .toBe('%PDF-')
  await rm(join(downloads, name))
  return name
}
