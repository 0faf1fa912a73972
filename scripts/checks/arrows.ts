import { BESIDE, PACKAGES, TOWERS } from './house.ts'
import type { Importer } from './imports.ts'

interface Place {
  readonly room: string
  readonly tower: string
  readonly floor: number
}

/** What is wrong with the imports of a project, a line each: see house.ts for how they have to go. */
export function arrowProblems(importers: readonly Importer[]): string[] {
  return [...importers.flatMap(problemsOf), ...circlesOf(importers)]
}

/** What only tests use. They may import whatever they test, and nobody else imports them but tools. */
const isOfTests = (file: string) =>
  /\.(test|spec|samples)\.tsx?$|\/testing\/|^e2e\/|^firebase\/|\/testing\.ts$/.test(file)

function problemsOf({ file, files, packages }: Importer): string[] {
  const from = placeOf(file)
  const paths = files.filter((target) => target.startsWith('emulators/'))
  if (paths.length > 0)
    return paths.map((target) => `${file}: imports ${target} by its path, not by its package`)
  if (isOfTests(file)) return []
  if (!from) return [`${file}: stands on no floor; house.ts says where each folder stands`]
  const sources = files.filter((target) => /\.(tsx?|mjs)$/.test(target))
  return [
    ...sources.flatMap((target) => {
      if (isOfTests(target) && from.tower !== 'tools') return `${file}: imports ${target}, which is for tests`
      const to = placeOf(target)
      if (!to || to.room === from.room) return []
      if (to.tower !== from.tower)
        return BESIDE[from.tower]?.includes(to.tower) ? [] : `${file}: ${from.room} imports ${target}`
      return to.floor < from.floor
        ? []
        : `${file}: ${from.room} imports ${target}, which is no floor below it`
    }),
    ...packageProblems(file, packages),
  ]
}

function packageProblems(file: string, packages: readonly string[]): string[] {
  const rule = PACKAGES.find((rule) => rule.in.some((folder) => file.startsWith(`${folder}/`)))
  if (!rule) return []
  const isOf = (names: readonly string[], name: string) =>
    names.some((one) => name === one || name.startsWith(`${one}/`))
  return packages
    .filter((name) => (rule.only ? !isOf(rule.only, name) : isOf(rule.never ?? [], name)))
    .map((name) => `${file}: imports ${name}. ${rule.because}`)
}

/** The place of the folder that is named most precisely. */
function placeOf(file: string): Place | null {
  const places = Object.entries(TOWERS).flatMap(([tower, floors]) =>
    floors.flatMap((rooms, floor) =>
      rooms.flatMap((pattern) => {
        const room = roomOf(pattern, file)
        return room === null ? [] : [{ room, tower, floor }]
      }),
    ),
  )
  const precise = ({ room }: Place) => (room === '.' ? 0 : room.length)
  return places.sort((one, other) => precise(other) - precise(one))[0] ?? null
}

/** The folder that a pattern of house.ts names for a file; null when the file is not below it. */
function roomOf(pattern: string, file: string): string | null {
  if (pattern === '.') return file.includes('/') ? null : '.'
  const names = pattern.split('/')
  const folders = file.split('/').slice(0, -1)
  const isBelow = names.every((name, index) => (name === '*' ? folders[index] : folders[index] === name))
  return isBelow ? folders.slice(0, names.length).join('/') : null
}

/** Files that import each other in a loop, one line for each loop. */
function circlesOf(importers: readonly Importer[]): string[] {
  const imports = new Map(importers.map(({ file, files }) => [file, files]))
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file)
    if (start >= 0) circles.push(`circle: ${[...path.slice(start), file].join(' → ')}`)
    if (start >= 0 || done.has(file)) return
    for (const target of imports.get(file) ?? []) walk(target, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) walk(file, [])
  return circles
}
