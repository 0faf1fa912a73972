import { useEffect, useState } from 'react'
import { buildFrameAddress, VIEW_CHOICES, type View, WINDOW_SIZES } from './selection.ts'

interface FrameProps {
  readonly scenes: readonly string[]
  readonly scene: string | null
  readonly reason: string | null
  readonly view: View
  /** The page's hash. */
  readonly place: string
  readonly onScene: (scene: string) => void
  readonly onView: (view: View) => void
  readonly onLeave: (scene: string) => void
  readonly onUse: () => void
}

export function Frame({ scenes, scene, reason, view, place, onScene, onView, onLeave, onUse }: FrameProps) {
  const address = scene && buildFrameAddress(scene, view)
  useEffect(() => (address && scene ? () => onLeave(scene) : undefined), [address, scene, onLeave])
  useEffect(() => {
    const listen = ({ data }: MessageEvent) => data === 'used' && onUse()
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [onUse])
  return (
    <section className="scene" aria-label="The app">
      {reason && <p>{reason}</p>}
      {scene && address && (
        <>
          <div className="views">
            <select aria-label="Scene" value={scene} onChange={({ target }) => onScene(target.value)}>
              {[...new Set([scene, ...scenes])].map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
            <ViewChoices view={view} onView={onView} />
            <CopyButton key={place} hash={place} />
            <a href={address} target="_blank" rel="noreferrer">
              Open in a new tab
            </a>
          </div>
          <ScaledFrame key={address} name={scene} address={address} window={view.window} />
        </>
      )}
    </section>
  )
}

function CopyButton({ hash }: { hash: string }) {
  const [label, setLabel] = useState('Copy the address')
  const copy = () =>
    navigator.clipboard.writeText(new URL(hash, location.href).href).then(
      () => setLabel('Copied'),
      // Browsers may forbid clipboard access to a page with a `file:` URL.
      () => setLabel('Copy it from the address bar'),
    )
  return (
    <button type="button" onClick={() => void copy()}>
      {label}
    </button>
  )
}

export function ViewChoices({ view, onView }: Pick<FrameProps, 'view' | 'onView'>) {
  return Object.entries(VIEW_CHOICES).map(([name, choices]) => (
    <select
      key={name}
      aria-label={name}
      value={view[name as keyof View]}
      onChange={({ target }) => onView({ ...view, [name]: target.value })}
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {name === 'text' ? `${choice} %` : choice}
        </option>
      ))}
    </select>
  ))
}

/** In pixels: full size for the phone, half size for the desktop. */
const WIDEST = { phone: 360, desk: 640 } as const
const MARGINS = 34

export function ScaledFrame({
  name,
  address,
  window: shown,
}: {
  name: string
  address: string
  window: View['window']
}) {
  const { width, height } = WINDOW_SIZES[shown]
  const scale = Math.min(WIDEST[shown], innerWidth - MARGINS) / width
  return (
    <div className="device" style={{ width: width * scale, height: height * scale }}>
      <iframe
        title={`The scene ${name}`}
        src={address}
        style={{ width, height, transform: `scale(${scale})` }}
      />
    </div>
  )
}
