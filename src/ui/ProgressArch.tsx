import { useState } from 'react'
import type { Progress } from '../../domain/transfers/progress.ts'
import classes from './ProgressArch.module.css'

const ARCH = 'M16 112C46 42 96 16 160 16s114 26 144 96'
const GLYPHS: Partial<Record<Progress['state'], string>> = {
  delivered: 'm-6 .5 4.5 4.5 8-9',
  failed: 'm-5-5 10 10M5-5-5 5',
  refunded: 'm-3-6-4 4 4 4M-7-2h8a4 4 0 0 1 0 8h-3',
}

/** Decorative, because words next to it say the same. */
export function ProgressArch({
  progress: { reached, state },
  isSmall = false,
  isNew = false,
}: {
  progress: { readonly reached: number; readonly state: Progress['state'] }
  isSmall?: boolean
  /** The arch draws itself, because the money was paid just now. */
  isNew?: boolean
}) {
  const [move, setMove] = useState({ from: isNew ? 0 : reached, to: reached })
  if (move.to !== reached) setMove({ from: move.to, to: reached })
  const glyph = GLYPHS[state]
  return (
    <svg
      viewBox={isSmall ? '0 0 320 128' : '0 0 320 130'}
      className={classes.arch}
      data-small={isSmall}
      data-state={state}
      data-move={`${move.from}-${move.to}`}
      aria-hidden="true"
    >
      {!isSmall && (
        <>
          <path className={classes.deck} d="M4 114h312" />
          <path className={classes.hangers} d="M64 51V112M112 28V112M160 22V112M208 28V112M256 51V112" />
        </>
      )}
      <path className={classes.track} d={ARCH} pathLength="100" />
      {/* A length of zero with round ends is a dot. */}
      <path
        className={classes.gone}
        d={ARCH}
        pathLength="100"
        strokeDasharray="100 100.01"
        strokeDashoffset={100 - (reached || 0.01)}
      />
      {!isSmall && (
        <g className={classes.sun}>
          {state === 'moving' && <circle className={classes.halo} r="17" />}
          <circle r={glyph ? 15 : 10} />
          {glyph && <path className={classes.glyph} d={`M0 0${glyph}`} />}
        </g>
      )}
    </svg>
  )
}
