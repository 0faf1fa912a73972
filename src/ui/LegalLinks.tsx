import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { getLegalPagePath, LEGAL_PAGES, type LegalPage } from '../../domain/account/legal.ts'
import { RECEIPT_CHECK_PATH } from '../browser/receiptCheckPath.ts'
import classes from './LegalLinks.module.css'
import { useLanguage } from './useLanguage.ts'

const NAMES: Record<LegalPage, MessageDescriptor> = {
  operator: msg`Mentions légales`,
  terms: msg`Conditions`,
  privacy: msg`Confidentialité`,
  complaints: msg`Réclamations`,
  accessibility: msg`Accessibilité`,
}

/** Links of the sign-in screen and of the settings to pages without the app. */
export function LegalLinks() {
  const { t, i18n } = useLingui()
  const language = useLanguage()
  return (
    <>
      <p className={classes.links}>
        <a href={RECEIPT_CHECK_PATH}>{t`Vérifier un reçu`}</a>
      </p>
      <nav aria-label={t`Pages légales`} className={classes.links}>
        {LEGAL_PAGES.map((page) => (
          <a key={page} href={getLegalPagePath(page, language)}>
            {i18n._(NAMES[page])}
          </a>
        ))}
      </nav>
    </>
  )
}
