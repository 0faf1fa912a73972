import type { CountryCode } from '../numbers/destinations.ts'

export const INVOICE_TYPES = ['electricity', 'water', 'phone', 'internet', 'school'] as const

export type InvoiceType = (typeof INVOICE_TYPES)[number]

/** Specification, section 3. */
export interface Supplier {
  readonly id: string
  readonly name: string
  readonly type: InvoiceType
  readonly country: CountryCode
  readonly example: string
}

/** In display order. */
export const SUPPLIERS: readonly Supplier[] = [
  {
    id: 'edg',
    name: 'Électricité de Guinée (EDG)',
    type: 'electricity',
    country: 'GN',
    example: 'EDG-2026-0417',
  },
  { id: 'edf', name: 'EDF', type: 'electricity', country: 'FR', example: '6012-345-678' },
  { id: 'hydro-quebec', name: 'Hydro-Québec', type: 'electricity', country: 'CA', example: 'HQ-299-118' },
  {
    id: 'seg',
    name: 'Société des eaux de Guinée (SEG)',
    type: 'water',
    country: 'GN',
    example: 'SEG-88-2041',
  },
  { id: 'veolia', name: 'Veolia Eau', type: 'water', country: 'FR', example: 'V-7731-20' },
  { id: 'orange-guinee', name: 'Orange Guinée', type: 'phone', country: 'GN', example: 'OG-620-1187' },
  { id: 'bell', name: 'Bell', type: 'phone', country: 'CA', example: 'B-514-9021' },
  { id: 'free', name: 'Free', type: 'internet', country: 'FR', example: 'FR-0042-17' },
  { id: 'videotron', name: 'Vidéotron', type: 'internet', country: 'CA', example: 'VT-11-4402' },
  {
    id: 'sainte-marie',
    name: 'Lycée Sainte-Marie, Conakry',
    type: 'school',
    country: 'GN',
    example: 'LSM-2026-T2-15',
  },
  {
    id: 'kofi-annan',
    name: 'Université Kofi Annan, Conakry',
    type: 'school',
    country: 'GN',
    example: 'UKA-26-0093',
  },
]

export const getSuppliers = (type: InvoiceType): readonly Supplier[] =>
  SUPPLIERS.filter((supplier) => supplier.type === type)

export const findSupplier = (id: string): Supplier | null =>
  SUPPLIERS.find((supplier) => supplier.id === id) ?? null
