import type { Recording } from './data.ts'

export interface PlayedRecording {
  readonly recording: Recording
  readonly count: number
}

export function ReplayPanel({
  played: { recording, count },
  onPlay,
}: {
  played: PlayedRecording
  onPlay: (recording: Recording, count: number) => void
}) {
  const last = recording.steps.length
  return (
    <section className="played" aria-label={`Recording ${recording.name}`}>
      <button type="button" onClick={() => onPlay(recording, count - 1)} disabled={count <= 1}>
        Previous
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
