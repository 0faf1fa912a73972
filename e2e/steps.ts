import { randomInt, randomUUID } from 'node:crypto'
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
    signInAgain: 'Reconnectez-vous',
    wayRemoved: 'Un autre moyen de connexion avait été ajouté à ce compte',
    signInByAddress: 'Connectez-vous avec votre adresse e-mail',
    signInByNumber: 'Connectez-vous avec votre numéro',
    send: 'Envoyer de l’argent',
    amount: 'Montant que vous payez',
    crashed: 'L’application a rencontré un problème.',
    codeMissing: 'Une partie de l’application n’est pas arrivée.',
    guinea: 'Guinée',
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
    signedOut: 'Vous êtes déconnecté.',
    signOutFailed: 'La déconnexion a échoué. Réessayez.',
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
    offlineBar: 'Hors ligne. Vos transferts',
    draftKept: 'Votre transfert est resté là',
    clearDraft: 'Effacer et recommencer',
    initFailed: 'Le paiement n’a pas pu être préparé',
    capReached: 'Plafond mensuel atteint',
    cardFormOpening: 'Ouverture du formulaire sécurisé…',
    cardFormFailed: 'Le formulaire de carte n’a pas pu s’ouvrir',
    cardIncomplete: 'Vérifiez les champs de la carte',
    declined: 'Le paiement a échoué',
    recording: 'Un instant…',
    checking: 'Paiement en vérification',
    notFinished: 'Le paiement n’a pas été terminé',
    leaveChecking: 'Continuer sans attendre',
    sessionEnded: 'Votre session a pris fin',
    maybePaid: 'Votre paiement a peut-être été pris',
    notPaidYet: 'Votre carte n’a pas été débitée. Reconnectez-vous',
    leftUnpaid: 'Le paiement resté ouvert n’a pas été terminé.',
    stillChecking: 'Un paiement est encore en vérification',
    backToTransfer: 'Revenir au transfert',
    authenticate: 'Terminer l’authentification',
    refuseAuthentication: 'Refuser',
    close: 'Fermer',
    startFailed: 'Une erreur d’authentification est survenue.',
    opening: 'Ouverture de votre compte…',
    updateReady: 'Une nouvelle version est prête.',
    update: 'Mettre à jour',
    updateLater: 'Plus tard',
    installInvitation: 'Passerelle sur votre écran d’accueil',
    install: 'Installer l’application',
    installNot: 'Non merci',
    installInSafari: /Partager dans Safari, puis «\sSur l’écran d’accueil\s»/,
    emailTab: 'E-mail',
    phoneTab: 'Téléphone',
    phoneNumber: 'Numéro de téléphone',
    getCode: 'Recevoir un code par SMS',
    code: 'Code reçu par SMS',
    codeSent: 'Un code vient de partir par SMS au',
    resend: 'Renvoyer le code',
    resendIn: 'Renvoyer dans',
    changeNumber: 'Changer de numéro',
    numberWithoutAccount: 'Aucun compte trouvé pour ce numéro. Créez le vôtre ici.',
    profileMissing: 'Aucun compte Passerelle trouvé. Créez le vôtre ici.',
    accountUnknown: 'Nous n’avons pas pu vérifier si ce numéro a un compte.',
    noCode: 'Aucun code à vérifier. Réessayez.',
    codeWanted: 'Saisissez le code reçu par SMS',
    phoneWanted: 'Saisissez un numéro de téléphone',
    phoneInvalid: 'Saisissez un numéro de téléphone valide (par exemple +33123456789)',
    tooManyChecks: 'Trop de tentatives. Réessayez dans',
    noAnswer: 'Pas de réponse du réseau. Vérifiez votre connexion, puis réessayez.',
    google: 'Continuer avec Google',
    googleName: 'Nom',
    googleEmail: 'Adresse e-mail',
    googleCancel: 'Annuler',
    openingGoogle: 'Ouverture de Google…',
    requestOver: 'Cette demande de connexion n’est plus valable. Recommencez dans Passerelle.',
    backToApp: 'Retour à Passerelle',
    proven: 'C’est confirmé. Vous pouvez refaire votre demande.',
    resendMail: 'Renvoyer l’e-mail',
    mailSent: 'E-mail de vérification envoyé.',
    mailFailed: 'L’e-mail de vérification n’a pas pu partir.',
    passwordForAddress: 'Choisissez un mot de passe pour cette adresse',
    heldByPhone: 'Connectez-vous avec votre numéro',
    notKnownWhich:
      'Identifiants incorrects. Vérifiez l’adresse et le mot de passe. Ou bien cette adresse n’a pas encore de compte, ou n’en a plus : si vous l’avez changée, connectez-vous avec la nouvelle.',
    heldByFormer: 'Un compte avait déjà cette adresse',
    openAnother: 'Ouvrir un autre compte',
    signUpWithAddress: 'S’inscrire avec cette adresse',
    addressUnknown:
      'Aucun compte avec cette adresse e-mail. Créez le vôtre ici. Si vous aviez un compte et avez changé d’adresse, connectez-vous avec la nouvelle.',
    addressTaken: 'Cette adresse e-mail a déjà un compte. Connectez-vous.',
    newPassword: 'Nouveau mot de passe',
    save: 'Enregistrer',
    goOn: 'Continuer',
    signInFailed: 'Authentication a echoué',
    profileNotCreated: 'Votre profil n’a pas pu être créé.',
    profileNotRead: 'Vos données n’ont pas pu être lues.',
    sendFailed: 'Échec de l’envoi du code',
    codeFailed: 'Code invalide ou expiré',
    profile: 'Profil',
    settings: 'Paramètres',
    contacts: 'Contacts',
    identity: 'Vérification d’identité',
    invoices: 'Factures',
    wallet: 'Portefeuille',
    contactUs: 'Nous contacter',
    security: 'Sécurité',
    notifications: 'Notifications',
    help: 'Aide et assistance',
    hidePlans: 'Masquer les forfaits',
    appLanguage: 'Langue de l’application',
    signOutEverywhere: 'Se déconnecter partout',
    deleteAccount: 'Supprimer mon compte…',
    deleteForGood: 'Supprimer définitivement',
    understood: 'Je comprends que c’est définitif',
    accountDeleted: 'Votre compte est supprimé.',
    expectedBy: /^Arrivée prévue à \d/,
    arrivalChoice: 'Arrivée prévue d’un transfert',
    versionChoice: 'Nouvelle version de l’application',
    noted: 'C’est noté',
    seeTransfer: 'Voir le transfert',
    back: 'Retour',
    retry: 'Réessayer',
    retrying: 'Nouvelle tentative…',
    yourName: 'Votre nom',
    saveName: 'Enregistrer le nom',
    ownNameWanted: 'Nom requis',
    nameSaved: 'Votre nom est enregistré.',
    yourEmail: 'Votre adresse e-mail',
    changeEmail: 'Changer l’adresse e-mail',
    openLink: 'Ouvrez le lien envoyé à',
    emailSaved: 'Votre adresse e-mail est enregistrée.',
    ownAddressWrong: 'Adresse e-mail invalide',
    emailNotChanged: 'L’adresse e-mail n’a pas pu être changée',
    yourPhone: 'Votre téléphone',
    savePhone: 'Enregistrer le numéro',
    phoneSaved: 'Votre numéro est enregistré.',
    signsInWith: 'Vous vous connectez avec le',
    yourPassword: 'Votre mot de passe',
    currentPassword: 'Mot de passe actuel',
    passwordAgain: 'Nouveau mot de passe, encore une fois',
    changePassword: 'Changer le mot de passe',
    passwordChanged: 'Votre mot de passe est changé.',
    passwordNotChanged: 'Le mot de passe n’a pas pu être changé',
    passwordFieldsWanted: 'Tous les champs du mot de passe sont obligatoires',
    passwordsDiffer: 'Les mots de passe ne correspondent pas',
    passwordTooShort: 'Le mot de passe doit contenir au moins 6 caractères.',
    storageBlocked: 'Votre navigateur bloque ce dont la connexion a besoin',
    windowBlocked: 'Votre navigateur a bloqué la fenêtre de connexion.',
    codeWrong: 'Le code saisi est incorrect.',
    viewPlans: 'Voir les forfaits',
    proof: 'Confirmez que c’est bien vous',
    confirm: 'Confirmer',
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
    signInAgain: 'Sign in again',
    wayRemoved: 'Another way to sign in had been added to this account',
    signInByAddress: 'Sign in with your email address',
    signInByNumber: 'Sign in with your number',
    send: 'Send money',
    amount: 'Amount you pay',
    crashed: 'The app ran into a problem.',
    codeMissing: 'Part of the app hasn’t arrived.',
    guinea: 'Guinea',
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
    signedOut: 'You are signed out.',
    signOutFailed: 'Signing out failed. Please try again.',
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
    offlineBar: 'Offline. Your transfers',
    draftKept: 'Your transfer is still here',
    clearDraft: 'Clear and start over',
    initFailed: 'The payment could not be prepared',
    capReached: 'Monthly limit reached',
    cardFormOpening: 'Opening the secure form…',
    cardFormFailed: 'The card form could not be opened',
    cardIncomplete: 'Check the card details',
    declined: 'The payment failed',
    recording: 'One moment…',
    checking: 'Checking the payment',
    notFinished: 'The payment was not completed',
    leaveChecking: 'Go on without waiting',
    sessionEnded: 'Your session has ended',
    maybePaid: 'Your payment may have gone through',
    notPaidYet: 'Your card was not charged. Sign in again',
    leftUnpaid: 'The payment that was left open was not finished.',
    stillChecking: 'A payment is still being checked',
    backToTransfer: 'Back to the transfer',
    authenticate: 'Complete authentication',
    refuseAuthentication: 'Fail authentication',
    close: 'Close',
    startFailed: 'Authentication error occurred.',
    opening: 'Opening your account…',
    updateReady: 'A new version is ready.',
    update: 'Update now',
    updateLater: 'Later',
    installInvitation: 'Passerelle on your home screen',
    install: 'Install the app',
    installNot: 'No thanks',
    installInSafari: /Share in Safari, then “Add to Home Screen”/,
    emailTab: 'Email',
    phoneTab: 'Phone',
    phoneNumber: 'Phone number',
    getCode: 'Get a code by text message',
    code: 'Code received by text message',
    codeSent: 'A code was just sent by text message to',
    resend: 'Resend the code',
    resendIn: 'Resend in',
    changeNumber: 'Change number',
    numberWithoutAccount: 'No account found for this number. Please sign up here.',
    profileMissing: 'No Passerelle account found. Please sign up here.',
    accountUnknown: 'We could not check whether this number has an account.',
    noCode: 'No code to verify. Please try again.',
    codeWanted: 'Enter the code received by text message',
    phoneWanted: 'Please enter a phone number',
    phoneInvalid: 'Please enter a valid phone number (e.g., +33123456789)',
    tooManyChecks: 'Too many attempts. Try again in',
    noAnswer: 'No answer from the network. Check your connection, then try again.',
    google: 'Continue with Google',
    googleName: 'Name',
    googleEmail: 'E-mail address',
    googleCancel: 'Cancel',
    openingGoogle: 'Opening Google…',
    requestOver: 'This sign-in request is no longer valid. Start again in Passerelle.',
    backToApp: 'Back to Passerelle',
    proven: 'Confirmed. You can make your request again.',
    resendMail: 'Send the email again',
    mailSent: 'Verification email sent.',
    mailFailed: 'The verification email could not be sent.',
    passwordForAddress: 'Choose a password for this address',
    heldByPhone: 'Sign in with your number',
    notKnownWhich:
      'Incorrect credentials. Check the address and the password. Or there is no account with this address yet, or not any more: if you changed it, sign in with the new one.',
    heldByFormer: 'An account had this address before',
    openAnother: 'Open another account',
    signUpWithAddress: 'Sign up with this address',
    addressUnknown:
      'There is no account for this email. Create yours here. If you had an account and changed its address, sign in with the new one.',
    addressTaken: 'This email address already has an account. Please sign in.',
    newPassword: 'New password',
    save: 'Save',
    goOn: 'Continue',
    signInFailed: 'Authentication failed',
    profileNotCreated: 'Failed to create user profile.',
    profileNotRead: 'Failed to fetch user data.',
    sendFailed: 'The code could not be sent',
    codeFailed: 'Invalid or expired code',
    profile: 'Profile',
    settings: 'Settings',
    contacts: 'Contacts',
    identity: 'Identity verification',
    invoices: 'Invoices',
    wallet: 'Wallet',
    contactUs: 'Contact us',
    security: 'Security',
    notifications: 'Notifications',
    help: 'Help and support',
    hidePlans: 'Hide plans',
    appLanguage: 'Language of the app',
    signOutEverywhere: 'Sign out everywhere',
    deleteAccount: 'Delete my account…',
    deleteForGood: 'Delete for good',
    understood: 'I understand that this is final',
    accountDeleted: 'Your account is deleted.',
    expectedBy: /^Expected by \d/,
    arrivalChoice: 'Expected arrival of a transfer',
    versionChoice: 'New version of the app',
    noted: 'Got it',
    seeTransfer: 'See the transfer',
    back: 'Back',
    retry: 'Try again',
    retrying: 'Trying again…',
    yourName: 'Your name',
    saveName: 'Save name',
    ownNameWanted: 'Name required',
    nameSaved: 'Your name is saved.',
    yourEmail: 'Your email address',
    changeEmail: 'Change email address',
    openLink: 'Open the link sent to',
    emailSaved: 'Your email address is saved.',
    ownAddressWrong: 'Invalid email',
    emailNotChanged: 'Email update failed',
    yourPhone: 'Your phone',
    savePhone: 'Save number',
    phoneSaved: 'Your number is saved.',
    signsInWith: 'You sign in with',
    yourPassword: 'Your password',
    currentPassword: 'Current password',
    passwordAgain: 'New password, once more',
    changePassword: 'Change password',
    passwordChanged: 'Your password is changed.',
    passwordNotChanged: 'Password change failed',
    passwordFieldsWanted: 'All password fields are required',
    passwordsDiffer: 'Passwords do not match',
    passwordTooShort: 'The password must have at least 6 characters.',
    storageBlocked: 'Your browser blocks what sign-in needs',
    windowBlocked: 'Your browser blocked the sign-in window.',
    codeWrong: 'The code you entered is incorrect.',
    viewPlans: 'View plans',
    proof: 'Confirm that it is you',
    confirm: 'Confirm',
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

