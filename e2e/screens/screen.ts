import { expect, type Locator, type Page } from '@playwright/test'
import type { Language } from '../../domain/language.ts'
import type { Server } from '../server.ts'
import { cardFrame } from '../steps/transfer.ts'
import { WORDS, type Words } from '../words.ts'

/** A fresh browser, and what a screen needs to be reached in it. */
export interface Stage {
  readonly page: Page
  readonly server: Server
  readonly language: Language
  readonly words: Words
}

/** A screen, a state of one or a dialog. The checks and the photographs walk the list of them. */
export interface Screen {
  readonly name: string
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
  readonly screens: readonly Screen[]
}

export const stageOf = (page: Page, server: Server, language: Language): Stage => ({
  page,
  server,
  language,
  words: WORDS[language],
})

export async function goTo(screen: Screen, stage: Stage) {
  await screen.reach(stage)
  // As long as in the tests: the script that takes the screenshots has no settings of theirs.
  await expect(screen.shows(stage)).toBeVisible({ timeout: 10_000 })
}

export const text = (word: (words: Words) => string) => (stage: Stage) =>
  stage.page.getByText(word(stage.words)).first()

export const button = (word: (words: Words) => string | RegExp) => (stage: Stage) =>
  stage.page.getByRole('button', { name: word(stage.words) })

export const cardNumber = ({ page, words }: Stage) => cardFrame(page).getByLabel(words.cardNumber)
