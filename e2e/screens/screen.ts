import { expect, type Locator, type Page } from '@playwright/test'
import type { Language } from '../../domain/language.ts'
import type { Server } from '../server.ts'
import { cardFrame } from '../steps/transfer.ts'
import { speakIn } from '../texts.ts'
import { words } from '../words.ts'

/** A fresh browser, and what a screen needs to be reached in it. */
export interface Stage {
  readonly page: Page
  readonly server: Server
  readonly language: Language
}

/** By the id of a machine of the app the innermost state that it is in; null for one that does not run. */
export type At = Readonly<Record<string, string | null>>

/** Nobody is signed in. */
export const SIGNED_OUT: At = { session: 'signedOut.idle', popupQueue: 'idle', update: 'upToDate' }
/** Somebody is, and the transfer form lies ready, also under another page. */
export const IN_APP: At = { session: 'signedIn.usingApp', transfer: 'editing', update: 'upToDate' }
/** A page of its own, without the app. */
export const NO_APP: At = {}

/** A screen, a state of one or a dialog. The checks and the photographs walk the list of them. */
export interface Screen {
  readonly name: string
  /** Where the machines are, besides what the part says of all its screens. */
  readonly at?: At
  /** It is there for as long as an answer takes, and looks like the one before it: one language and one width are looked at. */
  readonly isBrief?: true
  /** From a page that has not been anywhere yet to the screen. */
  readonly reach: (stage: Stage) => Promise<void>
  /** What is in sight when the screen is there. */
  readonly shows: (stage: Stage) => Locator
  /** Its text was made when it was shown, or it is a page of its own: another language needs another visit. */
  readonly isSaidOnce?: true
  /** The heading that says where a person is, when it stands in a frame of the provider. */
  readonly heading?: (stage: Stage) => Locator
}

/** The screens of a part of the product. */
export interface ScreensOf {
  /** The specs that test what a person does there, by name: `contacts` is e2e/contacts.spec.ts. */
  readonly testedBy: readonly string[]
  /** Where the machines are in its screens, but for what a screen says of itself. */
  readonly at: At
  readonly screens: readonly Screen[]
}

/** Makes a stage, and makes its language the language under test. */
export function stageOf(page: Page, server: Server, language: Language): Stage {
  speakIn(language)
  return { page, server, language }
}

export async function goTo(screen: Screen, stage: Stage) {
  await screen.reach(stage)
  // As long as in the tests: the script that takes the screenshots has no settings of theirs.
  await expect(screen.shows(stage)).toBeVisible({ timeout: 10_000 })
}

type Word = keyof typeof words

export const text = (word: Word) => (stage: Stage) => stage.page.getByText(words[word]).first()

export const button = (word: Word) => (stage: Stage) => stage.page.getByRole('button', { name: words[word] })

export const cardNumber = ({ page }: Stage) => cardFrame(page).getByLabel(words.cardNumber)
