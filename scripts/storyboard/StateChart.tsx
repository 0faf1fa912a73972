import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Arrow, ChartLayout, StateCardLayout, TransitionLine } from './cards.ts'

interface ChartProps {
  readonly name: string
  readonly drawing: ChartLayout
  readonly active: ReadonlySet<string>
  readonly isPossible: (line: TransitionLine) => boolean
  /** Scrolled into view. */
  readonly selected: string
  readonly onSelect: (state: string) => void
  readonly onTake: (line: TransitionLine) => void
  readonly onFold: (state: string) => void
}

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2]
/** Smallest initial zoom that is still readable. */
const READABLE = 0.8

export function StateChart({ name, drawing, ...props }: ChartProps) {
  const { selected } = props
  const frame = useRef<HTMLElement>(null)
  /** Null until the available width is measured. */
  const [chosen, setChosen] = useState<number | null>(null)
  /** Before zooming, in pixels of the drawing. */
  const middle = useRef<Point | null>(null)
  const { width, height, cards, arrows } = drawing
  const zoom = chosen ?? 1
  const isMeasured = chosen !== null
  const fitting = () => Math.min(1, (frame.current?.clientWidth ?? width) / width)
  // A chart opens at its full width, unless that is unreadably small. Folding does not change the zoom.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => setChosen(Math.max(READABLE, fitting())), [])
  // Folding and zooming keep the position: only a choice scrolls to another state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const card = cards.find(({ state }) => state.id === selected)
    if (isMeasured && card && frame.current) bringIntoSight(frame.current, card, zoom)
  }, [selected, isMeasured])
  useLayoutEffect(() => {
    if (middle.current && frame.current) bringToMiddle(frame.current, middle.current, zoom)
    middle.current = null
  }, [zoom])
  const zoomTo = (next: number) => {
    middle.current = frame.current && getCenter(frame.current, zoom)
    setChosen(next)
  }
  const step = (by: 1 | -1) => {
    const next = by === 1 ? ZOOMS.find((one) => one > zoom) : ZOOMS.findLast((one) => one < zoom)
    zoomTo(next ?? zoom)
  }
  return (
    <div className="chart">
      <section className="zoom" aria-label="Zoom">
        <h2>{name}</h2>
        <button type="button" onClick={() => step(-1)} aria-label="Smaller">
          −
        </button>
        <output>{Math.round(zoom * 100)} %</output>
        <button type="button" onClick={() => step(1)} aria-label="Larger">
          +
        </button>
        <button type="button" onClick={() => zoomTo(fitting())}>
          Fit the width
        </button>
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by the keyboard */}
      <section className="frame" ref={frame} tabIndex={0} aria-label="Chart">
        <div style={{ width: width * zoom, height: height * zoom }}>
          <div className="sheet" style={{ width, height, transform: `scale(${zoom})` }}>
            <svg width={width} height={height} aria-hidden="true">
              <defs>
                {['happy', 'onward'].map((kind) => (
                  <marker
                    key={kind}
                    id={kind}
                    className={kind}
                    viewBox="0 0 8 8"
                    refX="7"
                    refY="4"
                    markerWidth="12"
                    markerHeight="12"
                    markerUnits="userSpaceOnUse"
                    orient="auto"
                  >
                    <path d="M0 0 8 4 0 8z" />
                  </marker>
                ))}
              </defs>
              {arrows.map((arrow) => (
                <ArrowPath key={`${arrow.from} ${arrow.to}`} arrow={arrow} active={props.active} />
              ))}
            </svg>
            {cards.map((card) => (
              <StateCard key={card.state.id} card={card} {...props} />
            ))}
          </div>
        </div>
      </section>
    </div>
  )
}

function ArrowPath({
  arrow: { from, points, isHappy },
  active,
}: {
  arrow: Arrow
  active: ReadonlySet<string>
}) {
  const kind = isHappy ? 'happy' : 'onward'
  const path = points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  return <path className={`${kind} ${active.has(from) ? 'on' : ''}`} d={path} markerEnd={`url(#${kind})`} />
}

