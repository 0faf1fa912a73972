import { useEffect, useRef } from 'react'
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
}

export function StateChart({ name, drawing: { width, height, cards, arrows }, ...props }: ChartProps) {
  const { selected } = props
  const frame = useRef<HTMLElement>(null)
  useEffect(() => {
    const card = cards.find(({ state }) => state.id === selected)
    if (card && frame.current) bringIntoSight(frame.current, card)
  }, [selected, cards])
  return (
    <div className="chart">
      <h2>{name}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by the keyboard */}
      <section className="frame" ref={frame} tabIndex={0} aria-label="Chart">
        <div className="sheet" style={{ width, height }}>
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
              <ArrowPath key={`${arrow.from} ${arrow.to}`} {...arrow} />
            ))}
          </svg>
          {cards.map((card) => (
            <StateCard key={card.state.id} card={card} {...props} />
          ))}
        </div>
      </section>
    </div>
  )
}

function ArrowPath({ points, isHappy }: Arrow) {
  const kind = isHappy ? 'happy' : 'onward'
  const path = points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  return <path className={kind} d={path} markerEnd={`url(#${kind})`} />
}

function StateCard({
  card: { state, lines, isStart, ...place },
  active,
  isPossible,
  selected,
  onSelect,
  onTake,
}: Omit<ChartProps, 'name' | 'drawing'> & { card: StateCardLayout }) {
  const { id, name, kind, actors, description } = state
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

function bringIntoSight(frame: HTMLElement, { x, y, width, height }: StateCardLayout) {
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = frame
  const isSeen =
    x >= scrollLeft &&
    y >= scrollTop &&
    x + width <= scrollLeft + clientWidth &&
    y + height <= scrollTop + clientHeight
  if (isSeen) return
  frame.scrollTo({
    left: x + (width - clientWidth) / 2,
    top: height > clientHeight ? y : y + (height - clientHeight) / 2,
  })
}
