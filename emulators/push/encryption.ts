import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto'

const SALT = 16
const TAG = 16
/** Salt, size of a record, length of the sender's key. */
const BEFORE_KEY = SALT + 4 + 1

/**
 * What a message says that was encrypted for a browser (RFC 8291, in the coding of RFC 8188), by the browser's key and its secret
 * (base64url); null when it was encrypted for another one. A message is one record.
 */
export function decrypted(body: Buffer, browser: ECDH, auth: string): string | null {
  try {
    const salt = body.subarray(0, SALT)
    const sender = body.subarray(BEFORE_KEY, BEFORE_KEY + body.readUInt8(BEFORE_KEY - 1))
    const record = body.subarray(BEFORE_KEY + sender.length)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender])
    const secret = derived(browser.computeSecret(sender), Buffer.from(auth, 'base64url'), info, 32)
    const key = derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(record.subarray(-TAG))
    const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG)), decipher.final()])
    // The last record ends with a two, and padding after it.
    return padded.subarray(0, padded.lastIndexOf(2)).toString()
  } catch {
    return null
  }
}

const derived = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))
