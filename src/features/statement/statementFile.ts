import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Language } from '../../../domain/common/language.ts'
import { isProvisional, type Statement } from '../../../domain/records/statement.ts'
import { createPdf, type TextRenderer } from '../../../print/receiptPdf.ts'
import { drawStatement } from '../../../print/statementPage.ts'
import { buildStatementContent, buildStatementCsv } from './statementContent.ts'

export async function createStatementFile(
  kind: 'pdf' | 'csv',
  statement: Statement,
  view: {
    readonly i18n: I18n
    readonly language: Language
    /** Payments are known until this instant (UTC ms). */
    readonly asOf: number
    readonly userName: string
    readonly loadTextRenderer: () => Promise<TextRenderer>
  },
): Promise<File> {
  const { i18n, language, asOf } = view
  const suffix = isProvisional(statement.month, asOf) ? `-${i18n._(msg`provisoire`)}` : ''
  const name = `passerelle-${statement.month}${suffix}.${kind}`
  if (kind === 'csv') return new File([buildStatementCsv(statement, view)], name, { type: 'text/csv' })
  const content = buildStatementContent(statement, view)
  const pdf = await createPdf(
    { language, title: `${content.title} ${statement.month}` },
    (pen, addPage) => drawStatement(content, pen, addPage),
    await view.loadTextRenderer(),
  )
  return new File([pdf], name, { type: 'application/pdf' })
}
