/** Where data centres are, as closely as matters here: calls within one are quick, those from one to another are not. */
type Continent =
  | 'Europe'
  | 'North America'
  | 'South America'
  | 'Asia'
  | 'Australia'
  | 'Africa'
  | 'the Middle East'

/** By the beginnings of their names. The database's: Google's regions and its groups of regions. */
const OF_GOOGLE: readonly (readonly [RegExp, Continent])[] = [
  [/^eur\d|^europe-/, 'Europe'],
  [/^nam\d|^us-|^northamerica-/, 'North America'],
  [/^southamerica-/, 'South America'],
  [/^asia-/, 'Asia'],
  [/^australia-/, 'Australia'],
  [/^africa-/, 'Africa'],
  [/^me-/, 'the Middle East'],
]

/** The functions': Netlify runs them at Amazon. */
const OF_AMAZON: readonly (readonly [RegExp, Continent])[] = [
  [/^eu-/, 'Europe'],
  [/^(us|ca|mx)-/, 'North America'],
  [/^sa-/, 'South America'],
  [/^ap-southeast-(2|4|6)$/, 'Australia'],
  [/^ap-/, 'Asia'],
  [/^af-/, 'Africa'],
  [/^(me|il)-/, 'the Middle East'],
]

/** What Netlify calls the region to choose for a database there, of those that it offers. */
const OFFERED: Partial<Record<Continent, string>> = {
  Europe: 'fra (Frankfurt)',
  'North America': 'cmh (Ohio)',
  'South America': 'gru (São Paulo)',
  Asia: 'sin (Singapore) or nrt (Tokyo)',
  Australia: 'syd (Sydney)',
}

/** The continent of a location of Firestore such as 'eur3'; null for one that nobody knows here. */
export const continentOfDatabase = (location: string) => among(OF_GOOGLE, location)

/** The continent of a region such as 'us-east-2'; null for one that nobody knows here. */
export const continentOfFunctions = (region: string) => among(OF_AMAZON, region)

/** Which region to choose for functions whose database is there; null when Netlify has none. */
export const regionFor = (continent: Continent): string | null => OFFERED[continent] ?? null

function among(names: readonly (readonly [RegExp, Continent])[], name: string): Continent | null {
  return names.find(([pattern]) => pattern.test(name))?.[1] ?? null
}
