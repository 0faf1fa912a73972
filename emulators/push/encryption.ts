import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto'

const SALT = 16
const TAG = 16
/** Lengths of the salt, the record size and the key-length byte. */
const BEFORE_KEY = SALT + 4 + 1

/**
 * Decrypts a message (RFC 8291, RFC 8188) with the browser's key and secret (base64url). Returns null if it
 * was encrypted for another browser. Supports messages of a single record.
 */
export function decryptMessage(body: Buffer, browser: ECDH, auth: string): string | null {
  try {
    const salt = body.subarray(0, SALT)
    const sender = body.subarray(BEFORE_KEY, BEFORE_KEY + body.readUInt8(BEFORE_KEY - 1))
    const record = body.subarray(BEFORE_KEY + sender.length)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender])
    const secret = deriveKey(browser.computeSecret(sender), Buffer.from(auth, 'base64url'), info, 32)
    const key = deriveKey(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = deriveKey(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(record.subarray(-TAG))
    const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG)), decipher.final()])
    // The last record ends with 0x02 and padding.
    return padded.subarray(0, padded.lastIndexOf(2)).toString()
  } catch {
    return null
  }
}

const deriveKey = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))
