import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import type { Server } from './server.ts'

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
    forgotPassword: 'Mot de passe oublié ?',
    addressWanted: 'Veuillez entrer votre adresse e-mail',
    mailOnItsWay: 'Si un compte existe à cette adresse',
    wrongPassword: 'Adresse e-mail ou mot de passe incorrect.',
    nameWanted: 'Saisissez votre nom complet',
    addressVerified: 'Votre adresse e-mail est vérifiée.',
    amountTooLow: 'Le montant minimum par transfert',
    phonePrefixWrong: 'Le numéro doit commencer par',
    couponWrong: 'Format de code promo invalide',
    noTransfers: 'Aucun transfert pour l’instant.',
    historyFailed: 'Pas de réseau : voici les transferts',
    offline: 'Vous êtes hors ligne',
    capReached: 'Plafond mensuel atteint',
    cardFormOpening: 'Ouverture du formulaire sécurisé…',
    cardFormFailed: 'Le formulaire de carte n’a pas pu s’ouvrir',
    cardIncomplete: 'Vérifiez les champs de la carte',
    declined: 'Le paiement a échoué',
    recording: 'Un instant…',
    checking: 'Paiement en vérification',
    leaveChecking: 'Continuer sans attendre',
    stillChecking: 'Un paiement est encore en vérification',
    backToTransfer: 'Revenir au transfert',
    authenticate: 'Terminer l’authentification',
    close: 'Fermer',
    startFailed: 'Une erreur d’authentification est survenue.',
    opening: 'Ouverture de votre compte…',
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
    forgotPassword: 'Forgot your password?',
    addressWanted: 'Please enter your email address',
    mailOnItsWay: 'If there is an account at this address',
    wrongPassword: 'Invalid email or password.',
    nameWanted: 'Please enter your full name',
    addressVerified: 'Your email address is verified.',
    amountTooLow: 'Minimum transfer amount',
    phonePrefixWrong: 'Phone number must start with',
    couponWrong: 'Invalid coupon code format',
    noTransfers: 'No transfers yet.',
    historyFailed: 'No network: these are the transfers',
    offline: 'You are offline',
    capReached: 'Monthly limit reached',
    cardFormOpening: 'Opening the secure form…',
    cardFormFailed: 'The card form could not be opened',
    cardIncomplete: 'Check the card details',
    declined: 'The payment failed',
    recording: 'One moment…',
    checking: 'Checking the payment',
    leaveChecking: 'Go on without waiting',
    stillChecking: 'A payment is still being checked',
    backToTransfer: 'Back to the transfer',
    authenticate: 'Complete authentication',
    close: 'Close',
    startFailed: 'Authentication error occurred.',
    opening: 'Opening your account…',
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
  await expect(page.locator('html')).toHaveAttribute('lang', language)
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

/** The provider's form in the payment sheet. */
export const cardFrame = (page: Page) => page.frameLocator('iframe[src*="payment-element"]')

export async function typeCard(page: Page, words: Words, number: string) {
  const frame = cardFrame(page)
  await frame.getByLabel(words.cardNumber).fill(number)
  await frame.getByLabel(words.expiry).fill('12 / 34')
  await frame.getByLabel(words.cvc).fill('123')
}

/** The button in the payment sheet. */
export const payButton = (page: Page, words: Words) =>
  page.getByRole('dialog').getByRole('button', { name: words.pay })
