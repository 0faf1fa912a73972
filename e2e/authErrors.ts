import type { AuthErrorCode, PasswordPolicy } from '../domain/errors/failure.ts'
import { PASSWORD_POLICY_TEXT } from '../scenes/fixtures.ts'
import { getText } from './texts.ts'

export const AUTH_ENDPOINTS = {
  password: 'accounts:signInWithPassword',
  mail: 'accounts:sendOobCode',
  signUp: 'accounts:signUp',
  message: 'accounts:sendVerificationCode',
  code: 'accounts:signInWithPhoneNumber',
  google: 'accounts:signInWithIdp',
} as const

/** IDs of the app's messages. */
const AUTH_ERRORS: Record<AuthErrorCode, string> = {
  'account-exists-with-different-credential':
    'Cette adresse e-mail a déjà un compte, avec une autre façon de se connecter. Connectez-vous par e-mail ou par téléphone.',
  'admin-restricted-operation':
    'Cette façon de se connecter n’est pas disponible. Essayez par e-mail ou par téléphone.',
  'blocked-by-function': 'Aucun compte trouvé pour ce numéro. Créez le vôtre ici.',
  'cancelled-popup-request': 'Une autre fenêtre de connexion a remplacé celle-ci.',
  'captcha-check-failed': 'reCAPTCHA expiré, veuillez réessayer',
  'captcha-expired': 'reCAPTCHA expiré, veuillez réessayer',
  'captcha-init-failed': 'Impossible d’initialiser reCAPTCHA. Vérifiez votre connexion, puis réessayez.',
  'code-expired': 'Code invalide ou expiré. Demandez-en un autre.',
  'credential-already-in-use': 'Un autre compte se sert déjà de ce numéro.',
  'email-already-in-use': 'Cette adresse e-mail a déjà un compte. Connectez-vous.',
  'expired-action-code': 'Ce lien n’est plus valable. Demandez-en un nouveau.',
  'internal-error': 'Le service de connexion a un problème. Réessayez dans un moment.',
  'invalid-action-code': 'Ce lien n’est plus valable. Demandez-en un nouveau.',
  'invalid-credential': 'Identifiants incorrects. Vérifiez l’adresse et le mot de passe.',
  'invalid-email': 'Saisissez une adresse e-mail valide.',
  'invalid-phone-number': 'Ce numéro de téléphone n’est pas valide.',
  'invalid-user-token': 'Votre session a pris fin. Reconnectez-vous.',
  'invalid-verification-code': 'Le code saisi est incorrect.',
  'invalid-verification-id': 'Code invalide ou expiré. Demandez-en un autre.',
  'missing-or-invalid-nonce': 'La réponse de Google n’a pas pu être vérifiée. Réessayez.',
  'operation-not-allowed':
    'Cette façon de se connecter n’est pas disponible. Essayez par e-mail ou par téléphone.',
  'phone-number-too-long': 'Ce numéro de téléphone est trop long.',
  'phone-number-too-short': 'Ce numéro de téléphone est trop court.',
  'popup-blocked':
    'Votre navigateur a bloqué la fenêtre de connexion. Autorisez les fenêtres de ce site, puis réessayez.',
  'popup-closed-by-user': 'La fenêtre de connexion a été fermée avant la fin. Réessayez quand vous voulez.',
  'provider-already-linked': 'Ce compte a déjà un numéro.',
  'quota-exceeded':
    'Trop de codes ont été demandés pour l’instant. Réessayez plus tard, ou connectez-vous par e-mail.',
  'requires-recent-login': 'Par sécurité, confirmez d’abord que c’est bien vous.',
  'token-too-old': 'La connexion a pris trop de temps. Réessayez.',
  'too-many-requests': 'Trop de tentatives. Patientez quelques minutes, puis réessayez.',
  'unauthorized-continue-uri':
    'Cette adresse web n’est pas autorisée pour la connexion. Ouvrez Passerelle à son adresse habituelle.',
  'unauthorized-domain':
    'Cette adresse web n’est pas autorisée pour la connexion. Ouvrez Passerelle à son adresse habituelle.',
  'user-disabled': 'Ce compte est suspendu. Écrivez à notre assistance.',
  'user-mismatch': 'Ce n’est pas le compte ouvert ici.',
  'user-not-found':
    'Aucun compte avec cette adresse e-mail. Créez le vôtre ici. Si vous aviez un compte et avez changé d’adresse, connectez-vous avec la nouvelle.',
  'user-token-expired': 'Votre session a pris fin. Reconnectez-vous.',
  'weak-password': 'Le mot de passe doit contenir au moins 6 caractères, une majuscule et un chiffre.',
  'web-storage-unsupported':
    'Votre navigateur bloque le stockage nécessaire pour garder votre session. Quittez la navigation privée, ou autorisez le stockage pour ce site.',
  'wrong-password': 'Adresse e-mail ou mot de passe incorrect.',
}

