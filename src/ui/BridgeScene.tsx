import classes from './BridgeScene.module.css'

/** The signed-out picture: a footbridge between two banks, with the money on its way. */
export function BridgeScene() {
  return (
    <svg viewBox="0 0 480 150" className={classes.scene} aria-hidden="true">
      <circle cx="352" cy="46" r="26" className={classes.sun} />
      <path d="M0 116c40-8 70-4 92 2v32H0z" className={classes.bank} />
      <path d="M480 112c-44-10-72-4-94 4v34h94z" className={classes.bank} />
      <path d="M92 128c60 10 220 10 294 0v22H92z" className={classes.river} />
      <path d="M132 136h44M226 141h62M318 135h36" className={classes.ripple} />
      <path d="M74 116h332" className={classes.deck} />
      <path d="M90 115C118 42 178 22 240 22s122 20 150 93" className={classes.arch} />
      <path
        d="M140 62v53M173 41v74M206 28v87M240 23v92M274 28v87M307 41v74M340 62v53"
        className={classes.hangers}
      />
      <g className={classes.walker}>
        <circle cx="222" cy="97" r="6" />
        <path d="M222 103v9M216 115l6-8 6 8" />
      </g>
    </svg>
  )
}
