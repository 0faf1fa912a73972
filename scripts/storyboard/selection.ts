/** The page's hash names the selection, so that tickets can link to it. */
export interface Selection {
  readonly machine: string
  /** Null for the current state. */
  readonly state: string | null
  /** Null for the first scene of the state. */
  readonly scene: string | null
  readonly view: View
}

export type View = { readonly [Name in keyof typeof VIEW_CHOICES]: (typeof VIEW_CHOICES)[Name][number] }

/** The usual choice comes first. */
export const VIEW_CHOICES = {
  window: ['phone', 'desk'],
  language: ['fr', 'en'],
  scheme: ['light', 'dark'],
  text: ['100', '150', '200'],
  network: ['fast', 'slow'],
} as const

export const WINDOW_SIZES = {
  phone: { width: 360, height: 740 },
  desk: { width: 1280, height: 800 },
} as const

const NAMES = Object.keys(VIEW_CHOICES) as (keyof View)[]

export function parseSelection(hash: string): Selection {
  const [machine = '', query = ''] = hash.replace(/^#/, '').split('?')
  const given = new URLSearchParams(query)
  const choices = NAMES.map((name) => [
    name,
    VIEW_CHOICES[name].find((choice) => choice === given.get(name)) ?? VIEW_CHOICES[name][0],
  ])
  return {
    machine: machine || 'transfer',
    state: given.get('state'),
    scene: given.get('scene'),
    view: Object.fromEntries(choices) as View,
  }
}

export function formatSelection({ machine, state, scene, view }: Selection): string {
  const chosen = NAMES.filter((name) => view[name] !== VIEW_CHOICES[name][0]).map((name) => [
    name,
    view[name],
  ])
  const query = new URLSearchParams([
    ...(state ? [['state', state]] : []),
    ...(scene ? [['scene', scene]] : []),
    ...chosen,
  ] as [string, string][])
  return `#${machine}${query.size > 0 ? `?${query}` : ''}`
}

export const buildFrameAddress = (scene: string, view: View): string =>
  `frame.html#${new URLSearchParams({ scene, ...view })}`
