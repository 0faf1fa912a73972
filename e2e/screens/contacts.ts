import { expect } from '@playwright/test'
import { openFromMenu } from '../steps/pages.ts'
import type { Person } from '../steps/people.ts'
import { words } from '../words.ts'
import { register, registerWithContacts, signInAs } from './people.ts'
import { IN_APP, type ScreensOf, type Stage } from './screen.ts'

export const CONTACTS_SCREENS: ScreensOf = {
  testedBy: ['contacts', 'slow-contacts', 'people'],
  at: IN_APP,
  screens: [
    {
      name: 'home-contact',
      async reach(stage) {
        await openContactSheet(stage, await registerWithContacts(stage))
        await stage.page.getByRole('dialog').getByRole('button', { name: 'Mariama' }).click()
      },
      shows: ({ page }) => page.getByText(/votre contact|your contact/),
    },
    {
      name: 'contact-sheet',
      async reach(stage) {
        await openContactSheet(stage, await registerWithContacts(stage))
      },
      shows: ({ page }) => page.getByRole('dialog').getByRole('button', { name: 'Mariama' }),
    },
    {
      name: 'contact-sheet-empty',
      async reach(stage) {
        await openContactSheet(stage, await register(stage))
      },
      shows: ({ page }) => page.getByRole('dialog').getByText(NO_CONTACTS),
    },
    {
      name: 'contacts',
      async reach(stage) {
        await openContacts(stage, await registerWithContacts(stage))
      },
      shows: ({ page }) => page.getByRole('main').getByText('Mariama'),
    },
    {
      name: 'contacts-empty',
      async reach(stage) {
        await openContacts(stage, await register(stage))
      },
      shows: ({ page }) => page.getByRole('main').getByText(NO_CONTACTS),
    },
    {
      name: 'contacts-nothing-found',
      async reach(stage) {
        await openContacts(stage, await registerWithContacts(stage))
        await stage.page.getByRole('main').getByRole('searchbox').fill('Personne')
      },
      shows: ({ page }) => page.getByText(/Aucun contact ne correspond|No contact matches/),
    },
    {
      name: 'contacts-failed',
      async reach(stage) {
        await signInAs(stage, await registerWithContacts(stage))
        // The answer that the home screen has asked for is there: the page would wait for that one, and it is good.
        await expect(stage.page.getByRole('button', { name: 'Mariama Bah', exact: true })).toBeVisible()
        await stage.page.route('**/documents:runQuery**', (route) => route.fulfill({ status: 500, json: {} }))
        await openFromMenu(stage.page, words.contacts)
      },
      shows: ({ page }) => page.getByText(/contacts n’ont pas pu être chargés|contacts could not be loaded/),
    },
    {
      name: 'contact-add-errors',
      async reach(stage) {
        const { page } = stage
        await openContacts(stage, await registerWithContacts(stage))
        await page.getByRole('button', { name: ADD_CONTACT }).click()
        await page.getByRole('dialog').getByLabel(words.phoneNumber).fill('+224 620 00 00 01')
        await page.getByRole('dialog').getByRole('button', { name: SAVE_CONTACT }).click()
        await expect(page.getByText(/déjà dans vos contacts|already in your contacts/)).toBeVisible()
      },
      shows: ({ page }) => page.getByText(/Saisissez le nom du contact|enter the contact’s name/),
    },
    {
      name: 'contact-add-refused',
      async reach(stage) {
        const { page } = stage
        await openContacts(stage, await register(stage))
        await page.getByRole('button', { name: ADD_CONTACT }).click()
        await page.route('**/documents:commit**', (route) => route.fulfill({ status: 500, json: {} }))
        await page.getByRole('dialog').getByLabel(CONTACT_NAME).fill('Mariama Bah')
        await page.getByRole('dialog').getByLabel(words.phoneNumber).fill('+224 620 00 00 01')
        await page.getByRole('dialog').getByRole('button', { name: SAVE_CONTACT }).click()
      },
      shows: ({ page }) => page.getByText(/contact n’a pas pu être ajouté|contact could not be added/),
    },
    {
      name: 'contact-edit',
      async reach(stage) {
        await openContacts(stage, await registerWithContacts(stage))
        await editContact(stage)
      },
      shows: ({ page }) => page.getByRole('dialog').getByLabel(CONTACT_NAME),
    },
    {
      name: 'contact-delete',
      async reach(stage) {
        await openContacts(stage, await registerWithContacts(stage))
        await editContact(stage)
        await stage.page.getByRole('button', { name: /Supprimer ce contact|Delete this contact/ }).click()
      },
      shows: ({ page }) => page.getByRole('button', { name: /Garder ce contact|Keep this contact/ }),
    },
  ],
}

const NO_CONTACTS = /Aucun contact pour l’instant|No contacts yet/

const ADD_CONTACT = /Ajouter un contact|Add a contact/

const SAVE_CONTACT = /Ajouter le contact|Add the contact/

export const CONTACT_NAME = /Nom du contact|Contact’s name/

async function openContacts(stage: Stage, person: Person) {
  await signInAs(stage, person)
  await openFromMenu(stage.page, words.contacts)
}

async function openContactSheet(stage: Stage, person: Person) {
  await signInAs(stage, person)
  await stage.page.getByRole('button', { name: /Choisir un contact|Choose a contact/ }).click()
}

const editContact = ({ page }: Stage) =>
  page
    .getByRole('listitem')
    .filter({ hasText: 'Mariama' })
    .getByRole('button', { name: /Modifier|Edit/ })
    .click()
