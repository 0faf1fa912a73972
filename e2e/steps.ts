import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import type { Server } from './fixtures.ts'

/** The words that a test reads on the screen, by language; the app's own catalogs are not asked. */
export const WORDS = {
  fr: {
    createInstead: 'Créer un compte',
    createAccount: 'Créer mon compte',
    signIn: 'Se connecter',
    name: 'Nom complet',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    verify: 'Vérifiez votre adresse e-mail',
    welcome: 'Bienvenue!',
    backToSignIn: 'Retour à la connexion',
    send: 'Envoyer de l’argent',
    amount: 'Montant que vous payez',
    phone: 'Téléphone du bénéficiaire',
    coupon: 'Code promo (facultatif)',
    confirmPhone: 'Je confirme que le numéro de téléphone est correct',
    pay: /^Payer/,
    paid: 'Paiement réussi',
    receipt: 'Reçu de transfert',
    download: 'Télécharger le reçu (PDF)',
    done: 'Terminé',
    activity: 'Activité récente',
    menu: 'Menu du profil',
    signOut: 'Se déconnecter',
    cardNumber: 'Numéro de carte',
    expiry: 'Date d’expiration',
    cvc: 'Code de sécurité',
  },
  en: {
    createInstead: 'Create an account',
    createAccount: 'Create my account',
    signIn: 'Sign in',
    name: 'Full name',
    email: 'Email address',
    password: 'Password',
    verify: 'Verify your email address',
    welcome: 'Welcome!',
    backToSignIn: 'Back to sign-in',
    send: 'Send money',
    amount: 'Amount you pay',
    phone: 'Recipient’s phone',
    coupon: 'Promo code (optional)',
    confirmPhone: 'I confirm that the phone number is correct',
    pay: /^Pay/,
    paid: 'Payment successful',
    receipt: 'Transfer receipt',
    download: 'Download the receipt (PDF)',
    done: 'Done',
    activity: 'Recent activity',
    menu: 'Profile menu',
    signOut: 'Sign out',
    cardNumber: 'Card number',
    expiry: 'Expiration date',
    cvc: 'Security code',
  },
} as const

export type Words = (typeof WORDS)['fr' | 'en']

export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  noFunds: '4000000000009995',
  threeDSecure: '4000002760003184',
  threeDSecureThenDeclined: '4000008400001629',
} as const

export interface Person {
  readonly name: string
  readonly email: string
  readonly password: string
}

export const somebody = (): Person => ({
  name: 'Aïssatou Diallo',
  email: `aissatou-${randomUUID()}@example.com`,
  password: 'Passerelle1',
})

export async function speak(page: Page, language: 'fr' | 'en') {
  await page.goto('/')
  await page.getByRole('button', { name: language === 'fr' ? 'Français' : 'English' }).click()
}

/** From the signed-out screen to the verification screen. */
export async function signUp(page: Page, words: Words, person: Person) {
  await page.getByRole('button', { name: words.createInstead }).click()
  await page.getByLabel(words.name).fill(person.name)
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
  await page.getByRole('button', { name: words.createAccount }).click()
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
}

export async function signIn(page: Page, words: Words, person: Person) {
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
  await page.getByRole('button', { name: words.signIn }).click()
}

/** A verified person on the home screen, as anybody gets there. */
export async function arriveHome(page: Page, server: Server, language: 'fr' | 'en' = 'fr'): Promise<Person> {
  const words = WORDS[language]
  const person = somebody()
  await speak(page, language)
  await signUp(page, words, person)
  await page.goto(await server.mailLink(person.email))
  await page.getByRole('link', { name: /Continuer|Continue/ }).click()
  await expect(page.getByRole('heading', { name: words.send })).toBeVisible()
  return person
}

export async function fillTransfer(
  page: Page,
  words: Words,
  { amount, phone = '+224 620 00 00 00' }: { amount: string; phone?: string },
) {
  await page.getByLabel(words.amount).fill(amount)
  await page.getByLabel(words.phone).fill(phone)
  await page.getByLabel(words.confirmPhone).check()
}

export async function typeCard(page: Page, words: Words, number: string) {
  const frame = page.frameLocator('iframe[src*="payment-element"]')
  await frame.getByLabel(words.cardNumber).fill(number)
  await frame.getByLabel(words.expiry).fill('12 / 34')
  await frame.getByLabel(words.cvc).fill('123')
}

/** The button in the payment sheet. */
export const payButton = (page: Page, words: Words) =>
  page.getByRole('dialog').getByRole('button', { name: words.pay })
