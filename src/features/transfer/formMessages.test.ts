import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import type { Language } from '../../../domain/common/language.ts'
import { money } from '../../../domain/money/money.ts'
import { listWalletNames } from '../../../domain/numbers/wallets.ts'
import type { TransferProblem } from '../../../domain/transfers/transfer.ts'
import { loadLanguage, loadWithPageMessages } from '../../ui/i18n.ts'
import { getTransferProblemText } from './formMessages.ts'

beforeAll(() => loadWithPageMessages(Promise.resolve()))

const TEXTS: [TransferProblem, fr: string, en: string][] = [
  [{ field: 'amount', kind: 'amountRequired' }, 'Saisissez un montant valide', 'Please enter a valid amount'],
  [
    { field: 'amount', kind: 'amountTooHigh', limit: money(50_000, 'EUR') },
    'Le montant maximum par transfert est de 500 €',
    'Maximum transfer amount is €500',
  ],
  [
    { field: 'amount', kind: 'amountTooLow', limit: money(1_000, 'EUR') },
    'Le montant minimum par transfert est de 10 €',
    'Minimum transfer amount is €10',
  ],
  [
    {
      ...{ field: 'amount', kind: 'walletLimitExceeded', wallet: 'mtn_money' },
      ...{ limit: money(4_000_000, 'GNF'), fits: money(38_902, 'EUR') },
    },
    'MTN Money accepte au plus 4 000 000 GNF par transfert',
    'MTN Money accepts at most GNF 4,000,000 per transfer',
  ],
  [
    { field: 'phone', kind: 'phoneRequired' },
    'Saisissez un numéro de téléphone',
    'Please enter a phone number',
  ],
  [
    { field: 'phone', kind: 'phoneInvalid', example: '+33123456789' },
    'Saisissez un numéro de téléphone valide (par exemple +33123456789)',
    'Please enter a valid phone number (e.g., +33123456789)',
  ],
  [
    { field: 'phone', kind: 'phonePrefix', prefix: '+1', country: 'CA' },
    'Le numéro doit commencer par +1 pour le Canada',
    'Phone number must start with +1 for Canada',
  ],
  [
    { field: 'phone', kind: 'unsupportedDestination' },
    'Pays de destination non pris en charge',
    'Unsupported destination country',
  ],
  [
    { field: 'phone', kind: 'overseasFrance' },
    'Nous ne pouvons pas envoyer d’argent vers la France d’outre-mer.',
    'We can’t send money to overseas France.',
  ],
  [
    { field: 'recipientName', kind: 'recipientNameRequired' },
    'Saisissez le nom du bénéficiaire',
    'Please enter the recipient’s name',
  ],
  [
    { field: 'receivingMethod', kind: 'walletRequired', country: 'GN' },
    `Choisissez un portefeuille mobile (${listWalletNames('GN', 'fr')}).`,
    `Please choose a mobile wallet (${listWalletNames('GN', 'en')}).`,
  ],
  [
    { field: 'receivingMethod', kind: 'walletRequired', country: 'FR' },
    'Choisissez un portefeuille mobile (Paylib ou Wero).',
    'Please choose a mobile wallet (Paylib or Wero).',
  ],
  [
    { field: 'receivingMethod', kind: 'walletRequired', country: 'CA' },
    'Choisissez un portefeuille mobile (Interac).',
    'Please choose a mobile wallet (Interac).',
  ],
  [{ field: 'coupon', kind: 'couponInvalid' }, 'Format de code promo invalide', 'Invalid coupon code format'],
  [
    { field: 'phoneConfirmed', kind: 'confirmPhoneRequired' },
    'Confirmez que le numéro de téléphone est correct',
    'Please confirm that the phone number is correct',
  ],
]

test.each(TEXTS)(
  'the form has a text for $kind in both languages @spec-form-texts',
  async (problem, fr, en) => {
    const said = async (language: Language) => {
      await loadLanguage(language)
      return getTransferProblemText(problem, i18n).replaceAll(/\s/g, ' ')
    }
    expect(await said('fr')).toBe(fr)
    expect(await said('en')).toBe(en)
  },
)
