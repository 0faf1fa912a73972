import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { MINUTE, SECOND } from '../../domain/common/duration.ts'

/** Seconds that each part took in the last run that reached it. */
type Durations = Readonly<Record<string, number>>

/**
 * Measures the parts of a run. Without a terminal, prints a line each minute: the parts in progress, and the
 * time that is left by the durations of the last run, which are kept in `path`.
 */
export function createProgress(parts: readonly string[], path: string) {
  const earlier: Durations = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const durations: Record<string, number> = {}
  const running = new Map<string, number>()
  const startedAt = performance.now()
  const timer = process.stdout.isTTY ? undefined : setInterval(printProgress, MINUTE)

  function printProgress() {
    const left = parts
      .filter((part) => !(part in durations))
      .reduce((sum, part) => sum + Math.max(0, (earlier[part] ?? 0) - getElapsed(running.get(part))), 0)
    const now = [...running.keys()].join(', ')
    console.log(
      `… ${describeMinutes(getElapsed(startedAt))}: ${now}${left > 0 ? `, about ${describeMinutes(left)} left` : ''}`,
    )
  }

  return {
    async measure<Result>(part: string, work: () => Promise<Result>): Promise<Result> {
      const since = performance.now()
      running.set(part, since)
      const result = await work()
      running.delete(part)
      durations[part] = getElapsed(since)
      return result
    },
    /** Stops the lines, keeps the durations for the next run, and returns a line for each part. */
    end(): string[] {
      clearInterval(timer)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, JSON.stringify({ ...earlier, ...durations }))
      return [...Object.entries(durations), ['in all', getElapsed(startedAt)] as const].map(
        ([part, seconds]) => `${String(Math.round(seconds)).padStart(5)} s  ${part}`,
      )
    },
  }
}

const getElapsed = (since = performance.now()) => (performance.now() - since) / SECOND

const describeMinutes = (seconds: number) => `${Math.ceil(seconds / 60)} min`
