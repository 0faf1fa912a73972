import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { buildRefusal, type Refusal } from './reply.ts'
import type { Password } from './state.ts'

const PASSWORD_MIN_LENGTH = 6

export const checkEmail = (email: string): Refusal | null => {
  if (!email) return buildRefusal('MISSING_EMAIL')
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? null : buildRefusal('INVALID_EMAIL')
}

export const checkNewPassword = (password: string): Refusal | null => {
  if (!password) return buildRefusal('MISSING_PASSWORD')
  return password.length >= PASSWORD_MIN_LENGTH
    ? null
    : buildRefusal('WEAK_PASSWORD', `Password should be at least ${PASSWORD_MIN_LENGTH} characters`)
}

export async function hashPassword(password: string, now: number): Promise<Password> {
  const salt = randomBytes(16).toString('base64')
  return { salt, hash: (await derive(password, salt)).toString('base64'), updatedAt: now }
}

export const verifyPassword = async (stored: Password, password: string) =>
  timingSafeEqual(Buffer.from(stored.hash, 'base64'), await derive(password, stored.salt))

/** Derives a hash with weak parameters, for speed: these passwords protect nothing. */
const derive = (password: string, salt: string) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, 32, { N: 1024 }, (error, key) => (error ? reject(error) : resolve(key)))
  })
