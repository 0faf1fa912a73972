import { expect, test } from 'vitest'
import { STORAGE_ERROR_CODES, type StorageErrorCode } from '../../../domain/errors/storageErrorCode.ts'
import { getSubmissionProblemText } from './identityText.ts'

const getText = (code: StorageErrorCode | 'other') =>
  getSubmissionProblemText({ kind: 'storage', code }).message

const DOWN = 'Le stockage des documents rencontre un problème. Réessayez dans un moment.'
const NOT_READ = 'Votre navigateur n’a pas pu lire le fichier. Choisissez-le une nouvelle fois.'
const NOT_SENT = 'Votre dossier n’a pas pu être envoyé'

const TEXTS: [StorageErrorCode, string][] = [
  ['app-deleted', 'L’application a été interrompue. Rechargez la page, puis réessayez.'],
  ['bucket-not-found', DOWN],
  ['canceled', 'L’envoi a été annulé.'],
  ['cannot-slice-blob', NOT_READ],
  ['internal-error', DOWN],
  ['invalid-argument', NOT_SENT],
  ['invalid-checksum', 'Le document est arrivé abîmé. Réessayez.'],
  ['invalid-default-bucket', DOWN],
  ['invalid-format', 'Le fichier doit être au format JPEG, PNG ou PDF'],
  ['invalid-root-operation', NOT_SENT],
  ['invalid-url', NOT_SENT],
  ['no-default-bucket', DOWN],
  ['no-download-url', 'Le document est arrivé, mais n’a pas pu être joint à votre dossier. Réessayez.'],
  ['object-not-found', 'Le document n’est plus là. Réessayez pour l’envoyer une nouvelle fois.'],
  ['project-not-found', DOWN],
  ['quota-exceeded', 'Le service ne peut pas recevoir d’autres documents aujourd’hui. Réessayez demain.'],
  ['retry-limit-exceeded', 'La connexion n’est pas revenue à temps. Réessayez là où le réseau est meilleur.'],
  ['unauthenticated', 'Connectez-vous d’abord'],
  ['unauthorized', 'Ce document a été refusé. Réessayez ; si cela continue, reconnectez-vous.'],
  [
    'unauthorized-app',
    'Cette version de l’application n’est pas acceptée. Rechargez la page, puis réessayez.',
  ],
  ['unknown', NOT_SENT],
  [
    'unsupported-environment',
    'Votre navigateur ne sait pas envoyer de fichiers. Utilisez-en un autre, ou mettez-le à jour.',
  ],
]

test('each known storage error has a text @spec-storage-errors', () => {
  expect(TEXTS.map(([code]) => code)).toEqual(STORAGE_ERROR_CODES)
})

test.each(TEXTS)('shows the text of the storage error %s @spec-storage-errors', (code, text) => {
  expect(getText(code)?.replaceAll(/\s/g, ' ')).toBe(text)
})

test('an unknown storage error has the general text for a failed submission', () => {
  expect(getText('other')).toBe(NOT_SENT)
})
