import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { failAuth } from './reply.ts'
import type { AuthContext, Password } from './state.ts'

const PASSWORD_MIN_LENGTH = 6

/** A password policy counts these as symbols. */
export const PASSWORD_SYMBOLS = [...'^$*.[]{}()?"!@#%&/\\,><\':;|_~']

export const isEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

export function checkEmail(email: string): void {
  if (!email) failAuth('MISSING_EMAIL')
  if (!isEmail(email)) failAuth('INVALID_EMAIL')
}

export function checkNewPassword({ data }: AuthContext, password: string): void {
  if (!password) failAuth('MISSING_PASSWORD')
  if (password.length < PASSWORD_MIN_LENGTH)
    failAuth('WEAK_PASSWORD', `Password should be at least ${PASSWORD_MIN_LENGTH} characters`)
  const policy = data.passwordPolicy
  const { minPasswordLength = PASSWORD_MIN_LENGTH, maxPasswordLength = 4096 } = policy
  const missing = [
    password.length < minPasswordLength && `Password must contain at least ${minPasswordLength} characters`,
    password.length > maxPasswordLength && `Password may contain at most ${maxPasswordLength} characters`,
    policy.containsLowercaseCharacter &&
      !/[a-z]/.test(password) &&
      'Password must contain a lower case character',
    policy.containsUppercaseCharacter &&
      !/[A-Z]/.test(password) &&
      'Password must contain an upper case character',
    policy.containsNumericCharacter && !/\d/.test(password) && 'Password must contain a numeric character',
    policy.containsNonAlphanumericCharacter &&
      ![...password].some((character) => PASSWORD_SYMBOLS.includes(character)) &&
      'Password must contain a non-alphanumeric character',
  ].filter((requirement) => requirement !== false && requirement !== undefined)
  if (missing.length > 0)
    failAuth('PASSWORD_DOES_NOT_MEET_REQUIREMENTS', `Missing password requirements: [${missing.join(', ')}]`)
}

export async function hashPassword(password: string, now: number): Promise<Password> {
  const salt = randomBytes(16).toString('base64')
  return { salt, hash: (await derive(password, salt)).toString('base64'), updatedAt: now }
}

export const verifyPassword = async (stored: Password, password: string) =>
  timingSafeEqual(Buffer.from(stored.hash, 'base64'), await derive(password, stored.salt))

/** Weak parameters, for speed: these passwords protect nothing. */
const derive = (password: string, salt: string) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, 32, { N: 1024 }, (error, key) => (error ? reject(error) : resolve(key)))
  })
