import { useCallback, useEffect, useState } from 'react'
import { MINUTE } from '../../../domain/common/duration.ts'
import {
  MESSAGES_BLOCKED_PERIOD,
  type PhoneOtpInput,
  RESEND_SECONDS,
  type SentCode,
} from '../../../machines/phoneOtp.ts'
import { phoneOtpLogic } from '../../actors/phoneOtp.ts'
import { readSavedForm, saveForm, toTextOrEmpty } from '../../browser/savedForms.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import { useUnmount } from '../useUnmount.ts'

/** In milliseconds; the service decides. */
const CODE_LIFETIME = 10 * MINUTE

interface CodeDraft {
  readonly name: string
  readonly phone: string
  /** `at`: UTC ms by this device. */
  readonly sent: (SentCode & { readonly at: number }) | null
}

/**
 * After a reload the machine resumes at the code step if a code was sent. `of` returns the key of the kept
 * values.
 */
export function usePhoneCode(input: PhoneOtpInput, of: () => string) {
  const [draft] = useState(() => readSentCode(of()))
  const actor = useActorRef(phoneOtpLogic, {
    input: { ...input, ...(draft && { name: draft.name, phone: draft.phone }) },
  })
  useEffect(() => {
    let sent = draft?.sent ?? null
    if (sent) {
      const { at, ...code } = sent
      actor.send({ type: 'code.resume', sent: code, resendIn: secondsLeft(at) })
    }
    let closedAt: number | null = null
    // Timers are late on a device that slept.
    const compare = () => {
      const { resendIn } = actor.getSnapshot().context
      const remaining = sent ? secondsLeft(sent.at) : 0
      if (resendIn > remaining + 1) actor.send({ type: 'resend.correct', resendIn: remaining })
      if (closedAt !== null && Date.now() - closedAt >= MESSAGES_BLOCKED_PERIOD)
        actor.send({ type: 'messages.unblock' })
    }
    const { unsubscribe } = actor.subscribe(({ context }) => {
      const { name, phone, smsRefusal } = context
      if (context.sent?.verificationId !== sent?.verificationId)
        sent = context.sent && { ...context.sent, at: Date.now() }
      closedAt = smsRefusal && (closedAt ?? Date.now())
      saveForm('phone', of(), name || phone ? { name, phone, ...(sent && { sent }) } : null)
      compare()
    })
    document.addEventListener('visibilitychange', compare)
    return () => {
      document.removeEventListener('visibilitychange', compare)
      unsubscribe()
    }
  }, [actor, draft, of])
  useUnmount(useCallback(() => saveForm('phone', of(), null), [of]))
  return actor
}

/** `at`: UTC ms by this device. */
const secondsLeft = (at: number) => Math.max(0, RESEND_SECONDS - Math.floor((Date.now() - at) / 1000))

export const hasSentCode = (of: string): boolean => readSentCode(of)?.sent != null

function readSentCode(of: string): CodeDraft | null {
  const draft = readSavedForm('phone', of)
  if (!draft) return null
  const { verificationId, phone, at } = Object(draft.sent)
  const age = Date.now() - Number(at)
  const isGood =
    toTextOrEmpty(verificationId) !== '' && toTextOrEmpty(phone) !== '' && age >= 0 && age < CODE_LIFETIME
  return {
    name: toTextOrEmpty(draft.name),
    phone: toTextOrEmpty(draft.phone),
    sent: isGood ? { verificationId, phone, at } : null,
  }
}
