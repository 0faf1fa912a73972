import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { AuthCode, Failure } from '../../services/failure.ts'

/** What a refused sign-in or sign-up is called on screen. Specification, section 8. */
const BY_CODE: Record<AuthCode, MessageDescriptor> = {
  'email-already-in-use': msg`Cette adresse e-mail a déjà un compte. Connectez-vous.`,
  'invalid-email': msg`Saisissez une adresse e-mail valide.`,
  'weak-password': msg`Le mot de passe doit contenir au moins 6 caractères, une majuscule et un chiffre.`,
  'invalid-credential': msg`Identifiants incorrects. Vérifiez l’adresse et le mot de passe.`,
  'user-not-found': msg`Aucun compte avec cette adresse e-mail. Créez le vôtre ici.`,
  'wrong-password': msg`Adresse e-mail ou mot de passe incorrect.`,
  'user-disabled': msg`Ce compte est suspendu. Écrivez à notre assistance.`,
  'too-many-requests': msg`Trop de tentatives. Patientez quelques minutes, puis réessayez.`,
  'requires-recent-login': msg`Par sécurité, reconnectez-vous pour faire cela.`,
}

const NETWORK = msg`Pas de réponse du réseau. Vérifiez votre connexion, puis réessayez.`
const PROFILE = msg`Votre profil n’a pas pu être créé. Réessayez avec la même adresse et le même mot de passe.`
const FALLBACK = msg`Authentication a echoué`

export function authMessage(failure: Failure): MessageDescriptor {
  switch (failure.kind) {
    case 'auth':
      return BY_CODE[failure.code]
    case 'network':
      return NETWORK
    case 'data':
      return PROFILE
    case 'authOther':
    case 'function':
      return FALLBACK
  }
}
