import { type Chart, getInnermostStates, listActiveStates } from '../statecharts/chart.ts'
import { formatEvent, formatMove } from './formatText.ts'
import type { Move, Step } from './player.ts'

interface PlayPanelProps {
  readonly chart: Chart
  readonly steps: readonly Step[]
  readonly moves: readonly Move[]
  readonly guards: readonly string[]
  readonly yes: ReadonlySet<string>
  readonly onTake: (move: Move) => void
  readonly onAnswer: (guard: string, isYes: boolean) => void
  readonly onBack: () => void
  readonly onStart: () => void
}

export function PlayPanel({ chart, steps, moves, onTake, onBack, onStart, ...guards }: PlayPanelProps) {
  return (
    <>
      <section>
        <h2>Possible events</h2>
        <ul className="moves">
          {moves.map((move) => (
            <li key={chart.transitions.indexOf(move.transition)}>
              <button type="button" onClick={() => onTake(move)}>
                {formatMove(move, chart)}
              </button>
            </li>
          ))}
        </ul>
        {moves.length === 0 && <p>None: this state is final.</p>}
        <Guards asked={steps.at(-1)?.asked ?? new Map()} {...guards} />
      </section>
      <section>
        <h2>Steps so far</h2>
        <p>
          <button type="button" onClick={onBack} disabled={steps.length < 2}>
            Step back
          </button>{' '}
          <button type="button" onClick={onStart}>
            Start again
          </button>
        </p>
        <ol className="steps" aria-label="Steps so far">
          {steps.map((step, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may happen twice, and nothing changes its place
            <li key={at}>
              {formatEvent(step.event, chart)}:{' '}
              <b>{getInnermostStates(listActiveStates(step.value)).join(' and ')}</b>
              {step.passed.length > 0 &&
                ` (through ${step.passed.map((states) => getInnermostStates(states).join(' and ')).join(', ')})`}
              {step.hasFailed && ', which ended with an error'}
              {step.done.length > 0 && <small>actions: {step.done.join(', ')}</small>}
            </li>
          ))}
        </ol>
      </section>
    </>
  )
}

function Guards({
  guards,
  yes,
  asked,
  onAnswer,
}: Pick<PlayPanelProps, 'guards' | 'yes' | 'onAnswer'> & { asked: Step['asked'] }) {
  if (guards.length === 0) return null
  return (
    <details>
      <summary>Guards that return true</summary>
      {guards.map((guard) => (
        <label key={guard} className={asked.has(guard) ? 'asked' : undefined}>
          <input
            type="checkbox"
            checked={yes.has(guard)}
            onChange={({ target }) => onAnswer(guard, target.checked)}
          />{' '}
          {guard}
          {asked.has(guard) && ` (returned ${asked.get(guard) ? 'true' : 'false'})`}
        </label>
      ))}
    </details>
  )
}
