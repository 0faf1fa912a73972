import type { Page } from '@playwright/test'
import type { Server } from '../server.ts'
import { defineTexts } from '../texts.ts'

export const contactWords = defineTexts({
  choose: 'Choisir un contact',
  add: 'Ajouter un contact',
  fromAddressBook: 'Choisir dans le répertoire du téléphone',
  whichNumber: 'Quel est le bon numéro ?',
  addNew: 'Nouveau contact',
  addToContacts: 'Ajouter aux contacts',
  isContact: 'Ce numéro est dans vos contacts.',
  name: 'Nom du contact',
  save: 'Ajouter le contact',
  added: 'Contact ajouté',
  notAdded: 'Le contact n’a pas pu être ajouté. Réessayez dans un moment.',
  edit: 'Modifier',
  saveName: 'Enregistrer le nom',
  remove: 'Supprimer ce contact',
  reallyRemove: 'Supprimer',
})

export const sheet = (page: Page, name?: string) => page.getByRole('dialog', name ? { name } : undefined)

export const pressInSheet = (page: Page, name: string) =>
  sheet(page).getByRole('button', { name, exact: true }).click()

export const contactRow = (page: Page, name: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name })

export const writeContact = (server: Server, userId: string, name: string, phone: string) =>
  server.write(`contacts/${userId}_${phone.slice(1)}`, { userId, name, phone, createdAt: new Date() })
