import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CATALOGS, parseTranslations } from '../../build/catalogs.ts'

const ROOT = join(import.meta.dirname, '../..')

// The French source is the ID.
const TEXTS = CATALOGS.filter((name) => name.endsWith('en'))
  .flatMap((name) => [...parseTranslations(readFileSync(join(ROOT, 'src/locales', `${name}.po`), 'utf8'))])
  .sort(([one], [other]) => one.localeCompare(other, 'fr'))
  // A text may be in more than one catalog.
  .filter(([fr, en], at, all) => fr !== all[at - 1]?.[0] || en !== all[at - 1]?.[1])

const OF_MONEY =
  /argent|banque|carte|débit|euro|facture|forfait|frais|gratuit|montant|mois|pa(y|ie)|plafond|prix|rembours|somme|tarif|transfert|versé|amount|bank|card|charge|cost|fee|free|invoice|limit|money|month|paid|pay|plan|price|refund|sum|transfer/i
const OF_FAILURE =
  /aucun|attend|bloqu|contest|coup[éu]|doi(s|t|vent)|échec|échou|erreur|expir|fermé|hors ligne|impossible|incorrect|interrompu|introuvable|invalide|lent|manqu|mauvais|n’(a|ont|est|êtes)|pas|perdu|problème|recommenc|refus|réessay|retard|sans |suspend|trop|vérifi|can’t|cannot|check|cut|declin|denied|disput|end|err|expir|fail|hang|invalid|late|lost|missing|must|no |not|offline|problem|reject|slow|stop|too |try|wait|wrong/i

const isReviewed = ([fr, en]: readonly [string, string]) =>
  [OF_MONEY, OF_FAILURE].some((pattern) => pattern.test(fr) || pattern.test(en))

test('each text is unchanged since its review, in both languages', async () => {
  const print = (texts: typeof TEXTS) => texts.map(([fr, en]) => `${fr}\n  ${en}`)
  const file = [
    '# Texts that speak of money or of a failure',
    ...print(TEXTS.filter(isReviewed)),
    '',
    '# Texts that speak of neither',
    ...print(TEXTS.filter((text) => !isReviewed(text))),
    '',
  ]
  await expect(file.join('\n')).toMatchFileSnapshot('../../src/locales/reviewed.snap')
})

const PROMISES =
  /débit|rembours|(seconde|deux) fois|retient la somme|rien n’a été payé|aucun paiement|est payée|plafond|encore envoyer|sans frais|de frais|au lieu de|économisez/i

/** Headings and labels don't say whether money moves. */
const IS_LABEL = /^.{0,24}$/

const QUOTED = new Set(
  globSync('e2e/**/*.ts', { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/['`]([^'`\n]*)['`]/g)].flatMap(([, quoted = '']) =>
      quoted.split(' | '),
    ),
  ),
)

test('an end-to-end test names each text about moving money', () => {
  const promises = TEXTS.map(([fr]) => fr).filter((fr) => PROMISES.test(fr) && !IS_LABEL.test(fr))
  expect(promises.length).toBeGreaterThan(50)
  expect(promises.filter((id) => !QUOTED.has(id))).toEqual([])
})
