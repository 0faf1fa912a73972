import { html } from 'hono/html'
import { applyCode, findCode, resetPassword } from './actionCodes.ts'
import { ACTION_MODES } from './mails.ts'
import { renderPublicPage } from './publicPage.ts'
import { AuthRefusal } from './reply.ts'
import { type ActionCode, type AuthContext, findAccountById, type Language } from './state.ts'

export interface ActionVisit {
  readonly mode: string | undefined
  readonly oobCode: string
  readonly language: Language
  /** Empty if the form has none; undefined for a GET. */
  readonly newPassword: string | undefined
}

/** As in the real service, a GET changes nothing: the page's script applies the code. */
export async function renderActionPage(core: AuthContext, visit: ActionVisit) {
  const { code, situation } = await followLink(core, visit)
  return {
    status: situation in BAD_LINKS ? (400 as const) : (200 as const),
    page: page(core.appName, visit.language, situation, code),
  }
}

type Situation =
  | 'opened'
  | 'verified'
  | 'alreadyVerified'
  | 'emailChanged'
  | 'passwordWanted'
  | 'passwordTooShort'
  | 'passwordChanged'
  | keyof typeof BAD_LINKS

const BAD_LINKS = { used: true, expired: true, disabled: true, emailTaken: true, unusable: true } as const

interface Followed {
  readonly code: ActionCode | undefined
  readonly situation: Situation
}

async function followLink(core: AuthContext, { mode, oobCode, newPassword }: ActionVisit): Promise<Followed> {
  const code = core.data.codes.find(
    (one) => one.oobCode === oobCode && ACTION_MODES[one.requestType] === mode,
  )
  if (!code) return { code, situation: 'unusable' }
  if (code.usedAt !== null) return { code, situation: isStillTrue(core, code) ? 'alreadyVerified' : 'used' }
  const isReset = code.requestType === 'PASSWORD_RESET'
  try {
    if (newPassword === undefined) {
      findCode(core, oobCode)
      return { code, situation: isReset ? 'passwordWanted' : 'opened' }
    }
    if (isReset) await resetPassword(core, oobCode, newPassword)
    else applyCode(core, oobCode)
  } catch (error) {
    if (!(error instanceof AuthRefusal)) throw error
    return { code, situation: SITUATIONS[error.code] ?? 'unusable' }
  }
  if (isReset) return { code, situation: 'passwordChanged' }
  return { code, situation: code.newEmail === null ? 'verified' : 'emailChanged' }
}

/** Opening the link of a used code again is not an error while its address is confirmed. */
function isStillTrue(core: AuthContext, code: ActionCode) {
  const account = findAccountById(core, code.localId)
  return (
    code.requestType !== 'PASSWORD_RESET' &&
    account?.emailVerified === true &&
    account.email === (code.newEmail ?? code.email)
  )
}

const SITUATIONS: Readonly<Record<string, Situation>> = {
  EXPIRED_OOB_CODE: 'expired',
  USER_DISABLED: 'disabled',
  EMAIL_EXISTS: 'emailTaken',
  MISSING_PASSWORD: 'passwordTooShort',
  WEAK_PASSWORD: 'passwordTooShort',
}

interface Words {
  readonly continue: string
  readonly newPassword: string
  readonly save: string
  readonly situations: Readonly<Record<Situation, readonly [title: string, text: (email: string) => string]>>
}

const WORDS: Record<Language, Words> = {
  fr: {
    continue: 'Continuer',
    newPassword: 'Nouveau mot de passe',
    save: 'Enregistrer',
    situations: {
      opened: ['Confirmation de l’adresse', (email) => `L’adresse ${email} est en cours de confirmation.`],
      verified: ['Adresse confirmée', (email) => `L’adresse ${email} est confirmée.`],
      alreadyVerified: ['Adresse confirmée', (email) => `L’adresse ${email} est déjà confirmée.`],
      emailChanged: ['Adresse modifiée', (email) => `Connectez-vous désormais avec ${email}.`],
      passwordWanted: [
        'Nouveau mot de passe',
        (email) => `Choisissez un nouveau mot de passe pour ${email}.`,
      ],
      passwordTooShort: ['Nouveau mot de passe', () => 'Choisissez au moins 6 caractères.'],
      passwordChanged: [
        'Mot de passe modifié',
        (email) => `Connectez-vous à ${email} avec le nouveau mot de passe.`,
      ],
      used: ['Lien déjà utilisé', () => 'Ce lien ne sert qu’une fois. Demandez-en un nouveau.'],
      expired: ['Lien expiré', () => 'Ce lien n’est plus valable. Demandez-en un nouveau.'],
      disabled: ['Compte désactivé', (email) => `Le compte ${email} est désactivé.`],
      emailTaken: ['Adresse déjà prise', (email) => `L’adresse ${email} appartient à un autre compte.`],
      unusable: ['Lien non valable', () => 'Vérifiez que le lien est complet, ou demandez-en un nouveau.'],
    },
  },
  en: {
    continue: 'Continue',
    newPassword: 'New password',
    save: 'Save',
    situations: {
      opened: ['Confirming the address', (email) => `The address ${email} is being confirmed.`],
      verified: ['Address confirmed', (email) => `The address ${email} is confirmed.`],
      alreadyVerified: ['Address confirmed', (email) => `The address ${email} is already confirmed.`],
      emailChanged: ['Address changed', (email) => `Sign in with ${email} from now on.`],
      passwordWanted: ['New password', (email) => `Choose a new password for ${email}.`],
      passwordTooShort: ['New password', () => 'Choose at least 6 characters.'],
      passwordChanged: ['Password changed', (email) => `Sign in to ${email} with the new password.`],
      used: ['Link already used', () => 'This link works only once. Ask for a new one.'],
      expired: ['Link expired', () => 'This link is no longer valid. Ask for a new one.'],
      disabled: ['Account disabled', (email) => `The account ${email} is disabled.`],
      emailTaken: ['Address taken', (email) => `The address ${email} belongs to another account.`],
      unusable: ['Link not valid', () => 'Check that the link is complete, or ask for a new one.'],
    },
  },
}

function page(appName: string, language: Language, situation: Situation, code: ActionCode | undefined) {
  const words = WORDS[language]
  const [title, text] = words.situations[situation]
  const asksPassword = situation === 'passwordWanted' || situation === 'passwordTooShort'
  return renderPublicPage(
    language,
    `${title} · ${appName}`,
    html`<h1>${title}</h1>
    <p id="message" role="${situation === 'passwordTooShort' ? 'alert' : 'status'}">
      ${text(code?.newEmail ?? code?.email ?? '')}
    </p>
    ${
      situation === 'opened'
        ? html`<form method="post"></form><script>document.forms[0].submit()</script>`
        : asksPassword
          ? html`<form method="post">
      <label>${words.newPassword}
        <input type="password" name="newPassword" autocomplete="new-password" aria-describedby="message" required autofocus>
      </label>
      <button>${words.save}</button>
    </form>`
          : code?.continueUrl && html`<a class="button" href="${code.continueUrl}">${words.continue}</a>`
    }`,
  )
}
