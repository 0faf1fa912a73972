import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { MAX_DAILY_SUBMISSIONS } from '../../domain/account/identity.ts'
import type { Server } from '../server.ts'
import { defineTexts, getText } from '../texts.ts'
import { words } from '../words.ts'
import { openFromMenu } from './pages.ts'

const identityStatusWords = defineTexts({
  pending: 'en cours',
  rejected: 'à corriger',
  approved: 'faite',
})

export const identityWords = defineTexts({
  fullName: 'Nom et prénoms, comme sur la pièce',
  passport: 'Passeport',
  idNumber: 'Numéro du document',
  issuedBy: 'Délivré par',
  expirationDate: 'Date d’expiration',
  dateOfBirth: 'Date de naissance',
  submit: 'Envoyer pour vérification',
  sending: 'Envoi de votre dossier',
  cancel: 'Annuler l’envoi',
  edit: 'Modifier le dossier',
  pending: 'Vérification en cours',
  approved: 'Votre identité est vérifiée',
  rejected: 'Votre dossier n’a pas été accepté',
  newDocument: 'Envoyez un nouveau document',
  correctDetails: 'Corrigez vos informations',
  preview: 'Aperçu de votre document',
  nameWanted: 'Saisissez votre nom complet',
  typeWanted: 'Choisissez le type de document',
  numberWanted: 'Saisissez le numéro du document',
  issuerWanted: 'Indiquez qui a délivré le document',
  expirationWanted: 'Indiquez la date d’expiration',
  birthWanted: 'Indiquez votre date de naissance',
  documentExpired: 'Votre document a expiré',
  documentExpires: 'Votre document expire bientôt',
  toDo: 'à faire',
  openProfile: 'Ouvrir mon profil',
  verify: 'Vérifier mon identité',
  expired: 'Ce document a expiré. Utilisez-en un qui est encore valable.',
  noDocument: 'Aucun document choisi',
  tooLarge: 'Le fichier doit faire moins de 5 Mo',
  canvasUnreadable:
    'Ce navigateur fausse les images contre le pistage. Choisissez un fichier de moins de 5 Mo, ou un autre navigateur.',
  unreadable: 'Votre navigateur n’a pas pu lire le fichier. Choisissez-le une nouvelle fois.',
  wrongType: 'Le fichier doit être au format JPEG, PNG ou PDF',
  connectionLost: 'La connexion est coupée ou très lente',
  nothingRecorded: 'Rien n’a été enregistré. Ce que vous avez saisi est toujours là.',
  documentArrived: 'Votre document est arrivé, mais votre dossier n’est pas encore enregistré.',
  notSent: 'Votre dossier n’a pas pu être envoyé',
  quota: 'Le service ne peut pas recevoir d’autres documents aujourd’hui. Réessayez demain.',
  tooMany: () =>
    getText('Vous avez commencé {MAX_DAILY_SUBMISSIONS} envois en peu de temps. Réessayez demain.', {
      MAX_DAILY_SUBMISSIONS,
    }),
  filesFailed: 'Vos documents n’ont pas pu être lus',
  signedOut: 'Connectez-vous d’abord',
})

export const IDENTITY_DETAILS = {
  fullName: 'Aïssatou Diallo',
  idNumber: 'O00123456',
  issuedBy: 'République de Guinée',
  expirationDate: '2035-01-31',
  dateOfBirth: '1990-05-17',
} as const

interface Upload {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

const MIB = 1024 * 1024

/** Pads a PNG to this many bytes, with a chunk of text after its header. */
export function buildPng(bytes = 20_000, picture = 'icons/icon-512.png'): Upload {
  const png = readFileSync(new URL(`../../public/${picture}`, import.meta.url))
  const padding = Buffer.alloc(bytes - png.length)
  padding.writeUInt32BE(padding.length - 12)
  padding.write('teXt', 4)
  padding.writeUInt32BE(crc32(padding.subarray(4, -4)), padding.length - 4)
  const afterHeader = 33
  const buffer = Buffer.concat([png.subarray(0, afterHeader), padding, png.subarray(afterHeader)])
  return { name: 'passeport.png', mimeType: 'image/png', buffer }
}

const PDF = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n'

export const TEST_DOCUMENTS = {
  pdf: { name: 'passeport.pdf', mimeType: 'application/pdf', buffer: Buffer.from(PDF) },
  largest: buildPng(5 * MIB),
  tooLarge: {
    name: 'passeport.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(PDF.padStart(5 * MIB + 1, PDF)),
  },
  largePicture: buildPng(6 * MIB, 'splash/2048x2732.png'),
  executable: {
    name: 'passeport.png',
    mimeType: 'image/png',
    buffer: Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0This program cannot be run', 'latin1'),
  },
  pretendedPdf: {
    name: 'passeport.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7\n<script>alert(1)</script>'),
  },
} satisfies Record<string, Upload>

export const openIdentity = (page: Page) => openFromMenu(page, words.identity)

export const chooseDocument = (page: Page, file: Upload) =>
  page.locator('input[type=file]').setInputFiles(file)

export async function fillIdentityDetails(page: Page) {
  await page.getByLabel(identityWords.fullName).fill(IDENTITY_DETAILS.fullName)
  await page.getByText(identityWords.passport, { exact: true }).click()
  for (const field of ['idNumber', 'issuedBy', 'expirationDate', 'dateOfBirth'] as const)
    await page.getByLabel(identityWords[field]).fill(IDENTITY_DETAILS[field])
}

export const submitIdentityForm = (page: Page) =>
  page.getByRole('button', { name: identityWords.submit }).click()

export async function listStoredFiles(
  server: Server,
  uid: string,
): Promise<{ name: string; size: number }[]> {
  const objects = (await (await fetch(`${server.origin}/sandbox/storage`)).json()) as {
    name: string
    size: number
  }[]
  return objects.filter(({ name }) => name.startsWith(`identity/${uid}/`))
}

/** Returns the file's name. */
export async function writeIdentityFile(server: Server, uid: string, decided: Record<string, string> = {}) {
  const name = `1763640000000-${crypto.randomUUID()}`
  await server.write(`files/${name}`, {
    userId: uid,
    category: 'identity',
    status: 'pending',
    fileName: 'passeport.png',
    fileType: 'image/png',
    fileSize: 20_000,
    downloadUrl: `${server.origin}/v0/b/demo-passerelle.firebasestorage.app/o/identity%2F${uid}%2F${name}?alt=media&token=${crypto.randomUUID()}`,
    createdAt: new Date(),
    idType: 'passport',
    ...IDENTITY_DETAILS,
    ...decided,
  })
  return name
}

export async function expectIdentityStatus(page: Page, kind: 'pending' | 'rejected' | 'approved') {
  await page.getByRole('button', { name: words.menu }).click()
  const entry = page.getByRole('menuitem', {
    name: new RegExp(`^${words.identity}\\s*${identityStatusWords[kind]}$`),
  })
  await expect(entry).toBeVisible()
  // A green tick if approved, otherwise a dot.
  const isApproved = kind === 'approved'
  await expect(entry.locator('[data-kind] svg')).toHaveCount(isApproved ? 1 : 0)
  const dot = (part: Element) => getComputedStyle(part, '::before').content
  expect((await entry.locator('[data-kind]').evaluate(dot)) !== 'none').toBe(!isApproved)
  await page.keyboard.press('Escape')
}
