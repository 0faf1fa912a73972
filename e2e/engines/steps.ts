import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Server } from '../server.ts'
import { type Person, somebody } from '../steps/people.ts'
import { CARDS } from '../steps/transfer.ts'
import { words } from '../words.ts'
import { expect } from './fixtures.ts'
import type { Visitor } from './visitor.ts'

/** Its letters are on every keyboard. */
export const NAME = 'Mariama Bah'

/** Its name ends with the initials of the person. */
export const MENU = new RegExp(`^${words.menu}`)

/** The signed-out page, once its code is there: a browser lets nobody open a window long after the tap. */
export async function arrive(visitor: Visitor) {
  await visitor.open('/')
  await expect.poll(() => visitor.evaluate(() => window.opening?.isTakenOver)).toBe(true)
}

/** Home, as somebody who signed in on this device before. */
export async function enter(visitor: Visitor, server: Server): Promise<Person> {
  const person = { ...somebody(), name: NAME }
  await server.register(person)
  await visitor.open('/robots.txt')
  await visitor.evaluate(
    (session) => localStorage.setItem(session.name, session.value),
    await server.sessionOf(person),
  )
  await visitor.open('/')
  await visitor.see({ kind: 'heading', name: words.send })
  return person
}

/** From home to the receipt of a transfer of 100 euros. */
export async function pay(visitor: Visitor) {
  await visitor.fill(words.amount, '100')
  await visitor.fill(words.phone, '+224 620 00 00 00')
  await visitor.tick(words.confirmPhone)
  await visitor.press({ kind: 'button', name: words.pay })
  await fillCard(visitor)
  await visitor.press({ kind: 'button', name: words.pay })
  await visitor.see({ kind: 'text', name: words.paid })
}

export async function fillCard(visitor: Visitor) {
  await visitor.fill(words.cardNumber, CARDS.good)
  await visitor.fill(words.expiry, '12 / 34')
  await visitor.fill(words.cvc, '123')
}

export async function chooseGoogle(visitor: Visitor, email: string) {
  await visitor.fill(words.googleName, NAME)
  await visitor.fill(words.googleEmail, email)
  await visitor.press({ kind: 'button', name: words.goOn })
}

export async function signOut(visitor: Visitor) {
  await visitor.press({ kind: 'button', name: MENU })
  await visitor.press({ kind: 'menuitem', name: words.signOut })
  await visitor.see({ kind: 'tab', name: words.emailTab })
}

/** The name of the PDF that the engine has saved last, whole. */
export async function saved({ driver: { downloads } }: Visitor): Promise<string> {
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
