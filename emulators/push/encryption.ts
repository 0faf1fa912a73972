import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto'

const SALT = 16
const TAG = 16
const BEFORE_KEY = SALT + 4 + 1

/** RFC 8291 and RFC 8188, a single record. Null if the message was encrypted for another browser. */
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
