import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CATALOGS, parseTranslations } from '../../build/catalogs.ts'

const catalogs = CATALOGS.map((name) => ({
  language: name.slice(-2),
  texts: parseTranslations(readFileSync(new URL(`${name}.po`, import.meta.url), 'utf8')),
}))

const translations = (language: string, id: string) =>
  new Set(catalogs.filter((one) => one.language === language).flatMap(({ texts }) => texts.get(id) ?? []))

// End-to-end tests find texts by their French IDs, so they would not notice a changed translation.
test.each([
  [
    '@spec-screens',
    'Une erreur d’authentification est survenue. Veuillez réessayer.',
    'Authentication error occurred. Please try again.',
  ],
  ['@spec-screens', 'Vos documents n’ont pas pu être lus', 'Failed to get files'],
  ['@spec-form-errors', 'Pays de destination non pris en charge', 'Unsupported destination country'],
  ['@spec-form-errors', 'Saisissez un numéro de téléphone', 'Please enter a phone number'],
  [
    '@spec-form-errors',
    'Saisissez un numéro de téléphone valide (par exemple {example})',
    'Please enter a valid phone number (e.g., {example})',
  ],
  [
    '@spec-form-errors',
    'Le numéro doit commencer par {prefix} pour {country}',
    'Phone number must start with {prefix} for {country}',
  ],
  ['@spec-form-errors', 'Format de code promo invalide', 'Invalid coupon code format'],
  ['@spec-form-errors', 'Saisissez un montant valide', 'Please enter a valid amount'],
  [
    '@spec-amount-refused',
    'Le montant maximum par transfert est de {max}',
    'Maximum transfer amount is {max}',
  ],
  [
    '@spec-amount-refused',
    'Le montant minimum par transfert est de {min}',
    'Minimum transfer amount is {min}',
  ],
  ['@spec-sign-up-errors', 'Saisissez votre nom complet', 'Please enter your full name'],
  ['@spec-profile-name', 'Nom requis', 'Name required'],
  ['@spec-profile-email', 'Adresse e-mail invalide', 'Invalid email'],
  [
    '@spec-password-change',
    'Tous les champs du mot de passe sont obligatoires',
    'All password fields are required',
  ],
  ['@spec-password-change', 'Les mots de passe ne correspondent pas', 'Passwords do not match'],
  ['@spec-profile-errors', 'L’adresse e-mail n’a pas pu être changée', 'Email update failed'],
  ['@spec-profile-errors', 'Le mot de passe n’a pas pu être changé', 'Password change failed'],
  ['@spec-identity', 'Le fichier doit faire moins de 5 Mo', 'File size must be less than 5MB'],
  ['@spec-identity', 'Le fichier doit être au format JPEG, PNG ou PDF', 'File must be JPEG, PNG, or PDF'],
  ['@spec-identity', 'Aucun document choisi', 'No document selected'],
  ['@spec-identity-refusals', 'Connectez-vous d’abord', 'Not authenticated'],
  ['@spec-profile-required', 'Utilisateur introuvable', 'User not found'],
  ['@spec-transfer-texts', 'Le transfert n’a pas pu être effectué', 'Failed to complete transfer'],
  ['@spec-invoice-texts', 'Montant maximum de paiement atteint', 'Maximum payment amount reached'],
  [
    '@spec-invoice-texts',
    'Le paiement de la facture n’a pas pu être effectué',
    'Failed to process invoice payment',
  ],
  [
    '@spec-invoice-refusals',
    'Les détails de la facture n’ont pas pu être obtenus',
    'Failed to fetch invoice details',
  ],
  [
    '@spec-invoice-refusals',
    'Choisissez un fournisseur et saisissez un numéro de référence',
    'Please select a supplier and enter a reference number',
  ],
  [
    '@spec-profile-refused',
    'Votre profil n’a pas pu être créé. Rien n’est perdu : réessayez avec les mêmes informations.',
    'Failed to create user profile. Nothing is lost: please try again with the same details.',
  ],
  [
    '@spec-profile-unreadable',
    'Vos données n’ont pas pu être lues. Réessayez dans un moment.',
    'Failed to fetch user data. Please try again in a moment.',
  ],
  [
    '@spec-history-errors',
    'L’historique des transferts n’a pas pu être chargé',
    'Failed to load transaction history',
  ],
  [
    '@spec-history-errors',
    'Connectez-vous pour voir l’historique de vos transferts',
    'Please sign in to view your transaction history',
  ],
  [
    '@spec-history-errors',
    'Préparation de l’historique des transferts. Veuillez réessayer dans quelques instants.',
    'Setting up transaction history. Please try again in a few moments.',
  ],
  ['@spec-wrong-credentials', 'Adresse e-mail ou mot de passe incorrect.', 'Invalid email or password.'],
  ['@spec-another-code', 'Renvoyer dans {resendIn} s', 'Resend in {resendIn}s'],
  ['@spec-another-code', 'Le code saisi est incorrect.', 'The code you entered is incorrect.'],
  ['@spec-plan-texts', 'Veuillez vous connecter pour vous abonner', 'Please sign in to subscribe'],
  ['@spec-plan-texts', 'L’abonnement n’a pas pu être créé', 'Failed to create subscription'],
  ['@spec-plan-texts', 'Aucune adresse de paiement reçue', 'No checkout URL received'],
  ['@spec-plan-texts', 'L’abonnement n’a pas pu être vérifié', 'Failed to verify subscription'],
  ['@spec-plan-end-texts', 'Aucun abonnement actif trouvé', 'No active subscription found'],
  [
    '@spec-plan-end-texts',
    'L’état de l’abonnement n’a pas pu être mis à jour',
    'Failed to update subscription status',
  ],
])('the catalogs translate the text of %s as specified: ‘%s’ is ‘%s’', (_, id, en) => {
  expect(translations('en', id)).toEqual(new Set([en]))
})

test('each French translation equals its source text @spec-language', () => {
  const french = catalogs.filter(({ language }) => language === 'fr').flatMap(({ texts }) => [...texts])
  expect(french.filter(([id, text]) => text !== id)).toEqual([])
})
