import { html } from 'hono/html'
import { applyCode, findCode, resetPassword } from './actionCodes.ts'
import { type ActionCode, accountById, type Core, type Language } from './core.ts'
import { MODES } from './mails.ts'
import { publicPage } from './publicPage.ts'
import { isRefusal, type Refusal } from './reply.ts'

export interface ActionVisit {
  readonly mode: string | undefined
  readonly oobCode: string
  readonly language: Language
  /** What was typed into the form of a reset link; undefined when the page is only opened. */
  readonly newPassword: string | undefined
}

/** The page that the link of a mail opens. Opening it confirms an address; a reset asks for the new password first. */
export async function actionPage(core: Core, visit: ActionVisit) {
  const { code, situation } = await follow(core, visit)
  return {
    status: situation in BAD_LINKS ? (400 as const) : (200 as const),
    page: page(core.appName, visit.language, situation, code),
  }
}

type Situation =
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

async function follow(core: Core, { mode, oobCode, newPassword }: ActionVisit): Promise<Followed> {
  const code = core.data.codes.find((one) => one.oobCode === oobCode && MODES[one.requestType] === mode)
  if (!code) return { code, situation: 'unusable' }
  if (code.usedAt !== null) return { code, situation: isStillTrue(core, code) ? 'alreadyVerified' : 'used' }
  if (code.requestType !== 'PASSWORD_RESET') {
    const applied = applyCode(core, oobCode)
    if (isRefusal(applied)) return { code, situation: situationOf(applied) }
    return { code, situation: code.newEmail === null ? 'verified' : 'emailChanged' }
  }
  const changed =
    newPassword === undefined ? findCode(core, oobCode) : await resetPassword(core, oobCode, newPassword)
  if (isRefusal(changed)) return { code, situation: situationOf(changed) }
  return { code, situation: newPassword === undefined ? 'passwordWanted' : 'passwordChanged' }
}

/** Following a link twice is no mistake when the address is confirmed all the same. */
function isStillTrue(core: Core, code: ActionCode) {
  const account = accountById(core, code.localId)
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

const situationOf = ({ message }: Refusal): Situation =>
  SITUATIONS[message.split(' : ')[0] ?? ''] ?? 'unusable'

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
      verified: ['Address confirmed', (email) => `The address ${email} is confirmed.`],
      alreadyVerified: ['Address confirmed', (email) => `The address ${email} is confirmed already.`],
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
  return publicPage(
    language,
    `${title} · ${appName}`,
    html`<h1>${title}</h1>
    <p id="message" role="${situation === 'passwordTooShort' ? 'alert' : 'status'}">
      ${text(code?.newEmail ?? code?.email ?? '')}
    </p>
    ${
      asksPassword
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
