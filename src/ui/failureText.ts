import type { MessageDescriptor } from '@lingui/core'
import { msg, select } from '@lingui/core/macro'
import type { AuthErrorCode, DataOperation, Failure, PasswordPolicy } from '../../domain/errors/failure.ts'
import { EMAIL_INVALID } from './fieldText.ts'

const CAPTCHA_EXPIRED = msg`reCAPTCHA expiré, veuillez réessayer`
const LINK_SPENT = msg`Ce lien n’est plus valable. Demandez-en un nouveau.`
const CODE_SPENT = msg`Code invalide ou expiré. Demandez-en un autre.`
const SESSION_OVER = msg`Votre session a pris fin. Reconnectez-vous.`
const WAY_CLOSED = msg`Cette façon de se connecter n’est pas disponible. Essayez par e-mail ou par téléphone.`
const SERVER_ERROR = msg`Le service de connexion a un problème. Réessayez dans un moment.`
const WRONG_SITE = msg`Cette adresse web n’est pas autorisée pour la connexion. Ouvrez Passerelle à son adresse habituelle.`

/** Specification, section 8. */
const AUTH_ERROR_TEXTS: Record<AuthErrorCode, MessageDescriptor> = {
  'account-exists-with-different-credential': msg`Cette adresse e-mail a déjà un compte, avec une autre façon de se connecter. Connectez-vous par e-mail ou par téléphone.`,
  'admin-restricted-operation': WAY_CLOSED,
  'blocked-by-function': msg`Aucun compte trouvé pour ce numéro. Créez le vôtre ici.`,
  'cancelled-popup-request': msg`Une autre fenêtre de connexion a remplacé celle-ci.`,
  'captcha-check-failed': CAPTCHA_EXPIRED,
  'captcha-expired': CAPTCHA_EXPIRED,
  'captcha-init-failed': msg`Impossible d’initialiser reCAPTCHA. Vérifiez votre connexion, puis réessayez.`,
  'code-expired': CODE_SPENT,
  'credential-already-in-use': msg`Un autre compte se sert déjà de ce numéro.`,
  'email-already-in-use': msg`Cette adresse e-mail a déjà un compte. Connectez-vous.`,
  'expired-action-code': LINK_SPENT,
  'internal-error': SERVER_ERROR,
  'invalid-action-code': LINK_SPENT,
  'invalid-credential': msg`Identifiants incorrects. Vérifiez l’adresse et le mot de passe.`,
  'invalid-email': EMAIL_INVALID,
  'invalid-phone-number': msg`Ce numéro de téléphone n’est pas valide.`,
  'invalid-user-token': SESSION_OVER,
  'invalid-verification-code': msg`Le code saisi est incorrect.`,
  'invalid-verification-id': CODE_SPENT,
  'missing-or-invalid-nonce': msg`La réponse de Google n’a pas pu être vérifiée. Réessayez.`,
  'operation-not-allowed': WAY_CLOSED,
  'phone-number-too-long': msg`Ce numéro de téléphone est trop long.`,
  'phone-number-too-short': msg`Ce numéro de téléphone est trop court.`,
  'popup-blocked': msg`Votre navigateur a bloqué la fenêtre de connexion. Autorisez les fenêtres de ce site, puis réessayez.`,
  'popup-closed-by-user': msg`La fenêtre de connexion a été fermée avant la fin. Réessayez quand vous voulez.`,
  'provider-already-linked': msg`Ce compte a déjà un numéro.`,
  'quota-exceeded': msg`Trop de codes ont été demandés pour l’instant. Réessayez plus tard, ou connectez-vous par e-mail.`,
  'requires-recent-login': msg`Par sécurité, confirmez d’abord que c’est bien vous.`,
  'token-too-old': msg`La connexion a pris trop de temps. Réessayez.`,
  'too-many-requests': msg`Trop de tentatives. Patientez quelques minutes, puis réessayez.`,
  'unauthorized-continue-uri': WRONG_SITE,
  'unauthorized-domain': WRONG_SITE,
  'user-disabled': msg`Ce compte est suspendu. Écrivez à notre assistance.`,
  'user-mismatch': msg`Ce n’est pas le compte ouvert ici.`,
  'user-not-found': msg`Aucun compte avec cette adresse e-mail. Créez le vôtre ici. Si vous aviez un compte et avez changé d’adresse, connectez-vous avec la nouvelle.`,
  'user-token-expired': SESSION_OVER,
  'weak-password': msg`Le mot de passe doit contenir au moins 6 caractères, une majuscule et un chiffre.`,
  'web-storage-unsupported': msg`Votre navigateur bloque le stockage nécessaire pour garder votre session. Quittez la navigation privée, ou autorisez le stockage pour ce site.`,
  'wrong-password': msg`Adresse e-mail ou mot de passe incorrect.`,
}

