import { createInvalidArgumentError, StatusError } from './status.ts'

const DATABASE = '(default)'

/** Below the database root, such as 'users/abc' or 'users'. */
export type Path = string

export const getLastSegment = (path: Path) => path.slice(path.lastIndexOf('/') + 1)

/** The document above a collection is '' at the root. */
export const getParentPath = (path: Path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

export const isDocumentPath = (path: Path) => path !== '' && path.split('/').length % 2 === 0

export function createResourceNames(projectId: string) {
  const database = `projects/${projectId}/databases/${DATABASE}`
  const root = `${database}/documents`

  /** Returns '' for the root itself. Rejects other databases and invalid names. */
  const parseResourceName = (name: string): Path => {
    const [projects, project, databases, databaseId, documents, ...segments] = name.split('/')
    if (projects !== 'projects' || databases !== 'databases' || documents !== 'documents')
      throw createInvalidArgumentError(`Invalid resource name: ${name}`)
    if (project !== projectId || databaseId !== DATABASE)
      throw new StatusError('NOT_FOUND', `The database ${databaseId} does not exist for project ${project}`)
    if (segments.some((segment) => /^(|\.|\.\.|__.*__)$/s.test(segment)))
      throw createInvalidArgumentError(`Invalid resource name: ${name}`)
    return segments.join('/')
  }

  const parseDocumentName = (name: string): Path => {
    const path = parseResourceName(name)
    if (!isDocumentPath(path)) throw createInvalidArgumentError(`Not the name of a document: ${name}`)
    return path
  }

  return {
    database,
    root,
    buildName: (path: Path) => `${root}/${path}`,
    parsePath: parseResourceName,
    documentPath: parseDocumentName,
    /** Such as '/databases/(default)/documents/users/abc'. */
    toRulesPath: (path: Path) => `/databases/${DATABASE}/documents/${path}`,
    fromRulesPath: (rulesPath: string): Path => rulesPath.slice(`/databases/${DATABASE}/documents/`.length),
  }
}

export type ResourceNames = ReturnType<typeof createResourceNames>
