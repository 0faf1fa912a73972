import { MAIL_RECEIPT } from '../../domain/api/transfers.ts'
import type { Language } from '../../domain/common/language.ts'
import { getTimeZone } from '../../domain/common/localDay.ts'
import { callFunction } from './functions.ts'

/** Returns the user's verified address. */
export const mailReceipt = async (id: string, press: string, language: Language): Promise<string> =>
  (await callFunction(MAIL_RECEIPT, { id, press, language, timeZone: getTimeZone() })).address
