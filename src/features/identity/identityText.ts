import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  type DocumentProblem,
  type IdentityFieldProblem,
  type IdType,
  MAX_DAILY_SUBMISSIONS,
} from '../../../domain/account/identity.ts'
import type { StorageErrorCode } from '../../../domain/errors/storageErrorCode.ts'
import type { SubmissionProblem } from '../../../machines/identityUpload.ts'
import { OPERATION_FAILURE_TEXTS } from '../../ui/failureText.ts'
import { NAME_REQUIRED } from '../../ui/fieldText.ts'

export const ID_TYPE_NAMES: Record<IdType, MessageDescriptor> = {
  passport: msg`Passeport`,
  national_id: msg`Carte d’identité`,
  drivers_license: msg`Permis`,
}

const NOT_SENT = OPERATION_FAILURE_TEXTS.submitIdentity
const NOT_AUTHENTICATED = msg`Connectez-vous d’abord`
const NO_DOCUMENT = msg`Aucun document choisi`
const WRONG_TYPE = msg`Le fichier doit être au format JPEG, PNG ou PDF`
const DATE_INVALID = msg`Indiquez une date qui existe`

/** Specification, section 5. */
export function getIdentityProblemText({ field, kind }: IdentityFieldProblem): MessageDescriptor {
  switch (kind) {
    case 'required':
      return REQUIRED_FIELD_TEXTS[field]
    case 'dateInvalid':
      return DATE_INVALID
    case 'expired':
      return msg`Ce document a expiré. Utilisez-en un qui est encore valable.`
    case 'notBorn':
      return msg`La date de naissance doit être dans le passé`
  }
}

const REQUIRED_FIELD_TEXTS: Record<IdentityFieldProblem['field'], MessageDescriptor> = {
  fullName: NAME_REQUIRED,
  idType: msg`Choisissez le type de document`,
  idNumber: msg`Saisissez le numéro du document`,
  issuedBy: msg`Indiquez qui a délivré le document`,
  expirationDate: msg`Indiquez la date d’expiration`,
  dateOfBirth: msg`Indiquez votre date de naissance`,
}

const NOT_READ = msg`Votre navigateur n’a pas pu lire le fichier. Choisissez-le une nouvelle fois.`

/** Specification, sections 5 and 8. */
export const DOCUMENT_PROBLEM_TEXTS: Record<DocumentProblem['kind'], MessageDescriptor> = {
  documentRequired: NO_DOCUMENT,
  fileTooLarge: msg`Le fichier doit faire moins de 5 Mo`,
  fileTypeUnsupported: WRONG_TYPE,
  fileUnreadable: NOT_READ,
  canvasUnreadable: msg`Ce navigateur fausse les images contre le pistage. Choisissez un fichier de moins de 5 Mo, ou un autre navigateur.`,
}

const STORAGE_DOWN = msg`Le stockage des documents rencontre un problème. Réessayez dans un moment.`

/** Specification, section 8. */
const STORAGE_ERROR_TEXTS: Record<StorageErrorCode, MessageDescriptor> = {
  'app-deleted': msg`L’application a été interrompue. Rechargez la page, puis réessayez.`,
  'bucket-not-found': STORAGE_DOWN,
  canceled: msg`L’envoi a été annulé.`,
  'cannot-slice-blob': NOT_READ,
  'internal-error': STORAGE_DOWN,
  'invalid-argument': NOT_SENT,
  'invalid-checksum': msg`Le document est arrivé abîmé. Réessayez.`,
  'invalid-default-bucket': STORAGE_DOWN,
  'invalid-format': WRONG_TYPE,
  'invalid-root-operation': NOT_SENT,
  'invalid-url': NOT_SENT,
  'no-default-bucket': STORAGE_DOWN,
  'no-download-url': msg`Le document est arrivé, mais n’a pas pu être joint à votre dossier. Réessayez.`,
  'object-not-found': msg`Le document n’est plus là. Réessayez pour l’envoyer une nouvelle fois.`,
  'project-not-found': STORAGE_DOWN,
  'quota-exceeded': msg`Le service ne peut pas recevoir d’autres documents aujourd’hui. Réessayez demain.`,
  'retry-limit-exceeded': msg`La connexion n’est pas revenue à temps. Réessayez là où le réseau est meilleur.`,
  unauthenticated: NOT_AUTHENTICATED,
  unauthorized: msg`Ce document a été refusé. Réessayez ; si cela continue, reconnectez-vous.`,
  'unauthorized-app': msg`Cette version de l’application n’est pas acceptée. Rechargez la page, puis réessayez.`,
  unknown: NOT_SENT,
  'unsupported-environment': msg`Votre navigateur ne sait pas envoyer de fichiers. Utilisez-en un autre, ou mettez-le à jour.`,
}

/** An unknown code is never shown. Specification, section 8. */
export function getSubmissionProblemText(problem: SubmissionProblem): MessageDescriptor {
  switch (problem.kind) {
    case 'storage':
      return problem.code === 'other' ? NOT_SENT : STORAGE_ERROR_TEXTS[problem.code]
    case 'network':
      return msg`Pas de réponse du réseau. Vérifiez votre connexion, puis réessayez.`
    case 'notAuthenticated':
      return NOT_AUTHENTICATED
    case 'noDocument':
      return NO_DOCUMENT
    case 'limitReached':
      return msg`Vous avez commencé ${MAX_DAILY_SUBMISSIONS} envois en peu de temps. Réessayez demain.`
    case 'refused':
      return msg`Votre envoi n’est plus valable : il en existe peut-être un autre dans une autre fenêtre. Réessayez.`
    case 'notRecorded':
      return NOT_SENT
  }
}
