import { setupI18n } from '@lingui/core'
import { expect, test, vi } from 'vitest'
import type { Language } from '../../../domain/common/language.ts'
import { buildStatement, getLocalMonthRange } from '../../../domain/records/statement.ts'
import { SENT_TRANSFER } from '../../../domain/transfers/transaction.samples.ts'
import { SAMPLE_INVOICE_PAYMENT } from '../../../print/receipt.samples.ts'
import { drawStatement } from '../../../print/statementPage.ts'
import { buildStatementContent, buildStatementCsv } from './statementContent.ts'
import { createStatementFile } from './statementFile.ts'

vi.mock('../../services/operator.ts', () => ({
  operator: { name: 'Passerelle Paiements SA', licence: 'établissement 00000', complaints: 'x@y.example' },
}))

const { start, end } = getLocalMonthRange('2026-11')
const HOUR = 3600_000
const transfers = [
  {
    ...SENT_TRANSFER,
    id: 'pi_1',
    amount: 97,
    fees: 3,
    createdAt: start,
    recipientName: '=HYPERLINK("x"), "Awa"',
  },
  {
    ...SENT_TRANSFER,
    id: 'pi_2',
    amount: 46.5,
    fees: 1.5,
    createdAt: start + HOUR,
    recipientName: null,
    status: 'failed',
  },
]
const statement = buildStatement('2026-11', transfers, [
  { ...SAMPLE_INVOICE_PAYMENT, id: 'pi_3', createdAt: start + 2 * HOUR },
])
const i18n = setupI18n({ locale: 'fr', messages: { fr: {} } })
const view = (language: Language) => ({ i18n, language, asOf: start + 3 * HOUR, userName: 'Aïssatou Bâ' })

test('the CSV in French has decimal commas, semicolons, and text in quotes', () => {
  const [head, ...lines] = buildStatementCsv(statement, view('fr')).trimEnd().split('\r\n')
  expect(head).toMatch(
    /^\ufeff"Date \(.+\)";"Bénéficiaire ou fournisseur";"Numéro ou référence";"Statut";"Payé";"Frais";"Devise";"À recevoir";"Devise";"Numéro du paiement"$/,
  )
  expect(lines).toEqual([
    `2026-11-01 00:00;"'=HYPERLINK(""x""),' ""Awa""";"'+224 620 00 00 00";"Payé";100,00;3,00;"EUR";1542300;"GNF";"pi_1"`,
    `2026-11-01 01:00;"'+224 620 00 00 00";"'+224 620 00 00 00";"Échoué";48,00;1,50;"EUR";1542300;"GNF";"pi_2"`,
    '2026-11-01 02:00;"Électricité de Guinée (EDG)";"EDG-2026-0417";"Payé";450000;;"GNF";;"";"pi_3"',
  ])
})

test('the CSV in English has decimal points and commas', () => {
  expect(buildStatementCsv(statement, view('en'))).toContain(',"Payé",100.00,3.00,"EUR",')
})

test('a statement shows its time zone, completeness and sums without zeros', () => {
  const content = buildStatementContent(statement, view('fr'))
  expect(content.about[0]).toBe('Aïssatou Bâ')
  expect(content.about[1]).toContain(new Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect(content.about[1]).toContain('1er novembre 2026')
  expect(content.totals.map((sums) => sums.map(({ label }) => label))).toEqual([
    ['Transferts, frais compris', 'dont frais'],
    ['Factures payées'],
  ])
})

test.each([
  ['passerelle-2026-11-provisoire', end - 1],
  ['passerelle-2026-11', end],
])('a statement’s files are called %s if its payments are known until %i', async (name, asOf) => {
  const loadTextRenderer = async () => async () => null
  for (const kind of ['csv', 'pdf'] as const) {
    const file = await createStatementFile(kind, statement, { ...view('fr'), asOf, loadTextRenderer })
    expect(file.name).toBe(`${name}.${kind}`)
  }
})

test('a long statement begins new pages, and repeats its headings', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({
    ...SENT_TRANSFER,
    id: `pi_${index}`,
    createdAt: start + index * HOUR,
  }))
  const content = buildStatementContent(buildStatement('2026-11', rows, []), view('fr'))
  const written: [text: string, page: number, y: number][] = []
  let pages = 1
  const pen = {
    measureWidth: (text: string, size: number) => text.length * size * 0.18,
    write: async (text: string, { y, size }: { y: number; size: number }) => {
      written.push([text, pages, y])
      return size * 0.48
    },
    box: () => {},
    rule: () => {},
    curve: () => {},
    link: () => {},
  }
  await drawStatement(content, pen, () => {
    pages += 1
  })
  expect(pages).toBeGreaterThan(1)
  expect(written.filter(([text]) => text === 'Statut')).toHaveLength(pages)
  for (const row of content.rows) expect(written.map(([text]) => text)).toContain(row.note)
  for (const [text, , y] of written) expect(y, text).toBeLessThan(287)
})
