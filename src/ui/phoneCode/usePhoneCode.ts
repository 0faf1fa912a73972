import { useEffect, useState } from 'react'
import { MINUTE } from '../../../domain/duration.ts'
import { type PhoneOtpInput, RESEND_SECONDS, type SentCode } from '../../../machines/phoneOtp.ts'
import { phoneOtp } from '../../actors/phoneOtp.ts'
import { keepForm, keptForm, textOf } from '../../browser/keptForms.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'

/** For how long a code that was sent may be good, in milliseconds; the service says at the end whether it is. */
const CODE_LIFETIME = 10 * MINUTE

interface KeptCode {
  readonly name: string
  readonly phone: string
  /** `at`: when it was sent, UTC ms by this device. */
  readonly sent: (SentCode & { readonly at: number }) | null
}

/**
 * The phone machine. When the page is loaded again it goes on where it was: with the details as they were typed, and at
 * the code when one was sent. `of` tells which of the app's forms it is.
 */
export function usePhoneCode(input: PhoneOtpInput, of: () => string) {
  const [kept] = useState(() => keptCode(of()))
  const actor = useActorRef(phoneOtp, {
    input: { ...input, ...(kept && { name: kept.name, phone: kept.phone }) },
  })
  useEffect(() => {
    let sent = kept?.sent ?? null
    if (sent) {
      const { at, ...code } = sent
      const secondsAgo = Math.floor((Date.now() - at) / 1000)
      actor.send({ type: 'code.resume', sent: code, resendIn: RESEND_SECONDS - secondsAgo })
    }
    const { unsubscribe } = actor.subscribe(({ context }) => {
      const { name, phone } = context
      if (context.sent?.verificationId !== sent?.verificationId)
        sent = context.sent && { ...context.sent, at: Date.now() }
      keepForm('phone', of(), name || phone ? { name, phone, ...(sent && { sent }) } : null)
    })
    return () => {
      unsubscribe()
      keepForm('phone', of(), null)
    }
  }, [actor, kept, of])
  return actor
}

/** Whether a code of this form is under way since before the page was loaded again. */
export const isCodeKept = (of: string): boolean => keptCode(of)?.sent != null

function keptCode(of: string): KeptCode | null {
  const kept = keptForm('phone', of)
  if (!kept) return null
  const { verificationId, phone, at } = Object(kept.sent)
  const age = Date.now() - Number(at)
  const isGood = textOf(verificationId) !== '' && textOf(phone) !== '' && age >= 0 && age < CODE_LIFETIME
  return {
    name: textOf(kept.name),
    phone: textOf(kept.phone),
    sent: isGood ? { verificationId, phone, at } : null,
  }
}
