import { ownEvent } from '../../machines/testing/insideXState.ts'

/** An event's type in words: the library's own ones, and those of the walks. */
export function eventText(type: string): string {
  if (type === 'walk.wait') return 'time passes'
  if (type === 'xstate.init') return 'the start'
  const { about, id = '' } = ownEvent(type) ?? {}
  if (about === 'after') return `after ${id.split('.')[0]}`
  if (about === 'done.actor') return 'the answer comes'
  if (about === 'error.actor') return 'it fails'
  return type
}
