import { activeStates, type Chart, innermostOf } from '../statecharts/chart.ts'
import type { Move, Step } from './player.ts'
import { eventText, moveText } from './words.ts'

interface PlayProps {
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

/** What can happen now, and what happened so far. */
export function Play({ chart, steps, moves, onTake, onBack, onStart, ...guards }: PlayProps) {
  return (
    <>
      <section>
        <h2>What can happen now</h2>
        <ul className="moves">
          {moves.map((move) => (
            <li key={chart.transitions.indexOf(move.transition)}>
              <button type="button" onClick={() => onTake(move)}>
                {moveText(move, chart)}
              </button>
            </li>
          ))}
        </ul>
        {moves.length === 0 && <p>Nothing: this is an end.</p>}
        <Guards asked={steps.at(-1)?.asked ?? new Map()} {...guards} />
      </section>
      <section>
        <h2>What happened</h2>
        <p>
          <button type="button" onClick={onBack} disabled={steps.length < 2}>
            One step back
          </button>{' '}
          <button type="button" onClick={onStart}>
            From the start
          </button>
        </p>
        <ol className="steps" aria-label="What happened">
          {steps.map((step, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may happen twice, and nothing changes its place
            <li key={at}>
              {eventText(step.event, chart)}: <b>{innermostOf(activeStates(step.value)).join(' and ')}</b>
              {step.passed.length > 0 &&
                ` (through ${step.passed.map((states) => innermostOf(states).join(' and ')).join(', ')})`}
              {step.hasFailed && ', and it broke'}
              {step.done.length > 0 && <small>does {step.done.join(', ')}</small>}
            </li>
          ))}
        </ol>
      </section>
    </>
  )
}

/** What each guard says when it is asked. Those that the last step asked say so. */
function Guards({
  guards,
  yes,
  asked,
  onAnswer,
}: Pick<PlayProps, 'guards' | 'yes' | 'onAnswer'> & { asked: Step['asked'] }) {
  if (guards.length === 0) return null
  return (
    <details>
      <summary>Guards that say yes</summary>
      {guards.map((guard) => (
        <label key={guard} className={asked.has(guard) ? 'asked' : undefined}>
          <input
            type="checkbox"
            checked={yes.has(guard)}
            onChange={({ target }) => onAnswer(guard, target.checked)}
          />{' '}
          {guard}
          {asked.has(guard) && ` (said ${asked.get(guard) ? 'yes' : 'no'})`}
        </label>
      ))}
    </details>
  )
}
