import type { AuthCode } from '../domain/failure.ts'

/** Which call of the app a fault makes the sign-in service refuse. */
export const CALLS = {
  password: 'accounts:signInWithPassword',
  mail: 'accounts:sendOobCode',
  signUp: 'accounts:signUp',
  message: 'accounts:sendVerificationCode',
  code: 'accounts:signInWithPhoneNumber',
  google: 'accounts:signInWithIdp',
} as const

interface AuthError {
  readonly fr: string
  readonly en: string
  /** What the service answers, and to which call; null where something else than an answer leads there. */
  readonly drawn: readonly [call: keyof typeof CALLS, message: string] | null
}

const CAPTCHA_EXPIRED = {
  fr: 'reCAPTCHA expiré, veuillez réessayer',
  en: 'reCAPTCHA expired, please try again',
}
const CODE_SPENT = {
  fr: 'Code invalide ou expiré. Demandez-en un autre.',
  en: 'Invalid or expired code. Please ask for another one.',
}
const LINK_SPENT = {
  fr: 'Ce lien n’est plus valable. Demandez-en un nouveau.',
  en: 'This link is no longer valid. Please ask for a new one.',
}
const SESSION_OVER = {
  fr: 'Votre session a pris fin. Reconnectez-vous.',
  en: 'Your session has ended. Please sign in again.',
}
const WAY_CLOSED = {
  fr: 'Cette façon de se connecter n’est pas disponible. Essayez par e-mail ou par téléphone.',
  en: 'This way to sign in is not available. Please try by email or by phone.',
}
const WRONG_SITE = {
  fr: 'Cette adresse web n’est pas autorisée pour la connexion. Ouvrez Passerelle à son adresse habituelle.',
  en: 'Signing in is not allowed from this web address. Please open Passerelle at its usual address.',
}

