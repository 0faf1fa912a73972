import { text } from 'node:stream/consumers'
import type { ReactNode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { createActor, fromCallback } from 'xstate'
import type { Language } from '../../domain/common/language.ts'
import { sessionMachine } from '../../machines/session.ts'
import { LANGUAGES } from '../browser/storedLanguage.ts'
import { Root } from '../shell/Root.tsx'
import { loadLanguage, pageTitle } from '../ui/i18n.ts'
import { FIRST_SCREENS, type FirstScreen } from './firstScreens.ts'
import { LateAppNotice } from './LateAppNotice.tsx'

export interface PrerenderedPage {
  readonly language: Language
  readonly painted: FirstScreen
  readonly html: string
}

export async function renderFirstScreens(): Promise<{
  pages: PrerenderedPage[]
  titles: Record<Language, string>
  /** The notice is shown over any page. */
  late: Record<Language, string>
}> {
  const pages: PrerenderedPage[] = []
  const late: Partial<Record<Language, string>> = {}
  const titles: Partial<Record<Language, string>> = {}
  for (const language of LANGUAGES) {
    await loadLanguage(language)
    titles[language] = pageTitle()
    late[language] = await renderToHtml(<LateAppNotice />)
    for (const painted of Object.keys(FIRST_SCREENS) as FirstScreen[])
      pages.push({ language, painted, html: await renderFirstScreen(painted) })
  }
  return { pages, titles: titles as Record<Language, string>, late: late as Record<Language, string> }
}

async function renderFirstScreen(painted: FirstScreen): Promise<string> {
  const search = FIRST_SCREENS[painted]
  Object.assign(globalThis, { location: { search: search ?? '' } })
  const session = createActor(
    sessionMachine.provide({
      actors: {
        watchAccount: fromCallback(({ sendBack }) => {
          if (search !== null) sendBack({ type: 'device.read', account: null, signOutUid: null })
        }),
      },
    }),
  ).start()
  const html = await renderToHtml(<Root session={session} />)
  session.stop()
  return html
}

async function renderToHtml(node: ReactNode): Promise<string> {
  const { prelude } = await prerenderToNodeStream(node, { progressiveChunkSize: Number.POSITIVE_INFINITY })
  return text(prelude)
}
