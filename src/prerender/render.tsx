// Runs in Node at build time: what the page shows before the app is there, as HTML.
import { text } from 'node:stream/consumers'
import type { ReactNode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { createActor, fromCallback } from 'xstate'
import type { Language } from '../../domain/language.ts'
import { sessionMachine } from '../../machines/session.ts'
import { LANGUAGES } from '../browser/storedLanguage.ts'
import { Root } from '../shell/Root.tsx'
import { load, pageTitle } from '../ui/i18n.ts'
import { LateApp } from './LateApp.tsx'
import { PAINTED, type Painted } from './painted.ts'

export interface PaintedPage {
  readonly language: Language
  readonly painted: Painted
  readonly html: string
}

/** Each screen that can be the first, in each language. */
export async function paintedPages(): Promise<{
  pages: PaintedPage[]
  titles: Record<Language, string>
  /** What is shown over any of them when the app does not come for long. */
  late: Record<Language, string>
}> {
  const pages: PaintedPage[] = []
  const late: Partial<Record<Language, string>> = {}
  const titles: Partial<Record<Language, string>> = {}
  for (const language of LANGUAGES) {
    await load(language)
    titles[language] = pageTitle()
    late[language] = await htmlOf(<LateApp />)
    for (const painted of Object.keys(PAINTED) as Painted[])
      pages.push({ language, painted, html: await paint(painted) })
  }
  return { pages, titles: titles as Record<Language, string>, late: late as Record<Language, string> }
}

async function paint(painted: Painted): Promise<string> {
  const search = PAINTED[painted]
  Object.assign(globalThis, { location: { search: search ?? '' } })
  const session = createActor(
    sessionMachine.provide({
      actors: {
        watchAccount: fromCallback(({ sendBack }) => {
          if (search !== null) sendBack({ type: 'device.read', account: null, leaving: null })
        }),
      },
    }),
  ).start()
  const html = await htmlOf(<Root session={session} />)
  session.stop()
  return html
}

/** With the parts whose code comes later. */
async function htmlOf(node: ReactNode): Promise<string> {
  const { prelude } = await prerenderToNodeStream(node, { progressiveChunkSize: Number.POSITIVE_INFINITY })
  return text(prelude)
}