/** What a person reads for each code, in both languages; the app's own catalogs are not asked. */
export const AUTH_ERRORS: Record<AuthCode, AuthError> = {
  'account-exists-with-different-credential': {
    fr: 'Cette adresse e-mail a déjà un compte, avec une autre façon de se connecter. Connectez-vous par e-mail ou par téléphone.',
    en: 'This email address already has an account with another way to sign in. Please sign in by email or by phone.',
    drawn: ['google', 'ACCOUNT_EXISTS_WITH_DIFFERENT_CREDENTIAL'],
  },
  'admin-restricted-operation': { ...WAY_CLOSED, drawn: ['signUp', 'ADMIN_ONLY_OPERATION'] },
  'blocked-by-function': {
    fr: 'Aucun compte trouvé pour ce numéro. Créez le vôtre ici.',
    en: 'No account found for this number. Please sign up here.',
    drawn: null,
  },
  'cancelled-popup-request': {
    fr: 'Une autre fenêtre de connexion a remplacé celle-ci.',
    en: 'Another sign-in window took the place of this one.',
    drawn: ['google', 'CANCELLED_POPUP_REQUEST'],
  },
  'captcha-check-failed': {
    ...CAPTCHA_EXPIRED,
    drawn: ['message', 'CAPTCHA_CHECK_FAILED : Recaptcha verification failed - EXPIRED'],
  },
  'captcha-expired': { ...CAPTCHA_EXPIRED, drawn: null },
  'captcha-init-failed': {
    fr: 'Impossible d’initialiser reCAPTCHA. Vérifiez votre connexion, puis réessayez.',
    en: 'reCAPTCHA could not be started. Check your connection, then try again.',
    drawn: null,
  },
  'code-expired': { ...CODE_SPENT, drawn: ['code', 'SESSION_EXPIRED'] },
  'credential-already-in-use': {
    fr: 'Un autre compte se sert déjà de ce numéro.',
    en: 'Another account already uses this number.',
    drawn: ['code', 'FEDERATED_USER_ID_ALREADY_LINKED'],
  },
  'email-already-in-use': {
    fr: 'Cette adresse e-mail a déjà un compte. Connectez-vous.',
    en: 'This email address already has an account. Please sign in.',
    drawn: ['signUp', 'EMAIL_EXISTS'],
  },
  'expired-action-code': { ...LINK_SPENT, drawn: ['mail', 'EXPIRED_OOB_CODE'] },
  'internal-error': {
    fr: 'Le service de connexion a un problème. Réessayez dans un moment.',
    en: 'The sign-in service has a problem. Please try again in a moment.',
    drawn: ['password', 'INTERNAL_ERROR : An internal error has occurred.'],
  },
  'invalid-action-code': { ...LINK_SPENT, drawn: ['mail', 'INVALID_OOB_CODE'] },
  'invalid-credential': {
    fr: 'Identifiants incorrects. Vérifiez l’adresse et le mot de passe.',
    en: 'Incorrect credentials. Check the address and the password.',
    drawn: ['password', 'INVALID_LOGIN_CREDENTIALS'],
  },
  'invalid-email': {
    fr: 'Saisissez une adresse e-mail valide.',
    en: 'Please enter a valid email address.',
    drawn: ['password', 'INVALID_EMAIL'],
  },
  'invalid-phone-number': {
    fr: 'Ce numéro de téléphone n’est pas valide.',
    en: 'This phone number is not valid.',
    drawn: ['message', 'INVALID_PHONE_NUMBER : Invalid format.'],
  },
  'invalid-user-token': { ...SESSION_OVER, drawn: ['password', 'INVALID_ID_TOKEN'] },
  'invalid-verification-code': {
    fr: 'Le code saisi est incorrect.',
    en: 'The code you entered is incorrect.',
    drawn: ['code', 'INVALID_CODE'],
  },
  'invalid-verification-id': { ...CODE_SPENT, drawn: ['code', 'INVALID_SESSION_INFO'] },
  'missing-or-invalid-nonce': {
    fr: 'La réponse de Google n’a pas pu être vérifiée. Réessayez.',
    en: 'Google’s answer could not be verified. Please try again.',
    drawn: ['google', 'MISSING_OR_INVALID_NONCE : Nonce is missing in the request.'],
  },
  'operation-not-allowed': { ...WAY_CLOSED, drawn: ['password', 'PASSWORD_LOGIN_DISABLED'] },
  'phone-number-too-long': {
    fr: 'Ce numéro de téléphone est trop long.',
    en: 'This phone number is too long.',
    drawn: ['message', 'INVALID_PHONE_NUMBER : TOO_LONG'],
  },
  'phone-number-too-short': {
    fr: 'Ce numéro de téléphone est trop court.',
    en: 'This phone number is too short.',
    drawn: ['message', 'INVALID_PHONE_NUMBER : TOO_SHORT'],
  },
  'popup-blocked': {
    fr: 'Votre navigateur a bloqué la fenêtre de connexion. Autorisez les fenêtres de ce site, puis réessayez.',
    en: 'Your browser blocked the sign-in window. Allow pop-ups for this site, then try again.',
    drawn: null,
  },
  'popup-closed-by-user': {
    fr: 'La fenêtre de connexion a été fermée avant la fin. Réessayez quand vous voulez.',
    en: 'The sign-in window was closed before the end. Try again whenever you like.',
    drawn: null,
  },
  'provider-already-linked': {
    fr: 'Ce compte a déjà un numéro.',
    en: 'This account already has a number.',
    drawn: ['code', 'PROVIDER_ALREADY_LINKED'],
  },
  'quota-exceeded': {
    fr: 'Trop de codes ont été demandés pour l’instant. Réessayez plus tard, ou connectez-vous par e-mail.',
    en: 'Too many codes were asked for at the moment. Try again later, or sign in by email.',
    drawn: ['message', 'QUOTA_EXCEEDED : Exceeded per phone number quota for sending verification codes.'],
  },
  'requires-recent-login': {
    fr: 'Par sécurité, confirmez d’abord que c’est bien vous.',
    en: 'For your security, first confirm that it is you.',
    drawn: null,
  },
  'token-too-old': {
    fr: 'La connexion a pris trop de temps. Réessayez.',
    en: 'Signing in took too long. Please try again.',
    drawn: null,
  },
  'too-many-requests': {
    fr: 'Trop de tentatives. Patientez quelques minutes, puis réessayez.',
    en: 'Too many attempts. Wait a few minutes, then try again.',
    drawn: ['message', 'TOO_MANY_ATTEMPTS_TRY_LATER'],
  },
  'unauthorized-continue-uri': { ...WRONG_SITE, drawn: ['mail', 'UNAUTHORIZED_DOMAIN : not whitelisted'] },
  // Without the underscore the SDK does not take it for the refusal of a link.
  'unauthorized-domain': { ...WRONG_SITE, drawn: ['google', 'UNAUTHORIZED DOMAIN'] },
  'user-disabled': {
    fr: 'Ce compte est suspendu. Écrivez à notre assistance.',
    en: 'This account is suspended. Please write to our support.',
    drawn: ['password', 'USER_DISABLED'],
  },
  'user-mismatch': {
    fr: 'Ce n’est pas le compte ouvert ici.',
    en: 'This is not the account that is open here.',
    drawn: null,
  },
  'user-not-found': {
    fr: 'Aucun compte avec cette adresse e-mail. Créez le vôtre ici. Si vous aviez un compte et avez changé d’adresse, connectez-vous avec la nouvelle.',
    en: 'There is no account for this email. Create yours here. If you had an account and changed its address, sign in with the new one.',
    drawn: ['mail', 'EMAIL_NOT_FOUND'],
  },
  'user-token-expired': { ...SESSION_OVER, drawn: ['code', 'TOKEN_EXPIRED'] },
  'weak-password': {
    fr: 'Le mot de passe doit contenir au moins 6 caractères, une majuscule et un chiffre.',
    en: 'The password must have at least 6 characters, an uppercase letter and a digit.',
    drawn: ['signUp', 'WEAK_PASSWORD : Password should be at least 6 characters'],
  },
  'web-storage-unsupported': {
    fr: 'Votre navigateur bloque ce dont la connexion a besoin pour garder votre session. Quittez la navigation privée, ou autorisez le stockage pour ce site.',
    en: 'Your browser blocks what sign-in needs to keep your session. Leave private browsing, or allow storage for this site.',
    drawn: null,
  },
  'wrong-password': {
    fr: 'Adresse e-mail ou mot de passe incorrect.',
    en: 'Invalid email or password.',
    drawn: ['password', 'INVALID_PASSWORD'],
  },
}
