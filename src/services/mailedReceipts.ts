import { MAIL_RECEIPT } from '../../domain/api/transfers.ts'
import type { Language } from '../../domain/common/language.ts'
import { callFunction } from './functions.ts'

/** Returns the user's verified address. */
export const mailReceipt = async (id: string, press: string, language: Language): Promise<string> =>
  (await callFunction(MAIL_RECEIPT, { id, press, language, timeZone: getTimeZone() })).address

const getTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
