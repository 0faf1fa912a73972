import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { MINUTE, SECOND } from '../../domain/common/duration.ts'

type Durations = Readonly<Record<string, number>>

/** Without a terminal, prints a line each minute. `path` keeps the durations for the next run. */
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
