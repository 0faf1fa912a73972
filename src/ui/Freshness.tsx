import { Trans } from '@lingui/react/macro'
import { formatTimeOrDate } from '../../domain/records/history.ts'
import { serverNow } from '../browser/serverTime.ts'
import { useLanguage } from './useLanguage.ts'

/** `asOf`: UTC ms; null if the rows were never complete. */
export function Freshness({
  asOf,
  isOffline,
  isFresh,
}: {
  asOf: number | null
  isOffline: boolean
  isFresh: boolean
}) {
  const language = useLanguage()
  if (asOf === null) return isOffline ? <Trans>Hors ligne</Trans> : null
  const { isToday, text } = formatTimeOrDate(asOf, serverNow(), language)
  if (isOffline)
    return isToday ? (
      <Trans>Hors ligne : données de {text}</Trans>
    ) : (
      <Trans>Hors ligne : données du {text}</Trans>
    )
  if (!isFresh) return isToday ? <Trans>Données de {text}</Trans> : <Trans>Données du {text}</Trans>
  return isToday ? <Trans>À jour à {text}</Trans> : <Trans>À jour le {text}</Trans>
}
