/**
 * The light colours of theme.css as plain values, for what no style sheet reaches: the PDF and the pictures in it.
 */
export const PAPER = {
  sheet: '#ffffff',
  page: '#f6f2ea',
  ink: '#17302b',
  inkSoft: '#4b5d57',
  line: '#dcd3c3',
  brand: '#0f4c43',
  onBrand: '#f8f5ee',
  onBrandSoft: '#c6dcd3',
  sun: '#f2b84b',
  success: '#1b6b45',
  successSoft: '#dff0e3',
  warning: '#7a5200',
  warningSoft: '#fbeccb',
  danger: '#a3231b',
  dangerSoft: '#fbe4df',
  sunken: '#efe8db',
} as const
