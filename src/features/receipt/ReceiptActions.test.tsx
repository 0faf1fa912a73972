import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SAMPLE_OPERATOR, SAMPLE_TRANSFER } from '../../../print/receipt.samples.ts'
import { buildReceiptContent } from '../../../print/receiptContent.ts'
import { ReceiptActions } from './ReceiptActions.tsx'
import type { FurtherAction } from './receiptActions.ts'

i18n.loadAndActivate({ locale: 'fr', messages: {} })

const CONTENT = buildReceiptContent(SAMPLE_TRANSFER, {
  language: 'fr',
  operator: SAMPLE_OPERATOR,
  isLate: false,
})

function countPlaces(...actions: readonly FurtherAction[]) {
  const recipient = { uid: 'ana', phone: SAMPLE_TRANSFER.recipientPhone, actions, onSendAgain() {} }
  const markup = renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <ReceiptActions content={CONTENT} recipient={recipient} isOfPayer open={null} onOpen={() => {}} isNew />
    </I18nProvider>,
  )
  return markup.match(/<button|<span><\/span>/g)?.length
}

test('an action that comes late does not move the other actions', () => {
  expect(countPlaces('addContact')).toBe(3)
  expect(countPlaces()).toBe(3)
})
