import { distance } from 'fastest-levenshtein'

/** Birth dates may lack the day or the month ('1970', '1970-05'). */
export interface ListedPerson {
  readonly entry: string
  /** The main name first. */
  readonly names: readonly string[]
  readonly birthDates: readonly string[]
}

/** Particles and forms of address, which one spelling of a name may leave out. */
const OPTIONAL_WORDS: ReadonlySet<string> = new Set([
  ...'al el ul ben bin bint ibn de del der di du la le van von'.split(' '),
  ...'m mr mrs mme dr hadj hadji hadja haji elhadj alhadji alhaji'.split(' '),
])

const LETTERS: Readonly<Record<string, string>> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', þ: 'th' },
  ...{ ɓ: 'b', ɗ: 'd', ŋ: 'n', ɲ: 'n', ƴ: 'y' },
}

/** Ways to write the same sound, in order. */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ou|oo/g, 'u'],
  [/kh/g, 'k'],
  [/gh/g, 'g'],
  [/dj/g, 'j'],
  [/ph/g, 'f'],
  [/y/g, 'i'],
  [/(.)\1+/g, '$1'],
  [/h$/g, ''],
]

/** Folds transliterations: 'El Hadj Mamadou N’Diaye' becomes `mamadu`, `ndiaie`. */
export const splitName = (name: string): readonly string[] => split(name, foldSounds)

function split(name: string, fold: (word: string) => string): readonly string[] {
  const lower = name.toLowerCase()
  // Most names of a list do not need this slow step.
  const plain = /^[a-z ]*$/.test(lower) ? lower : dropMarks(lower)
  const all = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  const needed = all.filter((word) => !OPTIONAL_WORDS.has(word))
  return (needed.length > 1 ? needed : all).map(fold)
}

const dropMarks = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\P{ASCII}/gu, (letter) => LETTERS[letter] ?? letter)
    .replace(/['’‘ʼ`´.]/g, '')

const foldSounds = (word: string) => SOUNDS.reduce((text, [sound, same]) => text.replace(sound, same), word)

const getAllowedEdits = (one: string, other: string) => {
  const length = Math.max(one.length, other.length)
  return length < 4 ? 0 : length < 7 ? 1 : 2
}

const isSameWord = (one: string, other: string): boolean => {
  const most = getAllowedEdits(one, other)
  return Math.abs(one.length - other.length) <= most && (one === other || distance(one, other) <= most)
}

/**
 * In any order, each word of the shorter name is a word of the longer one, which has at most one word more,
 * or any number if the birth dates are equal. A name of one word must be equal.
 */
function isSameName(one: readonly string[], other: readonly string[], isBornTheSameDay: boolean): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < 2) return long.length === short.length && short[0] === long[0]
  if (long.length > short.length + 1 && !isBornTheSameDay) return false
  const left = [...long]
  // Equal words first, so that a similar one does not take their place.
  const similar = short.filter((word) => !take(left, (candidate) => candidate === word))
  return similar.every((word) => take(left, (candidate) => isSameWord(candidate, word)))
}

function take(words: string[], fits: (word: string) => boolean): boolean {
  const at = words.findIndex(fits)
  if (at >= 0) words.splice(at, 1)
  return at >= 0
}

export interface NameIndex {
  find(name: string, birthDate: string | null): readonly ListedPerson[]
}

/** Indexed by words, because comparing each name would take seconds. */
export function createNameIndex(listed: readonly ListedPerson[]): NameIndex {
  const names: { readonly person: ListedPerson; readonly words: readonly string[] }[] = []
  const namesByWord = new Map<string, number[]>()
  const folded = new Map<string, string>()
  const fold = (word: string) => {
    const known = folded.get(word) ?? foldSounds(word)
    folded.set(word, known)
    return known
  }
  for (const person of listed)
    for (const name of person.names) {
      const words = split(name, fold)
      for (const word of new Set(words)) {
        const found = namesByWord.get(word)
        if (found) found.push(names.length)
        else namesByWord.set(word, [names.length])
      }
      names.push({ person, words })
    }
  const wordsByLength = Map.groupBy(namesByWord.keys(), ({ length }) => length)

  const findSimilarWords = (word: string) =>
    [-2, -1, 0, 1, 2]
      .flatMap((more) => wordsByLength.get(word.length + more) ?? [])
      .filter((other) => isSameWord(other, word))

  return {
    find(name, birthDate) {
      const words = splitName(name)
      const shared = new Map<number, number>()
      for (const word of new Set(words)) {
        const at = new Set(findSimilarWords(word).flatMap((other) => namesByWord.get(other) ?? []))
        for (const index of at) shared.set(index, (shared.get(index) ?? 0) + 1)
      }
      const found = new Set<ListedPerson>()
      for (const [index, count] of shared) {
        const candidate = names[index]
        if (!candidate || count < Math.min(2, new Set(words).size)) continue
        const { person, words: theirs } = candidate
        const born = compareBirth(person.birthDates, birthDate)
        if (born !== 'differs' && isSameName(words, theirs, born === 'equal')) found.add(person)
      }
      return [...found]
    },
  }
}

/** Lists are often wrong about the day, so only another year differs. */
function compareBirth(listed: readonly string[], own: string | null): 'equal' | 'unknown' | 'differs' {
  if (own === null || listed.length === 0) return 'unknown'
  if (listed.includes(own)) return 'equal'
  return listed.some((date) => date.slice(0, 4) === own.slice(0, 4)) ? 'unknown' : 'differs'
}
