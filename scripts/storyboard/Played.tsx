import type { Recording } from './data.ts'

export interface PlayedRecording {
  readonly recording: Recording
  /** How many of its steps were taken. */
  readonly count: number
}

/** Takes a recording on, or back, by a step. It stays in sight beside the pictures. */
export function Played({
  played: { recording, count },
  onPlay,
}: {
  played: PlayedRecording
  onPlay: (recording: Recording, count: number) => void
}) {
  const last = recording.steps.length
  return (
    <section className="played" aria-label={`Playing ${recording.name}`}>
      <button type="button" onClick={() => onPlay(recording, count - 1)} disabled={count <= 1}>
        Before
      </button>
      <span>
        Step {count} of {last}
      </span>
      <button type="button" onClick={() => onPlay(recording, count + 1)} disabled={count >= last}>
        Next
      </button>
      <small>{recording.name}</small>
    </section>
  )
}
