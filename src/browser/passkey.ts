/*
 * Nothing is sent to a server: the browser itself reports whether the device agreed. Checking the signature
 * would add nothing, because a person who can forge the answer can also delete the stored lock.
 */

/** In milliseconds. */
const USER_TIMEOUT = 60_000

/** The user was verified, not only present. */
const USER_VERIFIED = 0b100
/** The flags follow the hash of the site's name. */
const FLAGS_AT = 32

const createChallenge = () => crypto.getRandomValues(new Uint8Array(16))

export async function canRecognizeUser(): Promise<boolean> {
  try {
    return await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()
  } catch {
    return false
  }
}

/** `name`: how the device lists it. @throws if the user cancels or the device does not recognize the user. */
export async function createPasskey(uid: string, name: string): Promise<string> {
  const passkey = await navigator.credentials.create({
    publicKey: {
      rp: { name: 'Passerelle' },
      // A second passkey of the same user replaces the first one.
      user: { id: new TextEncoder().encode(uid), name, displayName: name },
      challenge: createChallenge(),
      // ES256, and RS256 for Windows Hello.
      pubKeyCredParams: [
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      authenticatorSelection: {
        authenticatorAttachment: 'platform',
        // It opens this app on this device, and is not for signing in.
        residentKey: 'discouraged',
        userVerification: 'required',
      },
      timeout: USER_TIMEOUT,
    },
  })
  if (!passkey) throw new Error('The browser created no passkey')
  return passkey.id
}

/** Works without a network. @throws if the user cancels, is not recognized, or the passkey is gone. */
export async function recognizeUser(id: string | null, signal?: AbortSignal): Promise<void> {
  if (id === null) throw new Error('There is no passkey')
  const passkey = await navigator.credentials.get({
    publicKey: {
      challenge: createChallenge(),
      allowCredentials: [{ type: 'public-key', id: decode(id), transports: ['internal'] }],
      userVerification: 'required',
      timeout: USER_TIMEOUT,
    },
    ...(signal && { signal }),
  })
  const { response } = passkey as PublicKeyCredential & { response: AuthenticatorAssertionResponse }
  const flags = new Uint8Array(response.authenticatorData)[FLAGS_AT] ?? 0
  if ((flags & USER_VERIFIED) === 0) throw new Error('The device did not verify its user')
}

function decode(id: string): Uint8Array<ArrayBuffer> {
  const base64 = id.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