/** The service's answers by call, with the error that the app makes of them. */
export const AUTH_ANSWERS: Record<keyof typeof AUTH_ENDPOINTS, Record<string, AuthErrorCode>> = {
  password: {
    'INTERNAL_ERROR : An internal error has occurred.': 'internal-error',
    INVALID_LOGIN_CREDENTIALS: 'invalid-credential',
    INVALID_EMAIL: 'invalid-email',
    INVALID_ID_TOKEN: 'invalid-user-token',
    PASSWORD_LOGIN_DISABLED: 'operation-not-allowed',
    USER_DISABLED: 'user-disabled',
    INVALID_PASSWORD: 'wrong-password',
  },
  mail: {
    EXPIRED_OOB_CODE: 'expired-action-code',
    INVALID_OOB_CODE: 'invalid-action-code',
    'UNAUTHORIZED_DOMAIN : not whitelisted': 'unauthorized-continue-uri',
    EMAIL_NOT_FOUND: 'user-not-found',
  },
  signUp: {
    ADMIN_ONLY_OPERATION: 'admin-restricted-operation',
    EMAIL_EXISTS: 'email-already-in-use',
    'WEAK_PASSWORD : Password should be at least 6 characters': 'weak-password',
  },
  message: {
    'CAPTCHA_CHECK_FAILED : Recaptcha verification failed - EXPIRED': 'captcha-check-failed',
    'INVALID_PHONE_NUMBER : Invalid format.': 'invalid-phone-number',
    'INVALID_PHONE_NUMBER : TOO_LONG': 'phone-number-too-long',
    'INVALID_PHONE_NUMBER : TOO_SHORT': 'phone-number-too-short',
    'QUOTA_EXCEEDED : Exceeded per phone number quota for sending verification codes.': 'quota-exceeded',
    TOO_MANY_ATTEMPTS_TRY_LATER: 'too-many-requests',
  },
  code: {
    SESSION_EXPIRED: 'code-expired',
    FEDERATED_USER_ID_ALREADY_LINKED: 'credential-already-in-use',
    INVALID_CODE: 'invalid-verification-code',
    INVALID_SESSION_INFO: 'invalid-verification-id',
    PROVIDER_ALREADY_LINKED: 'provider-already-linked',
    TOKEN_EXPIRED: 'user-token-expired',
  },
  google: {
    ACCOUNT_EXISTS_WITH_DIFFERENT_CREDENTIAL: 'account-exists-with-different-credential',
    CANCELLED_POPUP_REQUEST: 'cancelled-popup-request',
    'MISSING_OR_INVALID_NONCE : Nonce is missing in the request.': 'missing-or-invalid-nonce',
    // Without the underscore, the SDK does not treat it as the refusal of a link.
    'UNAUTHORIZED DOMAIN': 'unauthorized-domain',
  },
}

export const getAuthErrorText = (code: AuthErrorCode) => getText(AUTH_ERRORS[code])

export const getPasswordPolicyText = ({ minLength, maxLength = 0, ...asked }: Partial<PasswordPolicy>) =>
  getText(PASSWORD_POLICY_TEXT, {
    minLength,
    maxLength,
    most: String(maxLength > 0),
    lowercase: 'false',
    uppercase: 'false',
    digit: 'false',
    symbol: 'false',
    ...Object.fromEntries(Object.entries(asked).map(([name, isAsked]) => [name, String(isAsked)])),
  })
