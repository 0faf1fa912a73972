import { AWA, CONTACTS, failData } from './fixtures.ts'
import type { User } from './frame/user.ts'
import { IN_APP_STATES as at, type Scene } from './scene.ts'
import { HISTORY } from './transactions.ts'

const onHome = { at, account: AWA, rows: { contacts: CONTACTS, transactions: HISTORY } } as const
const onPage = { ...onHome, page: 'contacts' } as const

async function openSheet({ press, see }: User) {
  await press('Choisir un contact')
  await see('Vos contacts')
}

export const CONTACTS_SCENES: readonly Scene[] = [
  {
    ...onHome,
    name: 'home-contact',
    async act(user) {
      await openSheet(user)
      await user.press('Mariama Bah')
    },
  },
  { ...onHome, name: 'contact-sheet', act: openSheet },
  { ...onHome, name: 'contact-sheet-empty', rows: {}, act: openSheet },
  { ...onPage, name: 'contacts' },
  { ...onPage, name: 'contacts-empty', rows: {} },
  {
    ...onPage,
    name: 'contacts-nothing-found',
    act: ({ type }) => type('Rechercher un contact', 'Personne'),
    shows: 'Aucun contact ne correspond à votre recherche.',
  },
  { ...onPage, name: 'contacts-failed', answers: { contacts: { fetchContacts: failData('fetchContacts') } } },
  {
    ...onPage,
    name: 'contact-add-errors',
    async act({ press, pressUntil, type }) {
      await press('Ajouter un contact')
      await type('Numéro de téléphone', '+224 620 00 00 01')
      await pressUntil('Ajouter le contact', 'Ce numéro est déjà dans vos contacts : {name}')
    },
  },
  {
    ...onPage,
    name: 'contact-add-unclear',
    async act({ press, submit }) {
      await press('Ajouter un contact')
      await submit({ 'Numéro de téléphone': '224 622 12 34' }, 'Ajouter le contact')
    },
    shows: 'Quel est le bon numéro ?',
  },
  {
    ...onPage,
    name: 'contact-add-refused',
    rows: {},
    answers: { contacts: { createContact: failData('addContact') } },
    async act({ press, submit }) {
      await press('Ajouter un contact')
      await submit(
        { 'Nom du contact': 'Mariama Bah', 'Numéro de téléphone': '+224 620 00 00 01' },
        'Ajouter le contact',
      )
    },
    shows: 'Le contact n’a pas pu être ajouté. Réessayez dans un moment.',
  },
  {
    ...onPage,
    name: 'contact-edit',
    act: ({ press }) => press('Modifier'),
    shows: 'Modifier le contact',
  },
  {
    ...onPage,
    name: 'contact-delete',
    act: ({ press }) => press('Modifier', 'Supprimer ce contact'),
    shows: 'Garder ce contact',
  },
]