const GOOGLE_ONLY = msg`Ce compte n’a pas de mot de passe. Connectez-vous avec Google.`
const GOOGLE_TOO = msg`Mot de passe incorrect. Ce compte s’ouvre aussi avec Google.`

const NETWORK = msg`Pas de réponse du réseau. Vérifiez votre connexion, puis réessayez.`
export const LOGIN_PAGE = msg`Ce réseau demande une connexion. Ouvrez sa page, puis revenez ici.`
const PROFILE_NOT_CREATED = msg`Votre profil n’a pas pu être créé. Rien n’est perdu : réessayez avec les mêmes informations.`
const PROFILE_NOT_SAVED = msg`Vos changements n’ont pas pu être enregistrés. Réessayez dans un moment.`

export const HISTORY_NOT_LOADED = msg`L’historique des transferts n’a pas pu être chargé`

export const OPERATION_FAILURE_TEXTS: Record<DataOperation, MessageDescriptor> = {
  createProfile: PROFILE_NOT_CREATED,
  fetchProfile: msg`Vos données n’ont pas pu être lues. Réessayez dans un moment.`,
  updateProfile: PROFILE_NOT_SAVED,
  fetchHistory: HISTORY_NOT_LOADED,
  fetchContacts: msg`Vos contacts n’ont pas pu être chargés.`,
  addContact: msg`Le contact n’a pas pu être ajouté. Réessayez dans un moment.`,
  renameContact: msg`Le nom n’a pas pu être changé. Réessayez dans un moment.`,
  deleteContact: msg`Le contact n’a pas pu être supprimé. Réessayez dans un moment.`,
  fetchFiles: msg`Vos documents n’ont pas pu être lus`,
  submitIdentity: msg`Votre dossier n’a pas pu être envoyé`,
  fetchInvoicePayments: msg`La liste de vos factures payées n’a pas pu être chargée. Réessayez dans un moment.`,
  fetchLedger: msg`Impossible de vérifier le plafond mensuel pour le moment. Veuillez réessayer plus tard.`,
}

/** Specification, section 8. */
export const UNKNOWN_CODE_TEXTS = {
  signIn: msg`Authentication a echoué`,
  sendCode: msg`Échec de l’envoi du code`,
  confirmCode: msg`Code invalide ou expiré`,
  changeEmail: msg`L’adresse e-mail n’a pas pu être changée`,
  changePassword: msg`Le mot de passe n’a pas pu être changé`,
  saveProfile: PROFILE_NOT_SAVED,
  signOutEverywhere: msg`Nous n’avons pas pu confirmer que vos sessions sont fermées. Réessayez dans un moment, c’est sans risque.`,
  deleteAccount: msg`La suppression n’a pas pu se terminer. Réessayez dans un moment, c’est sans risque.`,
} satisfies Record<string, MessageDescriptor>

/** An unknown code is never shown. Specification, section 8. */
export function getFailureText(
  failure: Failure,
  unknown: MessageDescriptor = UNKNOWN_CODE_TEXTS.signIn,
): MessageDescriptor {
  switch (failure.kind) {
    case 'auth':
      return AUTH_ERROR_TEXTS[failure.code]
    case 'passwordPolicy':
      return getPasswordPolicyText(failure.policy)
    case 'googleAccount':
      return failure.hasPassword ? GOOGLE_TOO : GOOGLE_ONLY
    case 'network':
      return failure.isLoginPage ? LOGIN_PAGE : NETWORK
    case 'data':
      return OPERATION_FAILURE_TEXTS[failure.operation]
    case 'authOther':
    // The phone form explains `noMessages` itself, and offers an alternative.
    case 'noMessages':
    case 'function':
    case 'storage':
      return unknown
  }
}

function getPasswordPolicyText({ minLength, maxLength, ...asked }: PasswordPolicy): MessageDescriptor {
  const most = String(maxLength > 0)
  const lowercase = String(asked.lowercase)
  const uppercase = String(asked.uppercase)
  const digit = String(asked.digit)
  const symbol = String(asked.symbol)
  return msg`Choisissez un autre mot de passe. Il lui faut au moins ${minLength} caractères${select(most, { true: ` et au plus ${maxLength}`, other: '' })}${select(lowercase, { true: ', une minuscule', other: '' })}${select(uppercase, { true: ', une majuscule', other: '' })}${select(digit, { true: ', un chiffre', other: '' })}${select(symbol, { true: ', un symbole', other: '' })}.`
}