export interface PhonePerson {
  readonly name: string
  readonly phone: string
}

export const somebodyWithPhone = (): PhonePerson => ({
  name: 'Mamadou Bah',
  phone: `+336${String(randomInt(100_000_000)).padStart(8, '0')}`,
})

export async function speak(page: Page, language: 'fr' | 'en') {
  await page.goto('/')
  await page.getByRole('button', { name: language === 'fr' ? 'Français' : 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

/** Chooses the language as in another tab of the same browser. */
export async function speakElsewhere(page: Page, language: 'fr' | 'en') {
  await page.evaluate((chosen) => {
    localStorage.setItem('passerelle.language', chosen)
    dispatchEvent(new StorageEvent('storage', { key: 'passerelle.language' }))
  }, language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

/** From the sign-in to the sign-up by e-mail, filled in. */
export async function fillSignUp(page: Page, words: Words, person: Person) {
  await page.getByRole('button', { name: words.createInstead }).click()
  await page.getByLabel(words.name).fill(person.name)
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
}

/** From the signed-out screen to the verification screen. */
export async function signUp(page: Page, words: Words, person: Person) {
  await fillSignUp(page, words, person)
  await page.getByRole('button', { name: words.createAccount }).click()
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
}

export async function signIn(page: Page, words: Words, person: Person) {
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
  await page.getByRole('button', { name: words.signIn }).click()
}

/** The side of the sign-in card that is in sight; the other one keeps what was typed. */
export const panel = (page: Page) => page.getByRole('tabpanel')

/** From the signed-out screen to the phone's side of the card. */
export async function openPhone(page: Page, words: Words, side: 'signIn' | 'signUp' = 'signIn') {
  await page.getByRole('tab', { name: words.phoneTab, exact: true }).click()
  await expect(panel(page).getByLabel(words.phoneNumber)).toBeVisible()
  if (side === 'signIn') return
  await panel(page).getByRole('button', { name: words.createInstead }).click()
  await expect(panel(page).getByLabel(words.name)).toBeVisible()
}

/** From the phone's side of the card, on the side of the sign-up, to the code. */
export async function askForCode(page: Page, words: Words, { name, phone }: PhonePerson) {
  await panel(page).getByLabel(words.name).fill(name)
  await panel(page).getByLabel(words.phoneNumber).fill(phone)
  await panel(page).getByRole('button', { name: words.getCode }).click()
  await expect(panel(page).getByText(words.codeSent)).toBeVisible()
}

/** The code of the message that the page says is under way. */
export async function sentCode(page: Page, words: Words, server: Server, { phone }: { phone: string }) {
  await expect(page.getByText(words.codeSent)).toBeVisible()
  return server.smsCode(phone)
}

export const expectHome = (page: Page, words: Words) =>
  expect(page.getByRole('heading', { name: words.send })).toBeVisible()

/** In as somebody who has an account with a number, by the side that asks no server first. */
export async function signInByPhone(page: Page, words: Words, server: Server, person: PhonePerson) {
  await openPhone(page, words, 'signUp')
  await askForCode(page, words, person)
  await panel(page)
    .getByLabel(words.code)
    .fill(await sentCode(page, words, server, person))
  await panel(page).getByRole('button', { name: words.createAccount }).click()
  await expectHome(page, words)
}

/** The window of the sign-in with Google, at the choice of an account. */
export async function openGoogle(page: Page, words: Words): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: words.google }).click()
  const popup = await opened
  // The page that goes on to Google has a heading that names it too.
  await expect(popup.getByRole('textbox', { name: words.googleEmail })).toBeVisible()
  return popup
}

/** The app as it is installed: with one window, and without an address bar. iOS tells it in a way of its own. */
export const standAlone = (page: Page, how: 'display mode' | 'iOS' = 'display mode') =>
  page.addInitScript((isIos) => {
    const { matchMedia } = window
    if (isIos) Object.defineProperty(navigator, 'standalone', { value: true })
    else
      window.matchMedia = (query) =>
        matchMedia.call(window, query === '(display-mode: standalone)' ? 'all' : query)
  }, how === 'iOS')

/** To the choice of a Google account in the app's own window. */
export async function leaveForGoogle(page: Page, words: Words) {
  await page.getByRole('button', { name: words.google }).click()
  await expect(page.getByRole('textbox', { name: words.googleEmail })).toBeVisible()
  await expect(page).toHaveURL(/\/sandbox\/google\/auth/)
}

export async function chooseGoogle(
  popup: Page,
  words: Words,
  { name, email }: { name: string; email: string },
) {
  await popup.getByRole('textbox', { name: words.googleName, exact: true }).fill(name)
  await popup.getByRole('textbox', { name: words.googleEmail }).fill(email)
  await popup.getByRole('button', { name: words.goOn, exact: true }).click()
}

/** To one of the pages that the person's menu leads to, by its title. */
export async function openFromMenu(page: Page, words: Words, title: string) {
  await page.getByRole('button', { name: words.menu }).click()
  // What stands beside the words of an entry may be part of its name.
  await page.getByRole('menuitem', { name: new RegExp(`^${title}`) }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

/** To one of the pages that the bar leads to, at the top of a desk or at the bottom of a phone, by its title. */
export async function openFromBar(page: Page, title: string) {
  await page.getByRole('navigation').getByRole('button', { name: title, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

/** The dialog of the support: from the bar of a desk, or from the menu of a phone. */
export async function openContact(page: Page, words: Words) {
  const inBar = page.getByRole('navigation').getByRole('button', { name: words.contactUs })
  if (!(await inBar.isVisible())) {
    await page.getByRole('button', { name: words.menu }).click()
    await page.getByRole('menuitem', { name: words.contactUs }).click()
  } else await inBar.click()
  await expect(page.getByRole('dialog', { name: words.contactUs })).toBeVisible()
}

/** From the home screen to the security page, which lies over the settings. */
export async function openSecurity(page: Page, words: Words) {
  await openFromMenu(page, words, words.settings)
  await openRow(page, words.security)
}

/** An entry of a page that leads to another page, by that one's title. */
export async function openRow(page: Page, title: string) {
  await page
    .getByRole('main')
    .getByRole('button', { name: new RegExp(`^${title}`) })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

export const openWallet = (page: Page, words: Words) => openFromBar(page, words.wallet)

/** To the plans in the settings, from the wallet. */
export async function openPlans(page: Page, words: Words) {
  await openWallet(page, words)
  await page.getByRole('button', { name: words.viewPlans }).click()
  await expect(page.getByRole('heading', { level: 1, name: words.settings })).toBeVisible()
}

export const subscribeButton = (page: Page, tier: 'basic' | 'premium') =>
  page.getByRole('button', { name: tier === 'basic' ? /Basic$/ : /Premium$/ })

/** Pays on the provider's page with a card. */
export async function payPlan(page: Page, card: string) {
  await page.locator('[name=number]').fill(card)
  await page.locator('[name=expiry]').fill('12 / 34')
  await page.locator('[name=cvc]').fill('123')
  await page.getByRole('button').click()
}

export const openProfile = (page: Page, words: Words) => openFromMenu(page, words, words.profile)

export async function signOut(page: Page, words: Words) {
  await page.getByRole('button', { name: words.menu }).click()
  await page.getByRole('menuitem', { name: words.signOut }).click()
  await expect(page.getByRole('tab', { name: words.emailTab })).toBeVisible()
}

/** On the home screen as somebody who signed in on this device before, and chose the language there. */
export async function enter(
  page: Page,
  server: Server,
  language: 'fr' | 'en',
  person: Pick<Person, 'email' | 'password'>,
) {
  const { name, value } = await server.sessionOf(person)
  // A page of the same origin without the app: nothing of it may have run before.
  await page.goto('/robots.txt')
  await page.evaluate(
    ([name, value, language]) => {
      localStorage.setItem(name, value)
      localStorage.setItem('passerelle.language', language)
    },
    [name, value, language] as const,
  )
  await page.goto('/')
  await expectHome(page, WORDS[language])
}

/** A new, verified person on the home screen. */
export async function arriveHome(page: Page, server: Server, language: 'fr' | 'en' = 'fr'): Promise<Person> {
  const person = somebody()
  await server.register(person)
  await enter(page, server, language, person)
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

/** From the filled transfer form to the payment, or to what it is refused for. */
export const confirmForm = (page: Page, words: Words) =>
  page.getByRole('main').getByRole('button', { name: words.pay }).click()

/** From the home screen to a failure while it is drawn, by a browser that has lost a part of itself. */
export async function crash(page: Page, words: Words) {
  await page.getByLabel(words.amount).focus()
  await page.evaluate(() => {
    const get = () => {
      throw new Error('not foreseen')
    }
    Object.defineProperty(Intl.NumberFormat.prototype, 'format', { get })
  })
  await page.keyboard.type('1')
}

/** Keeps what the page asks for at this address waiting until the function that it returns is called. */
export async function holdBack(page: Page, address: string): Promise<() => void> {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await released
    await route.continue()
  })
  return resolve
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

/** A browser that keeps nothing for this site. */
export const blockStorage = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      configurable: true,
      get() {
        throw new DOMException('Access is denied', 'SecurityError')
      },
    }),
  )

/** The next change of the address is refused, as when the sign-in is too old. */
export const demandProof = (server: Server) =>
  server.addFault({
    on: 'POST /identitytoolkit.googleapis.com/v1/accounts:sendOobCode',
    times: 1,
    what: { kind: 'status', status: 400, message: 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN' },
  })

/** From now on the server is shown a token that it does not take, until the app has made another. */
export async function spoilToken(page: Page) {
  let spoilt: string | undefined
  await page.route(/netlify\/functions|documents:|documents\/|\/v0\/b\//, async (route) => {
    const headers = await route.request().allHeaders()
    const { authorization } = headers
    if (authorization && !authorization.startsWith('Bearer owner')) spoilt ??= authorization
    if (!spoilt || authorization !== spoilt) return route.continue()
    return route.continue({ headers: { ...headers, authorization: `${spoilt.slice(0, -8)}AAAAAAAA` } })
  })
}

/** The person's password is changed on another device, which ends every session. Answers the person as they sign in from then on. */
export async function changePasswordElsewhere(page: Page, server: Server, person: Person): Promise<Person> {
  const ask = (operation: string, data: object) =>
    page.request.post(
      `${server.origin}/identitytoolkit.googleapis.com/v1/accounts:${operation}?key=sandbox`,
      { data },
    )
  await ask('sendOobCode', { requestType: 'PASSWORD_RESET', email: person.email })
  const oobCode = new URL(await server.mailLink(person.email)).searchParams.get('oobCode')
  const password = 'Konkouré2026'
  expect((await ask('resetPassword', { oobCode, newPassword: password })).ok()).toBe(true)
  return { ...person, password }
}

/**
 * Does the work when a payment was confirmed and before the server hears of it, once: a device that has not heard of
 * it yet, however slow the machine is.
 */
export const rightBeforeReserving = (page: Page, work: () => Promise<unknown>) =>
  page.route(
    '**/create-payment-intent',
    async (route) => {
      await work()
      await route.fallback()
    },
    { times: 1 },
  )
