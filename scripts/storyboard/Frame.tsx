import { useEffect, useRef, useState } from 'react'
import type { RunningMachine } from '../../src/inspection/machineList.ts'
import { buildFrameAddress, VIEW_CHOICES, type View, WINDOW_SIZES } from './selection.ts'

interface FrameProps {
  /** Scenes by what led to them. */
  readonly groups: ReadonlyMap<string, readonly string[]>
  /** Null if the state has no scene. */
  readonly scene: string | null
  readonly reason: string | null
  readonly view: View
  /** The page's hash. */
  readonly place: string
  readonly onScene: (scene: string) => void
  readonly onView: (view: View) => void
  readonly onRun: (running: readonly RunningMachine[]) => void
  readonly onUse: () => void
}

/** The app in a scene reports its machines, and its first press or key. */
type FrameMessage = 'used' | { readonly running?: readonly RunningMachine[] } | null

export function Frame({ groups, scene, reason, view, place, ...on }: FrameProps) {
  const address = scene && buildFrameAddress(scene, view)
  const handlers = useRef(on)
  handlers.current = on
  // biome-ignore lint/correctness/useExhaustiveDependencies: each address has machines of its own
  useEffect(() => () => handlers.current.onRun([]), [address])
  useEffect(() => {
    const listen = ({ data }: MessageEvent<FrameMessage>) => {
      if (data === 'used') handlers.current.onUse()
      else if (data?.running) handlers.current.onRun(data.running)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [])
  return (
    <section className="scene" aria-label="The app">
      {reason && <p>{reason}</p>}
      {scene && address && (
        <>
          <div className="views">
            <select aria-label="Scene" value={scene} onChange={({ target }) => on.onScene(target.value)}>
              {[...groups].map(([group, names]) => (
                <optgroup key={group} label={group}>
                  {names.map((one) => (
                    <option key={one}>{one}</option>
                  ))}
                </optgroup>
              ))}
            </select>
            <ViewChoices view={view} onView={on.onView} />
            <CopyButton key={place} hash={place} />
            <a href={address} target="_blank" rel="noreferrer">
              New tab
            </a>
          </div>
          <ScaledFrame key={address} name={scene} address={address} window={view.window} />
        </>
      )}
    </section>
  )
}

function CopyButton({ hash }: { hash: string }) {
  const [label, setLabel] = useState('Copy address')
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

function ViewChoices({ view, onView }: { view: View; onView: (view: View) => void }) {
  return Object.entries(VIEW_CHOICES).map(([name, choices]) =>
    name === 'language' ? (
      // One press shows the other language.
      choices.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={view.language === choice}
          onClick={() => onView({ ...view, language: choice as View['language'] })}
        >
          {choice}
        </button>
      ))
    ) : (
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
    ),
  )
}

/** In pixels: full size for the phone, half size for the desktop. */
const WIDEST = { phone: 360, desk: 640 } as const
const MARGINS = 34
/** From this width of the page, the frame is next to the chart, and fits into the height. */
const WIDE = 900
const ABOVE_FRAME = 190

function ScaledFrame({
  name,
  address,
  window: shown,
}: {
  name: string
  address: string
  window: View['window']
}) {
  const { width, height } = WINDOW_SIZES[shown]
  const isBeside = innerWidth >= WIDE
  const fitting = isBeside ? (innerHeight - ABOVE_FRAME) / height : 1
  const scale = Math.min(Math.min(WIDEST[shown], innerWidth - MARGINS) / width, Math.max(0.5, fitting))
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
