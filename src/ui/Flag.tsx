import classes from './Flag.module.css'

const STRIPES: Record<string, [string, string, string]> = {
  GN: ['#ce1126', '#fcd116', '#009460'],
  FR: ['#000091', '#ffffff', '#e1000f'],
}

/** A country's flag, drawn here so that it shows without a network. It is decoration: its name stands beside it. */
export function Flag({ code }: { code: 'GN' | 'FR' | 'CA' }) {
  const stripes = STRIPES[code]
  return (
    <svg viewBox="0 0 30 20" className={classes.flag} aria-hidden="true">
      {stripes ? (
        stripes.map((colour, index) => (
          <rect key={colour} x={index * 10} width="10" height="20" fill={colour} />
        ))
      ) : (
        <>
          <rect width="30" height="20" fill="#ffffff" />
          <rect width="7.500" height="20" fill="#d80621" />
          <rect x="22.500" width="7.500" height="20" fill="#d80621" />
          <path
            fill="#d80621"
            d="m15 3.200 1.200 2.300 1.500-.8-.6 3.300 1.900-1.600.5 1 2-.3-.9 2 .9.700-3.300 2.600.4 1.300-3.200-.5.100 3.100h-1l.1-3.100-3.200.5.4-1.300-3.300-2.600.9-.7-.9-2 2 .3.5-1 1.900 1.600-.6-3.300 1.500.8z"
          />
        </>
      )}
    </svg>
  )
}