function StateCard({
  card: { state, lines, isFolded, isStart, ...place },
  active,
  isPossible,
  selected,
  onSelect,
  onTake,
  onFold,
}: Omit<ChartProps, 'name' | 'drawing'> & { card: StateCardLayout }) {
  const { id, name, kind, actors, children, description } = state
  const isOn = active.has(id)
  const classes = ['card', kind, isOn && 'on', isStart && 'start', id === selected && 'selected']
    .filter(Boolean)
    .join(' ')
  return (
    <div
      className={classes}
      style={{ left: place.x, top: place.y, width: place.width, height: place.height }}
      data-state={id}
    >
      <div className="head">
        <h3>
          <button
            type="button"
            onClick={() => onSelect(id)}
            title={description}
            aria-current={isOn ? 'step' : undefined}
          >
            {name}
          </button>
        </h3>
        {children.length > 0 && (
          <button
            type="button"
            className="fold"
            onClick={() => onFold(id)}
            aria-expanded={!isFolded}
            aria-label={`${isFolded ? 'Unfold' : 'Fold'} ${name}`}
          >
            {isFolded ? 'Unfold' : 'Fold'}
          </button>
        )}
      </div>
      {!isFolded && (
        <>
          <ul>
            {actors.map((actor) => (
              <li key={actor} className="runs">
                runs {actor}
              </li>
            ))}
          </ul>
          <TransitionLines
            lines={lines.filter(({ kind: way }) => way !== 'stays')}
            isPossible={isPossible}
            onTake={onTake}
          />
          <TransitionLines
            lines={lines.filter(({ kind: way }) => way === 'stays')}
            isPossible={isPossible}
            onTake={onTake}
            label={`Events that don’t change ${name}`}
          />
        </>
      )}
    </div>
  )
}

export function TransitionLines({
  lines,
  label,
  ...props
}: Pick<ChartProps, 'isPossible' | 'onTake'> & { lines: readonly TransitionLine[]; label?: string }) {
  return (
    <ul className="lines" aria-label={label}>
      {lines.map((line) => (
        <LineItem key={getLineKey(line)} line={line} {...props} />
      ))}
    </ul>
  )
}

const getLineKey = ({ transition: { from, to }, cause, guard }: TransitionLine) =>
  [from, cause, guard, to].join(' ')

function LineItem({
  line,
  isPossible,
  onTake,
}: Pick<ChartProps, 'isPossible' | 'onTake'> & { line: TransitionLine }) {
  const { cause, guard, target, kind } = line
  const words = (
    <>
      {cause}
      {guard && <i> [{guard}]</i>}
      {target && <b>{`→\u00a0${target}`}</b>}
    </>
  )
  return (
    <li className={kind}>
      {isPossible(line) ? (
        <button type="button" onClick={() => onTake(line)}>
          {words}
        </button>
      ) : (
        words
      )}
    </li>
  )
}

interface Point {
  readonly x: number
  readonly y: number
}

const getCenter = (frame: HTMLElement, zoom: number): Point => ({
  x: (frame.scrollLeft + frame.clientWidth / 2) / zoom,
  y: (frame.scrollTop + frame.clientHeight / 2) / zoom,
})

const bringToMiddle = (frame: HTMLElement, { x, y }: Point, zoom: number) =>
  frame.scrollTo({ left: x * zoom - frame.clientWidth / 2, top: y * zoom - frame.clientHeight / 2 })

function bringIntoSight(frame: HTMLElement, { x, y, width, height }: StateCardLayout, zoom: number) {
  const [left, top, right, bottom] = [x * zoom, y * zoom, (x + width) * zoom, (y + height) * zoom]
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = frame
  const isSeen =
    left >= scrollLeft &&
    right <= scrollLeft + clientWidth &&
    top >= scrollTop &&
    bottom <= scrollTop + clientHeight
  if (isSeen) return
  frame.scrollTo({
    left: (left + right - clientWidth) / 2,
    top: bottom - top > clientHeight ? top : (top + bottom - clientHeight) / 2,
  })
}
