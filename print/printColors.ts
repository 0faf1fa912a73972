/** The light colors of theme.css, because the PDF and its pictures can't use style sheets. */
export const PRINT_COLORS = {
  sheet: '#ffffff',
  page: '#f4eee2',
  ink: '#17302b',
  inkSoft: '#50605a',
  line: '#e4dac8',
  river: '#0f4c43',
  onRiver: '#faf6ec',
  onRiverSoft: '#bdd8cd',
  sun: '#f4b942',
  success: '#1b6b45',
  successTint: '#dcefe2',
  warning: '#7a5200',
  warningTint: '#fbeabf',
  danger: '#a3231b',
  dangerTint: '#fbe3dd',
  sunken: '#ebe3d4',
} as const
