export interface RotatedPart {
  readonly name: string
  readonly command: string
  /** Few machines have WebKit and Firefox. */
  readonly needsEngines?: true
}

const SHARES = 6
/** Playwright empties its folder, and the pictures of flaky tests must stay. */
const OUTPUT = '--output=test-results/rotation'

const OTHERS: readonly RotatedPart[] = [
  { name: 'WebKit', command: `npm run e2e:engines -- --project=webkit ${OUTPUT}`, needsEngines: true },
  { name: 'Firefox', command: `npm run e2e:engines -- --project=firefox ${OUTPUT}`, needsEngines: true },
  { name: 'bench', command: 'npm run bench -- --rounds 1' },
  { name: 'storyboard', command: 'npm run storyboard -- --into .cache/rotation/storyboard' },
  { name: 'pictures', command: 'npm run screenshots -- --readme --into .cache/rotation/pictures' },
]

const SHARES_OF_ALL: readonly RotatedPart[] = Array.from({ length: SHARES }, (_, index) => {
  const share = `${index + 1}/${SHARES}`
  return { name: `--all, ${share}`, command: `npm run e2e -- --shard=${share} ${OUTPUT}` }
})

/** `all`: by `npm test -- --all`. */
export function choosePart(commits: number, all: boolean): RotatedPart {
  const parts = all ? OTHERS : [...OTHERS, ...SHARES_OF_ALL]
  return parts[commits % parts.length] as RotatedPart
}
