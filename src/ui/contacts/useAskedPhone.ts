import { useState } from 'react'
import type { CountryCode } from '../../../domain/numbers/destinations.ts'
import { formatInternationalPhone, listPhones } from '../../../domain/numbers/phone.ts'
import { runAfterPress } from '../../browser/press.ts'

/** Once the field is left, `meant` has the numbers that the typed one may mean. */
export function useAskedPhone(phone: string, country?: CountryCode) {
  const [asked, setAsked] = useState<string>()
  /** Returns the number as the field then shows it. */
  const leave = () => {
    const text = formatInternationalPhone(phone, country)
    // The question must not move the button that is being pressed.
    runAfterPress(() => setAsked(text))
    return text
  }
  return { meant: asked === phone ? listPhones(phone, country) : [], leave, ask: setAsked }
}
