import type { ActionCode, ActionRequestType, AuthContext, Language } from './state.ts'

export const ACTION_MODES: Record<ActionRequestType, string> = {
  PASSWORD_RESET: 'resetPassword',
  VERIFY_EMAIL: 'verifyEmail',
  VERIFY_AND_CHANGE_EMAIL: 'verifyAndChangeEmail',
}

/** Built whenever the mail is read, so that it leads to the emulator's current address. */
export function buildMailLink(core: AuthContext, code: ActionCode): string {
  const link = new URL('/emulator/action', core.publicOrigin())
  link.search = new URLSearchParams({
    mode: ACTION_MODES[code.requestType],
    lang: code.language,
    oobCode: code.oobCode,
    apiKey: code.apiKey,
    ...(code.continueUrl && { continueUrl: code.continueUrl }),
  }).toString()
  return link.href
}

export function buildMail(core: AuthContext, code: ActionCode) {
  const words = TEXTS[code.language]
  const to = code.newEmail ?? code.email
  const link = buildMailLink(core, code)
  const { subject, request, otherwise } = words[code.requestType](core.appName, to)
  return {
    to,
    subject,
    requestType: code.requestType,
    link,
    text: [words.greeting(code.displayName), request, link, otherwise, words.closing(core.appName)].join(
      '\n\n',
    ),
    createdAt: code.createdAt,
  }
}

type Template = (appName: string, email: string) => { subject: string; request: string; otherwise: string }

interface Texts extends Record<ActionRequestType, Template> {
  greeting(name: string): string
  closing(appName: string): string
}

const TEXTS: Record<Language, Texts> = {
  fr: {
    greeting: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
    closing: (appName) => `L’équipe ${appName}`,
    VERIFY_EMAIL: (appName) => ({
      subject: `Confirmez votre adresse e-mail pour ${appName}`,
      request: 'Suivez ce lien pour confirmer votre adresse e-mail :',
      otherwise: 'Si vous n’avez pas demandé cette confirmation, ignorez ce message.',
    }),
    PASSWORD_RESET: (appName, email) => ({
      subject: `Réinitialisez votre mot de passe pour ${appName}`,
      request: `Suivez ce lien pour choisir un nouveau mot de passe pour votre compte ${email} :`,
      otherwise: 'Si vous n’avez pas demandé à changer de mot de passe, ignorez ce message.',
    }),
    VERIFY_AND_CHANGE_EMAIL: (appName, email) => ({
      subject: `Confirmez votre nouvelle adresse e-mail pour ${appName}`,
      request: `Suivez ce lien pour vous connecter désormais avec ${email} :`,
      otherwise: 'Si vous n’avez pas demandé ce changement, ignorez ce message.',
    }),
  },
  en: {
    greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
    closing: (appName) => `Your ${appName} team`,
    VERIFY_EMAIL: (appName) => ({
      subject: `Confirm your e-mail address for ${appName}`,
      request: 'Follow this link to confirm your e-mail address:',
      otherwise: 'If you did not ask for this confirmation, ignore this message.',
    }),
    PASSWORD_RESET: (appName, email) => ({
      subject: `Reset your password for ${appName}`,
      request: `Follow this link to choose a new password for your account ${email}:`,
      otherwise: 'If you did not ask for a new password, ignore this message.',
    }),
    VERIFY_AND_CHANGE_EMAIL: (appName, email) => ({
      subject: `Confirm your new e-mail address for ${appName}`,
      request: `Follow this link to sign in with ${email} from now on:`,
      otherwise: 'If you did not ask for this change, ignore this message.',
    }),
  },
}
