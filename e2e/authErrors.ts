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

/** The ID of the app's message, and the call and response that cause it. */
export const AUTH_ERRORS: Record<
  AuthErrorCode,
  readonly [id: string, call?: keyof typeof AUTH_ENDPOINTS, answer?: string]
> = {
  'account-exists-with-different-credential': [
    'Cette adresse e-mail a déjà un compte, avec une autre façon de se connecter. Connectez-vous par e-mail ou par téléphone.',
    'google',
    'ACCOUNT_EXISTS_WITH_DIFFERENT_CREDENTIAL',
  ],
  'admin-restricted-operation': [
    'Cette façon de se connecter n’est pas disponible. Essayez par e-mail ou par téléphone.',
    'signUp',
    'ADMIN_ONLY_OPERATION',
  ],
  'blocked-by-function': ['Aucun compte trouvé pour ce numéro. Créez le vôtre ici.'],
  'cancelled-popup-request': [
    'Une autre fenêtre de connexion a remplacé celle-ci.',
    'google',
    'CANCELLED_POPUP_REQUEST',
  ],
  'captcha-check-failed': [
    'reCAPTCHA expiré, veuillez réessayer',
    'message',
    'CAPTCHA_CHECK_FAILED : Recaptcha verification failed - EXPIRED',
  ],
  'captcha-expired': ['reCAPTCHA expiré, veuillez réessayer'],
  'captcha-init-failed': ['Impossible d’initialiser reCAPTCHA. Vérifiez votre connexion, puis réessayez.'],
  'code-expired': ['Code invalide ou expiré. Demandez-en un autre.', 'code', 'SESSION_EXPIRED'],
  'credential-already-in-use': [
    'Un autre compte se sert déjà de ce numéro.',
    'code',
    'FEDERATED_USER_ID_ALREADY_LINKED',
  ],
  'email-already-in-use': [
    'Cette adresse e-mail a déjà un compte. Connectez-vous.',
    'signUp',
    'EMAIL_EXISTS',
  ],
  'expired-action-code': ['Ce lien n’est plus valable. Demandez-en un nouveau.', 'mail', 'EXPIRED_OOB_CODE'],
  'internal-error': [
    'Le service de connexion a un problème. Réessayez dans un moment.',
    'password',
    'INTERNAL_ERROR : An internal error has occurred.',
  ],
  'invalid-action-code': ['Ce lien n’est plus valable. Demandez-en un nouveau.', 'mail', 'INVALID_OOB_CODE'],
  'invalid-credential': [
    'Identifiants incorrects. Vérifiez l’adresse et le mot de passe.',
    'password',
    'INVALID_LOGIN_CREDENTIALS',
  ],
  'invalid-email': ['Saisissez une adresse e-mail valide.', 'password', 'INVALID_EMAIL'],
  'invalid-phone-number': [
    'Ce numéro de téléphone n’est pas valide.',
    'message',
    'INVALID_PHONE_NUMBER : Invalid format.',
  ],
  'invalid-user-token': ['Votre session a pris fin. Reconnectez-vous.', 'password', 'INVALID_ID_TOKEN'],
  'invalid-verification-code': ['Le code saisi est incorrect.', 'code', 'INVALID_CODE'],
  'invalid-verification-id': [
    'Code invalide ou expiré. Demandez-en un autre.',
    'code',
    'INVALID_SESSION_INFO',
  ],
  'missing-or-invalid-nonce': [
    'La réponse de Google n’a pas pu être vérifiée. Réessayez.',
    'google',
    'MISSING_OR_INVALID_NONCE : Nonce is missing in the request.',
  ],
  'operation-not-allowed': [
    'Cette façon de se connecter n’est pas disponible. Essayez par e-mail ou par téléphone.',
    'password',
    'PASSWORD_LOGIN_DISABLED',
  ],
  'phone-number-too-long': [
    'Ce numéro de téléphone est trop long.',
    'message',
    'INVALID_PHONE_NUMBER : TOO_LONG',
  ],
  'phone-number-too-short': [
    'Ce numéro de téléphone est trop court.',
    'message',
    'INVALID_PHONE_NUMBER : TOO_SHORT',
  ],
  'popup-blocked': [
    'Votre navigateur a bloqué la fenêtre de connexion. Autorisez les fenêtres de ce site, puis réessayez.',
  ],
  'popup-closed-by-user': ['La fenêtre de connexion a été fermée avant la fin. Réessayez quand vous voulez.'],
  'provider-already-linked': ['Ce compte a déjà un numéro.', 'code', 'PROVIDER_ALREADY_LINKED'],
  'quota-exceeded': [
    'Trop de codes ont été demandés pour l’instant. Réessayez plus tard, ou connectez-vous par e-mail.',
    'message',
    'QUOTA_EXCEEDED : Exceeded per phone number quota for sending verification codes.',
  ],
  'requires-recent-login': ['Par sécurité, confirmez d’abord que c’est bien vous.'],
  'token-too-old': ['La connexion a pris trop de temps. Réessayez.'],
  'too-many-requests': [
    'Trop de tentatives. Patientez quelques minutes, puis réessayez.',
    'message',
    'TOO_MANY_ATTEMPTS_TRY_LATER',
  ],
  'unauthorized-continue-uri': [
    'Cette adresse web n’est pas autorisée pour la connexion. Ouvrez Passerelle à son adresse habituelle.',
    'mail',
    'UNAUTHORIZED_DOMAIN : not whitelisted',
  ],
  // Without the underscore, the SDK does not treat it as the refusal of a link.
  'unauthorized-domain': [
    'Cette adresse web n’est pas autorisée pour la connexion. Ouvrez Passerelle à son adresse habituelle.',
    'google',
    'UNAUTHORIZED DOMAIN',
  ],
  'user-disabled': ['Ce compte est suspendu. Écrivez à notre assistance.', 'password', 'USER_DISABLED'],
  'user-mismatch': ['Ce n’est pas le compte ouvert ici.'],
  'user-not-found': [
    'Aucun compte avec cette adresse e-mail. Créez le vôtre ici. Si vous aviez un compte et avez changé d’adresse, connectez-vous avec la nouvelle.',
    'mail',
    'EMAIL_NOT_FOUND',
  ],
  'user-token-expired': ['Votre session a pris fin. Reconnectez-vous.', 'code', 'TOKEN_EXPIRED'],
  'weak-password': [
    'Le mot de passe doit contenir au moins 6 caractères, une majuscule et un chiffre.',
    'signUp',
    'WEAK_PASSWORD : Password should be at least 6 characters',
  ],
  'web-storage-unsupported': [
    'Votre navigateur bloque le stockage nécessaire pour garder votre session. Quittez la navigation privée, ou autorisez le stockage pour ce site.',
  ],
  'wrong-password': ['Adresse e-mail ou mot de passe incorrect.', 'password', 'INVALID_PASSWORD'],
}

export const getAuthErrorText = (code: AuthErrorCode) => getText(AUTH_ERRORS[code][0])

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
